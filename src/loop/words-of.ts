import { wordsFor } from "../words/words-for.ts";
import type { Words } from "../words/words.ts";
import type { TurnSession } from "./turn-session.ts";

/** Our own sentences as whoever the open turn answers reads them. */
export const wordsOf = ({ state }: TurnSession): Words =>
  wordsFor(state.requester.language);
