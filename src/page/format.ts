import type { Locale } from "../locales/locale.ts";
import type { Language } from "../locales/locale-for.ts";
import { moment } from "../commands/moment.ts";
import type { Usage } from "../core/history.ts";
import { visible } from "../text/visible-text.ts";
import type { ViewDeps } from "./view.ts";
import { html, type Html } from "./html.ts";

/** A moment, to the minute; the rest is in its attribute. Pure. */
export const timeHtml = (atMs: number, text: string = moment(atMs)): Html =>
  html`<time datetime="${new Date(atMs).toISOString()}">${text}</time>`;

const secondMs = 1_000;
const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

/** How long something took: `0.8 s`, `41 s`, `2 min 5 s`, `3 h 10 min`, `2 days`. Pure. */
export function spanText(spanMs: number, { cards, number }: Locale): string {
  const { seconds, minutes, hours, days } = cards.lasts;
  const ms = Math.max(0, spanMs);
  const tenths = Math.round(ms / 100) / 10;
  if (tenths < 10) return `${number(tenths)} s`;
  const wholeSeconds = Math.round(ms / secondMs);
  if (wholeSeconds * secondMs < minuteMs) return seconds(wholeSeconds);
  if (wholeSeconds * secondMs < hourMs)
    return joined(minutes(Math.floor(wholeSeconds / 60)), wholeSeconds % 60, seconds);
  const wholeMinutes = Math.round(ms / minuteMs);
  if (wholeMinutes * minuteMs < dayMs)
    return joined(hours(Math.floor(wholeMinutes / 60)), wholeMinutes % 60, minutes);
  return days(Math.round(ms / dayMs));
}

const joined = (large: string, rest: number, small: (count: number) => string): string =>
  rest === 0 ? large : `${large} ${small(rest)}`;

/** What models cost together; a dash where a price is not known. */
export function costText(
  used: readonly (readonly [model: string, usage: Usage])[],
  { costOf, locale }: Pick<ViewDeps, "costOf"> & { readonly locale: Locale },
): string {
  const costs = used.map(([model, usage]) => costOf(model, usage));
  const known = costs.filter((cost) => cost !== undefined);
  if (known.length < costs.length || costs.length === 0) return "–";
  return locale.money(known.reduce((sum, cost) => sum + cost, 0));
}

/** Models by their names, and the persona in whose name they answer. */
export const modelHtml = (
  model: string,
  { persona, locale }: { readonly persona: string | undefined; readonly locale: Locale },
): Html =>
  html`${visible(model)}${
    persona !== undefined &&
    html`<br /><span class="faint">${locale.status.persona(visible(persona))}</span>`
  }`;

/** A share as the language writes it: `33%`, `6,7 %`. Pure. */
export const percentText = (share: number, language: Language): string =>
  new Intl.NumberFormat(language, {
    style: "percent",
    maximumFractionDigits: Math.abs(share) < 0.1 ? 1 : 0,
  })
    .format(Number.isFinite(share) ? share : 0)
    .replaceAll("\u202F", "\u00A0");
