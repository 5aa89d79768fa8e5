import { expect, test } from "vitest";
import { mask } from "../../src/config/problems.ts";
import { refusal } from "./support.ts";

test("brackets without end, and files without end, are refused before they are parsed", () => {
  // As keys of each other, 300 of them would take the parser a minute.
  for (const yaml of [
    "{".repeat(200_000),
    `a: ${"[[{".repeat(100)}x${"}]]".repeat(100)}`,
    `${"? - ".repeat(300)}x`,
  ])
    expect(refusal({ yaml })).toContain("too many brackets");
  expect(refusal({ yaml: `a: "${"x".repeat(1_000_001)}"` })).toContain(
    "at most 1000000 characters",
  );
});

test("a secret of the environment is repeated nowhere, wherever the file puts it", () => {
  const secret = "sk-planted-in-the-environment";
  const said = refusal({
    environment: { OPENAI_API_KEY: secret },
    yaml: "tiers: { balanced: { models: 'op${OPENAI_API_KEY}enai/gpt' } }\n",
  });
  expect(said).toContain("tiers.balanced.models");
  expect(said).not.toContain(secret);
});

test("what is very long is cut before it is looked through", () => {
  const long = `https://ann:a-password@example.com/ ${"a-".repeat(200_000)}`;
  expect(mask(long).length).toBeLessThan(300);
  expect(mask(long)).not.toContain("a-password");
});
