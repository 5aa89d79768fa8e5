import { expect, test } from "vitest";
import { mask } from "../../src/config/problems.ts";
import { refusal } from "./support.ts";

test("brackets without end, and files without end, are refused before they are parsed", () => {
  expect(refusal({ yaml: "{".repeat(200_000) })).toContain("too many brackets");
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
