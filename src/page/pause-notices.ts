import { moment } from "../commands/moment.ts";
import { pauseScopes, type Pauses } from "../core/pause.ts";
import type { Locale } from "../locales/locale.ts";
import { html, type Html } from "./html.ts";

/** What is paused, and since when. Pure. */
export const pauseNotices = (pauses: Pauses, { pause }: Locale): readonly Html[] =>
  pauseScopes.flatMap((scope) => {
    const each = pauses[scope];
    if (each === undefined) return [];
    const text = pause.sinceOf(pause.scopes[scope], moment(each.sinceMs));
    return [html`<p class="notice problem">${text}</p>`];
  });
