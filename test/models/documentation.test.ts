import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { createModels } from "../../src/models/create-models.ts";
import { load } from "../config/support.ts";
import { card } from "./helpers.ts";

const page = readFileSync(
  new URL("../../docs/models.md", import.meta.url),
  "utf8",
);

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
