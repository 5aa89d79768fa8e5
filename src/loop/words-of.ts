import { wordsFor } from "../locales/words-for.ts";
import type { Words } from "../locales/words.ts";
import type { TurnSession } from "./session/turn-session.ts";

/** Our own sentences as whoever the open turn answers reads them. */
export const wordsOf = ({ state }: TurnSession): Words =>
  wordsFor(state.requester.language);
