import { mkdtempSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Offered } from "../../src/config/persona-file.ts";
import { startPersonaFiles } from "../../src/roles/persona-files.ts";
import { createPersonaStore } from "../../src/store/personas/personas.ts";
import { load } from "../config/support.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const redis = await testDatabase();
const store = storeOn(redis);
const personas = createPersonaStore(store);
beforeEach(() => store.redis.flushdb());

const offered = () => ({ tools: ["calculate"], skills: ["pdf"], models: [], servers: [] });

function openFolder(usual?: string) {
  const folder = mkdtempSync(join(tmpdir(), "parley-personas-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const settings = { ...load(), personas: { folder, usual } };
  return {
    lines,
    path: (name: string) => join(folder, name),
    write: (name: string, text: string) => writeFileSync(join(folder, name), text),
    remove: (name: string) => unlinkSync(join(folder, name)),
    start: (known: () => Offered = offered) =>
      startPersonaFiles({ settings, log, store: personas }, known),
    prompts: async () =>
      (await personas.list("file")).map(({ persona: { name, prompt } }) => `${name}: ${prompt}`),
  };
}

describe("the operator's personas", () => {
  it("are published at the start, and without a restart when they change", async () => {
    const folder = openFolder("chef");
    folder.write("chef.md", "You cook.");
    folder.write("spy.md", "You spy.");
    using _ = await folder.start();
    expect(await folder.prompts()).toEqual(["chef: You cook.", "spy: You spy."]);
    folder.write("chef.md", "You cook and bake.");
    folder.remove("spy.md");
    const changed = ["chef: You cook and bake."];
    await vi.waitFor(async () => expect(await folder.prompts()).toEqual(changed), 15_000);
    const [first] = await personas.history({ owner: "file", name: "chef" });
    expect(first?.number).toBe(2);
    // Half an edit takes nothing away.
    folder.write("chef.md", "---\ntools: [calc");
    await vi.waitFor(
      () => expect(folder.lines.join("\n")).toContain("a persona is left out"),
      15_000,
    );
    expect(await folder.prompts()).toEqual(changed);
  });

  it("that name a skill which isn't there are left out until it is", async () => {
    const folder = openFolder();
    folder.write("chef.md", "---\nskills: [bake]\n---\nYou cook.");
    let skills = ["pdf"];
    using _ = await folder.start(() => ({ ...offered(), skills }));
    expect(folder.lines.join("\n")).toContain(
      'skills[0] (chef.md) is \\"bake\\": no such skill is offered',
    );
    expect(await folder.prompts()).toEqual([]);
    skills = ["bake", "pdf"];
    await vi.waitFor(
      async () => expect(await folder.prompts()).toEqual(["chef: You cook."]),
      15_000,
    );
  });

  it("that name a tool of a server are checked as soon as the server has said what it has", async () => {
    const folder = openFolder();
    folder.write("chef.md", "---\ntools: [shop.buy]\n---\nYou cook.");
    folder.write("spy.md", "---\ntools: [shop.find]\n---\nYou spy.");
    let known: Offered = { ...offered(), servers: ["shop"] };
    using _ = await folder.start(() => known);
    const both = ["chef: You cook.", "spy: You spy."];
    const log = () => folder.lines.join("\n").replaceAll("\\", "");
    expect(await folder.prompts()).toEqual(both);
    expect(log()).toContain(
      "a persona's tool \"shop.buy\" of chef.md isn't checked: the MCP server shop isn't connected yet",
    );
    expect(log()).not.toContain("left out");
    known = { ...offered(), tools: ["calculate", "shop.find"] };
    const problem = 'a persona is left out: tools[0] (chef.md) is "shop.buy": ';
    await vi.waitFor(() => expect(log()).toContain(problem), 15_000);
    // It keeps its last content until the next start, and has the tool no more than before.
    expect(await folder.prompts()).toEqual(both);
    const again = await folder.start(() => known);
    again[Symbol.dispose]();
    expect(await folder.prompts()).toEqual(["spy: You spy."]);
  });

  it("that can't be used are named, with the field and the value", async () => {
    const folder = openFolder();
    folder.write("chef.md", "---\ntools: [calculator]\n---\nYou cook.");
    folder.write("spy.md", "You spy.");
    using _ = await folder.start();
    expect(await folder.prompts()).toEqual(["spy: You spy."]);
    expect(folder.lines.join("\n")).toContain(
      String.raw`tools[0] (chef.md) is \"calculator\": unknown tool; did you mean calculate?`,
    );
  });

  it("are not taken for none where their folder can't be read", async () => {
    const folder = openFolder();
    folder.write("chef.md", "You cook.");
    const settings = { ...load(), personas: { folder: folder.path("chef.md"), usual: undefined } };
    await expect(
      startPersonaFiles({ settings, log: pino({ level: "silent" }), store: personas }, offered),
    ).rejects.toThrow(/personas\.folder: .*chef\.md can't be read \(ENOTDIR\)/);
  });

  it("refuse a start whose default is none of them", async () => {
    const folder = openFolder("chef");
    folder.write("chef.md", "---\ntier: huge\n---\nYou cook.");
    await expect(folder.start()).rejects.toThrow(
      /personas\.default names "chef"[^]*tier \(chef\.md\) is "huge"/,
    );
  });
});
