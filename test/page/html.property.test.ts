import * as fc from "fast-check";
import { expect, it } from "vitest";
import { html } from "../../src/page/html.ts";
import { wellFormed } from "./well-formed.ts";

/** Text that tries to become markup, next to any other. */
const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        "<script>",
        "</td>",
        '"',
        "'",
        "`",
        "&",
        "&lt;",
        "-->",
        "\ud800",
        " onclick=",
        ">",
      ),
    )
    .map((parts) => parts.join("")),
);

it("text stays text between tags and in attributes", () => {
  fc.assert(
    fc.property(hostile, hostile, (inside, attribute) => {
      const markup = html`<p title="${attribute}">${inside}</p>`.toString();
      const { elements, texts } = wellFormed(markup);
      expect(elements).toEqual([{ name: "p", attributes: { title: attribute.toWellFormed() } }]);
      expect(texts.join("")).toBe(inside.toWellFormed());
    }),
  );
});

it("markup stays markup, lists are joined, and what is absent is left out", () => {
  expect(html`${[html`<i>${1}</i>`, "<", undefined, false, [html`<b></b>`]]}`.toString()).toBe(
    "<i>1</i>&lt;<b></b>",
  );
});
