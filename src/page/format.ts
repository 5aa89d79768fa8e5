import type { Locale } from "../locales/locale.ts";
import type { Language } from "../locales/locale-for.ts";
import { exactSpan } from "../locales/span.ts";
import { moment } from "../commands/moment.ts";
import type { Usage } from "../core/history.ts";
import { visible } from "../text/visible-text.ts";
import type { ViewContext } from "./view.ts";
import { html, type Html } from "./html.ts";

/** What isn't known. */
export const unknown = "–";

/** A moment, to the minute; the rest is in its attribute. Pure. */
export const timeHtml = (atMs: number | undefined, text?: string): Html | string =>
  atMs === undefined
    ? unknown
    : html`<time datetime="${new Date(atMs).toISOString()}">${text ?? moment(atMs)}</time>`;

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** How long something took: `0.8 s`, `41 s`, `2 min 5 s`, `3 h 10 min`, `2 days`. Pure. */
export function spanText(spanMs: number, { cards, number }: Locale): string {
  const tenths = Math.round(Math.max(0, spanMs) / 100) / 10;
  if (tenths < 10) return `${number(tenths)} s`;
  const unitMs = spanMs < hourMs ? 1_000 : spanMs < dayMs ? minuteMs : dayMs;
  return exactSpan(Math.round(spanMs / unitMs) * unitMs, cards);
}

/** What models cost together; a dash where a price is not known. */
export function costText(
  used: readonly (readonly [model: string, usage: Usage])[],
  { costOf, locale }: Pick<ViewContext, "costOf" | "locale">,
): string {
  const costs = used.map(([model, usage]) => costOf(model, usage));
  const known = costs.filter((cost) => cost !== undefined);
  if (known.length < costs.length || costs.length === 0) return "–";
  return locale.money(known.reduce((sum, cost) => sum + cost, 0));
}

/** Models by their names, and the persona in whose name they answer. */
export const modelHtml = (model: string, persona: string | undefined, locale: Locale): Html =>
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
