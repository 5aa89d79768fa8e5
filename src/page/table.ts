import type { Locale } from "../locales/locale.ts";
import { html, type Html, type HtmlValue } from "./html.ts";

export interface Column {
  readonly name: string;
  readonly isNumber?: boolean;
  /** Its cells hold what can be done. */
  readonly hasForms?: boolean;
  /** Sorts the table by this column. */
  readonly href?: string;
  /** The table is sorted by it, the largest first. */
  readonly isSorted?: boolean;
}

/** The cells of a row. */
export type Row = readonly HtmlValue[];

/** A column of numbers. Pure. */
export const numbers = (name: string): Column => ({ name, isNumber: true });

/** The column of what can be done with a row. Pure. */
export const actions = ({ paging }: Locale["page"]): Column => ({
  name: paging.actions,
  hasForms: true,
});

/** A table whose first column names its rows; on a phone each row is a block of its own. Pure. */
export function tableOf(table: {
  /** Read aloud: a heading shows it already. */
  readonly caption: string;
  readonly columns: readonly (string | Column)[];
  readonly rows: readonly Row[];
  /** Of the rows of a live view, where they move and go: focus and taps stay with theirs. */
  readonly ids?: readonly string[];
  /** In place of a table without rows. */
  readonly empty?: string;
}): Html {
  if (table.rows.length === 0 && table.empty !== undefined)
    return html`<p class="empty">${table.empty}</p>`;
  const columns = table.columns.map((column) =>
    typeof column === "string" ? { name: column } : column,
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${table.caption}">
    <table>
      <caption class="visually-hidden">
        ${table.caption}
      </caption>
      <thead>
        <tr>
          ${columns.map(headOf)}
        </tr>
      </thead>
      <tbody>
        ${table.rows.map(
          (cells, row) =>
            html`<tr ${table.ids && html`id="${table.ids[row]}"`}>
              ${columns.map((column, index) => cellOf(column, cells[index], index === 0))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

const headOf = ({ name, isNumber, href, isSorted }: Column): Html =>
  html`<th
    scope="col"
    ${isNumber === true && html`class="number"`}
    ${isSorted === true && html`aria-sort="descending"`}
  >
    ${href === undefined ? name : html`<a href="${href}">${name}</a>`}
  </th>`;

function cellOf({ name, isNumber, hasForms }: Column, value: HtmlValue, isFirst: boolean): Html {
  if (isFirst) return html`<th scope="row">${value}</th>`;
  if (hasForms === true) return html`<td><div class="acts">${value}</div></td>`;
  return html`<td data-label="${name}" ${isNumber === true && html`class="number"`}>
    <div>${value}</div>
  </td>`;
}

export type Fact = readonly [name: string, ...values: readonly HtmlValue[]];

/** What is known of something: as lines, as a grid of small figures, or as a few large ones. Pure. */
export const factsOf = (look: "about" | "facts" | "tiles", facts: readonly Fact[]): Html =>
  html`<dl class="${look}">
    ${facts.map(
      ([name, ...values]) =>
        html`<div>
          <dt>${name}</dt>
          ${values.map((value) => html`<dd>${value}</dd>`)}
        </div>`,
    )}
  </dl>`;
