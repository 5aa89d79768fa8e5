import { html, type Html, type HtmlValue } from "./html.ts";

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
