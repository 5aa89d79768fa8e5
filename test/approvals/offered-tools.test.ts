import { expect, it } from "vitest";
import { z } from "zod";
import { offeredTools } from "../../src/approvals/offered-tools.ts";
import { possibleVerdicts, type ToolRule } from "../../src/approvals/tool-policy.ts";
import { createOfferedTools } from "../../src/store/approvals/offered-tools.ts";
import { defineTool } from "../../src/tools/define-tool.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const redis = await testDatabase();

const tool = (
  name: string,
  confirm: "never" | "always" | (() => boolean),
  description = "Does it. Then more.",
) =>
  defineTool({
    name,
    description,
    parameters: z.strictObject({}),
    effect: "read",
    history: "keep",
    confirm,
    run: () => Promise.resolve({ text: "" }),
  });

const rule = (match: string, confirm: "never" | "always"): ToolRule => ({
  match,
  verdict: "allow",
  confirm,
  approvers: undefined,
});

it("says of each tool whether it asks, as its rules and it itself have it", () => {
  const rules: readonly ToolRule[] = [
    { match: "evil.*", verdict: "deny" },
    rule("calm.*", "never"),
    rule("strict.*", "always"),
  ];
  const tools = ["own", "evil", "calm", "strict"].flatMap((server) => [
    tool(`${server}.free`, "never"),
    tool(`${server}.asks`, "always"),
    tool(`${server}.depends`, () => true),
  ]);
  const policy = possibleVerdicts(rules);
  expect(offeredTools(tools, policy).map(({ name, asks }) => `${name} ${asks}`)).toEqual([
    "calm.asks never",
    "calm.depends never",
    "calm.free never",
    "own.asks always",
    "own.depends sometimes",
    "own.free never",
    "strict.asks always",
    "strict.depends always",
    "strict.free always",
  ]);
});

it.each([
  ["Does it. Then more.", "Does it"],
  ["  Reads\n a page, e.g. this one. Slowly.", "Reads a page, e.g. this one"],
  ["no end", "no end"],
  ["", ""],
  ["x".repeat(500), "x".repeat(200)],
])("of %j people read %j", (given, shown) => {
  const policy = possibleVerdicts([]);
  const [offered] = offeredTools([tool("one", "never", given)], policy);
  expect(offered?.description).toBe(shown);
});

it("what a worker has said is read by those who run no tools", async () => {
  const offered = createOfferedTools(storeOn(redis));
  expect(await offered.read()).toEqual([]);
  const tools = offeredTools([tool("one", "always")], possibleVerdicts([]));
  await offered.write(tools);
  expect(await offered.read()).toEqual(tools);
});

it.each([
  ["never", "docs/*", "never", "never"],
  ["never", "docs/*", "always", "sometimes"],
  ["always", "docs/*", "never", "sometimes"],
] as const)(
  "of a tool that asks %s, a rule for %s that asks %s makes one that asks %s",
  (own, path, confirm, asks) => {
    const verdicts = possibleVerdicts([
      { ...rule("one", confirm), arguments: { path } } as ToolRule,
    ]);
    expect(offeredTools([tool("one", own)], verdicts)).toMatchObject([{ asks }]);
  },
);
