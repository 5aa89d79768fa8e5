import { readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { renderSteps } from "../../../src/bots/discord/format/render.ts";
import { inSlices } from "../../../src/bots/markdown/in-slices.ts";
import { sourcesOf, sourceSteps } from "../../../src/bots/markdown/pieces.ts";
import { formatSteps } from "../../../src/bots/telegram/format/format.ts";
import { hostileMarkdown } from "../../support/hostile-markdown.ts";

describe("the cost of parsing", () => {
  it.each(Object.entries(hostileMarkdown))("is limited for each piece: %s", (_name, textOf) => {
    const text = textOf(32_000);
    const sources = sourcesOf(text);
    for (const { source, isCheap } of sources)
      if (isCheap && !source.startsWith("```")) expect(source.length).toBeLessThanOrEqual(16_000);
    // The parts of a long block of code are opened and closed again.
    const all = sources.map(({ source }) => source).join("");
    expect(all.replaceAll("```\n```\n", "")).toBe(text);
  });

  it("leaves an ordinary document in one piece", () => {
    for (const page of ["README.md", "CONTRIBUTING.md", "docs/limits.md"]) {
      const text = readFileSync(page, "utf8").slice(0, 8_000);
      expect(sourcesOf(text)).toEqual([{ source: text, isCheap: true }]);
    }
  });

  it("counts as words what looks like code and is none", () => {
    const words = "*_".repeat(4_000);
    for (const head of ["<!--\n```\n-->\n", "```a`\n", "$$\n~~~\n$$\n", "- a\n  ```\n"]) {
      const found = sourcesOf(head + words).find(({ source }) => source.includes(words));
      // A fence that begins a piece is one.
      const isCode = /^(?:```|~~~)\n/.test(found?.source ?? "");
      expect(isCode || !found?.isCheap).toBe(true);
    }
    expect(sourcesOf(`\`\`\`\n${words}\n`)).toHaveLength(1);
  });
});

describe("rendering a long text", () => {
  it.each([
    ["Telegram", formatSteps],
    ["Discord", renderSteps],
  ] as const)("for %s lets other work run in between", async (_name, steps) => {
    const text = hostileMarkdown["headings"]?.(8_000) ?? "";
    const pieces = sourcesOf(text).length;
    let turns = 0;
    const others = new AbortController();
    const counting = (async () => {
      for (; !others.signal.aborted; turns += 1) await setImmediate();
    })();
    const rendered = await inSlices(steps(text));
    others.abort();
    await counting;
    expect(rendered.length).toBeGreaterThan(1);
    expect(pieces).toBeGreaterThan(5);
    expect(turns).toBeGreaterThan(3);
  });

  it("cuts it in short steps", () => {
    for (const textOf of Object.values(hostileMarkdown)) {
      const text = textOf(20_000);
      const lines = text.split(/[\r\n]/).length;
      // Until the last step everything is undefined.
      const steps = [...sourceSteps(text)].length;
      expect(steps).toBeGreaterThanOrEqual(Math.floor(lines / 256));
    }
  });
});
