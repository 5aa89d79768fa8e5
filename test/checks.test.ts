import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

/** What a picky user tries; each is at least one test whose title begins with its number. */
const checks = 30;

const root = fileURLToPath(new URL(".", import.meta.url));

/** The numbers in the titles of tests: `it("check 7: …")`, `describe("check 20: …")`, `test.each(…)("check 28: …")`. */
function numbersIn(source: string): number[] {
  const titles =
    /(?:\b(?:it|test|describe)(?:\.\w+)?|\))\(\s*["'`]check (\d+): /g;
  return [...source.matchAll(titles)].map(([, number]) => Number(number));
}

const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter(
  (path) => path.endsWith(".test.ts") && path !== "checks.test.ts",
);

describe("the thirty checks", () => {
  it("are all tests under their numbers", () => {
    expect(files.length).toBeGreaterThan(100);
    const found = new Set(
      files.flatMap((path) =>
        numbersIn(readFileSync(join(root, path), "utf8")),
      ),
    );
    const all = Array.from({ length: checks }, (_, index) => index + 1);
    expect(all.filter((number) => !found.has(number))).toEqual([]);
    expect([...found].filter((number) => !all.includes(number))).toEqual([]);
  });

  it.each([
    ['it("check 7: a tap", () => {});', [7]],
    ["describe(`check 20: talk`, () => {});", [20]],
    ['it.each([1])("check 28: %s", () => {});', [28]],
    ['it.each([\n  1,\n])(\n  "check 2: %s", () => {});', [2]],
    ["// check 3: not yet", []],
    ['it("does not mention check 4: by name", () => {});', []],
  ])("are found in %s", (source, numbers) => {
    expect(numbersIn(source)).toEqual(numbers);
  });
});
