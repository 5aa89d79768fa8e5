import { localeFor } from "../locales/locale-for.ts";
import type { Locale } from "../locales/locale.ts";
import type { TurnSession } from "./session/turn-session.ts";

/** Our own sentences as whoever the open turn answers reads them. */
export const localeOf = ({ state }: TurnSession): Locale =>
  localeFor(state.requester.language);
