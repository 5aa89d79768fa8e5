import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createModels } from "../../src/models/create-models.ts";
import { load } from "../config/support.ts";
import { at, namedTest, problemOfTest, read, rowsIn } from "../support/shown-by.ts";
import { card } from "./helpers.ts";

const page = read("docs/models.md");

it("every example of the page is accepted, and makes models", () => {
  const examples = [...page.matchAll(/```yaml\n([^]*?)```/g)];
  expect(examples.length).toBeGreaterThan(2);
  for (const [, yaml = ""] of examples) {
    const environment = { OPENAI_API_KEY: "k", OPENROUTER_API_KEY: "k" };
    const given = yaml.includes("tiers:")
      ? environment
      : { ...environment, OPENAI_MODEL: "gpt-5-mini" };
    const models = createModels(load({ yaml, environment: given }).models);
    expect(models.chain("fast").cards.length).toBeGreaterThan(0);
  }
});

it("every field of a card is on the page", () => {
  for (const field of Object.keys({ ...card, usdPerMillionTokens: 0 }))
    if (field !== "id") expect(page).toContain(`\`${field}\``);
});

describe("the table of quirks", () => {
  const section = page.split("\n## Quirks of providers\n")[1] ?? "";
  const rows = rowsIn(section.split("\n## ")[0]?.split("\n") ?? []);

  it("has a test or a recorded stream for every row", () => {
    expect(rows.length).toBeGreaterThan(30);
    expect(rows.map(problemOf).filter((each) => each !== undefined)).toEqual([]);
  });

  it("finds a row that nothing proves", () => {
    const [row = []] = rows;
    const shownBy = (cell: string) => problemOf([...row.slice(0, 3), cell]);
    const file = "test/models/documentation.test.ts";
    expect(shownBy(`\`${file}\`: finds a row that nothing proves`)).toBe(undefined);
    expect(shownBy(`\`${file}\`: never written`)).toMatch(/no test/);
    expect(shownBy("`test/models/fixtures/chat/none.sse`")).toMatch(/no proof/);
    expect(shownBy("`docs/models.md`")).toMatch(/no proof/);
    expect(problemOf(["OpenAI", "", ...row.slice(2)])).toMatch(/empty/);
  });
});

/** Why a row shows nothing; undefined: its test or its recorded stream exists. */
function problemOf([provider = "", quirk = "", does = "", shown = ""]: readonly string[]):
  string | undefined {
  if ([provider, quirk, does].includes("")) return `"${quirk}" has an empty cell`;
  const named = namedTest(shown);
  if (named !== undefined) return problemOfTest(named);
  // All of these are played by fixtures.test.ts.
  const stream = /^`(test\/models\/fixtures\/[\w-]+\/[\w.-]+)`$/.exec(shown)?.[1];
  return stream !== undefined && existsSync(at(stream))
    ? undefined
    : `"${quirk}": ${shown} is no proof`;
}
