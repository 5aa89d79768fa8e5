import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { personasCheck } from "../../src/doctor/personas.ts";
import { load } from "../config/support.ts";
import { inEnglish } from "./in-english.ts";

const offered = (): Promise<readonly string[]> => Promise.resolve(["calculate"]);

const withFiles = (): Promise<readonly string[]> => Promise.resolve(["calculate", "files.read"]);

async function examine(
  files: Readonly<Record<string, string>>,
  {
    usual,
    tools = offered,
    servers = {},
  }: { usual?: string; tools?: typeof offered; servers?: Record<string, { url: string }> } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "parley-personas-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const check = personasCheck(
    { ...load({ yaml: JSON.stringify({ mcp: { servers } }) }), personas: { folder, usual } },
    tools,
  );
  const found = inEnglish(await check.run(new AbortController().signal));
  return found.map(({ id, status, what }) => `${id} ${status} ${what.replaceAll(folder, "there")}`);
}

it("doctor counts the personas that can be used", async () => {
  expect(await examine({ "chef.md": "You cook." }, { usual: "chef" })).toEqual([
    "personas.files ok 1 persona can be used.",
  ]);
  expect(await examine({})).toEqual([]);
});

it("doctor names those that can't, and a default that isn't there", async () => {
  const files = { "chef.md": "---\ntools: [calculat]\nskills: [bake]\n---\nYou cook." };
  expect(await examine(files, { usual: "chef" })).toEqual([
    'personas.file warning A persona is left out: tools[0] (chef.md) is "calculat": unknown tool; did you mean calculate?',
    'personas.file warning A persona is left out: skills[0] (chef.md) is "bake": no such skill is offered',
    'personas.default broken personas.default names "chef", which is no persona in there.',
  ]);
});

it("doctor checks the tools of servers that have offered some", async () => {
  const files = { "chef.md": "---\ntools: [files.raed, shop.buy]\n---\nYou cook." };
  const url = "http://127.0.0.1:9/mcp";
  expect(
    await examine(files, { tools: withFiles, servers: { files: { url }, shop: { url } } }),
  ).toEqual([
    'personas.file warning A persona is left out: tools[0] (chef.md) is "files.raed": unknown tool; did you mean files.read?',
  ]);
});

it("doctor checks no tools before a worker has offered any", async () => {
  const files = { "chef.md": "---\ntools: [calculat]\n---\nYou cook." };
  expect(await examine(files, { tools: () => Promise.resolve([]) })).toEqual([
    "personas.files ok 1 persona can be used.",
  ]);
});
