import { html, type Html, type HtmlValue } from "./html.ts";

export interface Column {
  readonly name: string;
  readonly isNumber?: boolean;
  /** Sorts the table by this column. */
  readonly href?: string;
  /** The table is sorted by it, the largest first. */
  readonly isSorted?: boolean;
}

/**
 * A table whose first column names its rows; on a phone each row is a block of its own. Pure.
 * @param caption read aloud, where a heading shows it already.
 */
export const tableOf = ({
  caption,
  columns,
  rows,
}: {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly HtmlValue[])[];
}): Html =>
  html`<table class="stacked">
    <caption class="visually-hidden">
      ${caption}
    </caption>
    <thead>
      <tr>
        ${columns.map(headOf)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${columns.map((column, index) => cellOf(column, cells[index], index === 0))}
          </tr>`,
      )}
    </tbody>
  </table>`;

const headOf = ({ name, isNumber, href, isSorted }: Column): Html =>
  html`<th
    scope="col"
    ${isNumber === true && html`class="number"`}
    ${isSorted === true && html`aria-sort="descending"`}
  >
    ${href === undefined ? name : html`<a href="${href}">${name}</a>`}
  </th>`;

const cellOf = ({ name, isNumber }: Column, value: HtmlValue, isFirst: boolean): Html =>
  isFirst
    ? html`<th scope="row">${value}</th>`
    : html`<td data-label="${name}" ${isNumber === true && html`class="number"`}>
        <div>${value}</div>
      </td>`;

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

/** The parts of an address after its `?`; empty and undefined ones are left out. Pure. */
export function queryOf(parts: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parts).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, value] satisfies [string, string]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
}
