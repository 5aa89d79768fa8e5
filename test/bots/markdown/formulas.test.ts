import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { render } from "../../../src/bots/discord/format/render.ts";
import { flatten, walk } from "../../../src/bots/markdown/flatten.ts";
import { parseMarkdown } from "../../../src/bots/markdown/parse.ts";
import { formatMarkdown } from "../../../src/bots/telegram/format/format.ts";

const codeIn = (markdown: string) => {
  const root = parseMarkdown(markdown);
  const nodes = root === undefined ? [] : [...walk(root)];
  return nodes.flatMap((node) =>
    node.type === "inlineCode" || node.type === "code" ? [node.value] : [],
  );
};

const squeezed = (text = "") => text.replaceAll(/\s+/g, " ");
const rows = "1 & x \\in \\{0\\} \\\\\n0 & \\text{else}";

describe("formulas over several lines", () => {
  it.each([
    ["rows behind the opening mark", `$$\\begin{cases}\n${rows}\n\\end{cases}$$`],
    ["a line that begins with a plus", "\\( a_1\n+ b_1 \\)"],
    ["a displayed one", "\\[ a\n+ b \\]"],
    ["between dollars", "$a_1\n- b_1$"],
    ["without a mark", "\\begin{align*}\na &= b \\\\\n- c &= d\n\\end{align*}"],
    ["within another", "\\begin{a}\n\\begin{a}\nx \\\\\n\\end{a}\n\\end{a}"],
    ["without a mark, on one line", "\\begin{pmatrix} a \\\\ b \\end{pmatrix}"],
  ])("lose nothing: %s", (_, formula) => {
    for (const [before, behind] of [
      ["", ""],
      ["so ", " holds"],
      ["- ", ""],
      ["1. ", " x"],
    ] as const) {
      const markdown = `${before}${formula}${behind}\n\nand *more*`;
      expect(codeIn(markdown)).toEqual([formula]);
      for (const chunks of [formatMarkdown(markdown), render(markdown)])
        expect(squeezed(chunks[0]?.text)).toContain(squeezed(formula));
    }
    expect(codeIn(formula.replaceAll("\n", "\r\n"))).toHaveLength(1);
  });

  it.each([
    ["rows that are being written", "$$\\begin{cases}\n1 & x \\in \\{0\\} \\\\\n2 & \\{"],
    ["a row that may be an item", "\\( a_1 \\\\\n+ b"],
    ["a displayed one", "\\[ \\alpha\n- b"],
    ["without a mark", "\\begin{align*}\na &= b \\\\\n- c"],
    ["on one line", "\\( \\{a\\} "],
  ])("lose nothing without an end: %s", (_, formula) => {
    for (const before of ["", "so ", "- ", "> "]) {
      const written = before === "> " ? formula.replaceAll("\n", "\n> ") : formula;
      for (const after of ["", "\n\nand *more* \\( x_1 \\)", "\n## Next", "\n```\n\\)\n```"]) {
        const [found] = codeIn(`${before}${written}${after}`);
        expect(squeezed(found).trim()).toBe(squeezed(formula).trim());
      }
    }
  });

  it.each([
    ["behind words", "so $$\na \\{ \\\\\n+ b\n$$ holds", "$$\na \\{ \\\\\n+ b\n$$"],
    ["displayed behind words", "so \\[\na \\{\n\\] x", "\\[\na \\{\n\\]"],
    ["with an empty line", "\\( a_1 \\\\\n\n+ b \\) x", "\\( a_1 \\\\\n+ b \\)"],
    [
      "a block with rows without an end",
      "$$\n\\begin{cases}\n1\n$$\nx",
      "$$\n\\begin{cases}\n1\n$$",
    ],
  ])("lose nothing: %s", (_, markdown, formula) => {
    expect(codeIn(markdown)).toEqual([formula]);
  });

  it("have no marks of their quote", () => {
    expect(codeIn("> $$ a \\\\\n> + b $$")).toEqual(["$$ a \\\\\n + b $$"]);
  });

  it.each([
    "costs $5\nand $6",
    "from $5 to $10\n- and 7$",
    "\\[no link\\](x)\n\\[a\n- b",
    "`\\(` and\n\n`\\)`",
    "\\( a\n\n+ b \\)",
    "- \\[ \\] open\n- \\[x] file_name\n- \\(see there",
    "costs $$ and\n- b",
  ])("are none: %j", (markdown) => {
    expect(codeIn(markdown).join("")).not.toMatch(/\n/);
  });

  it("are no part of code", () => {
    expect(codeIn("```\n\\( a\n+ b \\)\n```\n`$a_1`\n`+ b$`")).toEqual([
      "\\( a\n+ b \\)",
      "$a_1",
      "+ b$",
    ]);
  });

  it("are whole, whatever they are", () => {
    const line = fc
      .array(
        fc.constantFrom(
          "a",
          "_1",
          "^2",
          " ",
          "+ ",
          "- ",
          "1. ",
          "> ",
          "# ",
          "\\\\",
          "\\{",
          "\\alpha",
          "&",
          "*",
          "_",
          "|",
          "<",
          "[x]",
          "=",
        ),
        { minLength: 1, maxLength: 8 },
      )
      .map((all) => `x${all.join("")}y`);
    const mark = fc.constantFrom(
      ["$$x", "$$"],
      ["\\[x", "\\]"],
      ["\\(x_1", "\\)"],
      ["\\begin{cases}", "\\end{cases}"],
      ["$$\\begin{aligned}", "\\end{aligned}$$"],
    );
    const indents = fc.constantFrom("", "+ ", "- ", "# ", "> ", "1. ", "    ");
    fc.assert(
      fc.property(
        mark,
        fc.array(fc.tuple(indents, line), { minLength: 1, maxLength: 4 }),
        (ends, lines) => {
          const [open = "", close = ""] = ends;
          const formula = `${open}\n${lines.map(([indent, text]) => indent + text).join("\n")}\n${close}`;
          const root = parseMarkdown(`so ${formula} end`);
          expect(root && flatten(root)).toBe(`so ${formula} end`);
        },
      ),
      { numRuns: 500 },
    );
  });
});
