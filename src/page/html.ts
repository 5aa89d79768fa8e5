/** Markup that may be sent as it is. Only `html` makes it, so text of people never becomes markup. */
export class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

export type HtmlValue = Html | string | number | false | undefined | readonly HtmlValue[];

/**
 * A template in which every value is escaped, for text and for attributes in double quotes; markup
 * stays markup, lists are joined, `false` and `undefined` are left out. Pure.
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(
    parts.reduce((markup, part, index) => markup + markupOf(values[index - 1]) + part),
  );
}

function markupOf(value: HtmlValue): string {
  if (value === undefined || value === false) return "";
  if (value instanceof Html) return value.toString();
  if (typeof value === "object") return value.map(markupOf).join("");
  return String(value)
    .toWellFormed()
    .replaceAll(/[&<>"'`]/g, (character) => entities[character] ?? "");
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};
