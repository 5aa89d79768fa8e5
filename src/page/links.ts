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

/** Links to the first and the next page, where there are such. @param of one of several lists. Pure. */
export const pageLinks = (
  { paging, spend }: Locale["page"],
  {
    first,
    next,
    of,
  }: {
    readonly first?: string | undefined;
    readonly next?: string | undefined;
    readonly of?: string;
  },
): Html | false =>
  [first, next].some(Boolean) &&
  html`<nav
    class="pages"
    aria-label="${[spend.pages, ...(of === undefined ? [] : [of])].join(": ")}"
  >
    ${first && html`<a href="${first}">${paging.first}</a>`}
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
