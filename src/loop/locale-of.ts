import { localeFor } from "../locales/locale-for.ts";
import type { Locale } from "../locales/locale.ts";
import type { TurnSession } from "./session/turn-session.ts";

/** Our messages in the language of the person that the open turn answers. */
export const localeOf = ({ state }: TurnSession): Locale =>
  localeFor(state.requester.language, state.requester.id);
