import { moment } from "../commands/moment.ts";
import type { Locale } from "../locales/locale.ts";
import { html, type Html } from "./html.ts";

/** A moment in UTC, as every language reads it. Pure. */
export const timeAt = (atMs: number): Html =>
  html`<time datetime="${new Date(atMs).toISOString()}">${moment(atMs)}</time>`;

export interface FormButton {
  /** The address that it posts to. */
  readonly to: string;
  readonly fields: Readonly<Record<string, string | number>>;
  readonly label: string;
  readonly kind?: "main" | "bad";
  /** What it acts on, for those who don't see what it is next to. */
  readonly about: string;
  /** More to fill in, above the button. */
  readonly inside?: Html;
}

/** A form with a button. Pure. */
export const formButton = ({ to, fields, label, kind, about, inside }: FormButton): Html =>
  html`<form method="post" action="${to}" class="act">
    ${Object.entries(fields).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
    )}
    ${inside} <button class="${kind}" aria-label="${label}: ${about}">${label}</button>
  </form>`;

/** The same behind a second step, which needs no script. Pure. */
export const confirmedButton = (summary: string, button: FormButton): Html =>
  html`<details class="act">
    <summary aria-label="${summary} ${button.about}">${summary}</summary>
    ${formButton(button)}
  </details>`;

/** Links to the first and the next page, where there are such. Pure. */
export function pageLinks(
  { paging }: Locale["page"],
  { first, next }: { readonly first?: string | undefined; readonly next?: string | undefined },
): Html {
  return html`<p class="pages">${link(first, paging.first)} ${link(next, paging.next)}</p>`;
}

/** Which page an address asks for, from 1. Pure. */
export const pageNumber = (text = "1"): number => Math.max(1, Math.trunc(Number(text)) || 1);

const link = (to: string | undefined, label: string) =>
  to !== undefined && html`<a href="${to}">${label}</a>`;

/** A table whose last column has what can be done. Pure. */
export const tableOf = (
  { paging }: Locale["page"],
  {
    title,
    columns,
    rows,
  }: {
    readonly title: string;
    readonly columns: readonly string[];
    readonly rows: readonly Html[];
  },
): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${title}">
    <table>
      <thead>
        <tr>
          ${[...columns, paging.actions].map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
