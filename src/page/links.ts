import type { Locale } from "../locales/locale.ts";
import { html, type Html } from "./html.ts";

/** Links of which one is where the reader is. Pure. */
export const choiceOf = (
  label: string,
  links: readonly { readonly href: string; readonly text: string; readonly isCurrent: boolean }[],
): Html =>
  html`<nav class="choice" aria-label="${label}">
    ${links.map(
      ({ href, text, isCurrent }) =>
        html`<a href="${href}" ${isCurrent && html`aria-current="true"`}>${text}</a> `,
    )}
  </nav>`;

interface PageLinks {
  /** One of several lists. */
  readonly of?: string;
  readonly first?: string | false | undefined;
  readonly previous?: string | false;
  /** What is shown of how much. */
  readonly position?: string;
  readonly next?: string | false | undefined;
}

/** Links to other pages of a list, where there are such. Pure. */
export const pageLinks = (
  { paging, spend }: Locale["page"],
  { of, first, previous, position, next }: PageLinks,
): Html | false =>
  [first, previous, next].some(Boolean) &&
  html`<nav class="pages" aria-label="${of ? `${spend.pages}: ${of}` : spend.pages}">
    ${first && html`<a href="${first}">${paging.first}</a>`}
    ${previous && html`<a href="${previous}" rel="prev">${spend.previous}</a>`}
    ${position && html`<span>${position}</span>`}
    ${next && html`<a href="${next}" rel="next">${paging.next}</a>`}
  </nav>`;

/** Redis counts no further than about 1e19. */
const lastPage = 1e9;

/** Which page an address asks for, from 1. Pure. */
export const pageNumber = (text = "1"): number =>
  Math.min(Math.max(1, Math.trunc(Number(text)) || 1), lastPage);

/** The parts of an address after its `?`; empty and undefined ones are left out. Pure. */
export function queryOf(parts: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parts).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, value] satisfies [string, string]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
}
