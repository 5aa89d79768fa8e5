import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { CompactionEntry } from "../../../src/core/history.ts";
import type { Persona } from "../../../src/core/persona.ts";
import type { Tool } from "../../../src/core/tool.ts";
import type { LoopDeps } from "../../../src/loop/deps.ts";
import { narrowingOf } from "../../../src/loop/narrowing.ts";
import type { ToolPolicy } from "../../../src/loop/tools/prepare-call.ts";
import { withChatSkills } from "../../../src/loop/tools/chat-skills.ts";
import { offeredTools } from "../../../src/loop/tools/offered-tools.ts";
import { createToolbox, maxCharacters, maxFound } from "../../../src/loop/tools/toolbox.ts";
import { foundTools } from "../../../src/loop/view/found-tools.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { ScriptedModel } from "../../emulators/model/scripted-model.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { modelsOf, openaiKey } from "../model/two-providers.ts";
import { asDeclared, defaultContext, openScene, type Scene } from "../scene.ts";

const redis = await testDatabase();

const runs: string[] = [];
const serverTool = (name: string, description: string): Tool =>
  defineTool({
    name,
    description,
    parameters: z.strictObject({ label: z.string().default("") }),
    effect: "once",
    confirm: "never",
    history: "action",
    run: ({ label }) => {
      runs.push(`${name} ${label}`);
      return Promise.resolve({ text: `${name} done` });
    },
  });
const builtIn = (name: string): Tool => ({
  ...serverTool(name, `The tool ${name}.`),
  effect: "read",
});
const core = ["look", "calculate"].map(builtIn);
const special = [
  serverTool("zoo.feed_lion", "Feeds the lion."),
  serverTool("zoo.feed_zebra", "Feeds the zebra."),
  serverTool("zoo.wash_zebra", "Washes the zebra."),
  serverTool("bank.pay", "Pays an invoice."),
];
const fillers = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    serverTool(`filler${index % 10}.number_${index}`, `Does thing ${index}. ${"so ".repeat(50)}`),
  );
/** 1,000 tools of servers, and two built-in ones. */
const many = [...core, ...fillers(996), ...special];

/** Searches for what a message says after "find", calls what it says after "call", else answers. */
const script = () =>
  new ScriptedModel({
    fallback: ({ messages, lastUserText, mayCallTools }) => {
      const isFirst = messages.at(-1)?.role !== "tool";
      const [, words] = /\bfind (.+)$/.exec(lastUserText) ?? [];
      const [, name] = /\bcall (\S+)$/.exec(lastUserText) ?? [];
      if (isFirst && mayCallTools && words !== undefined)
        return { toolCalls: [{ name: "find_tools", arguments: { words } }] };
      if (isFirst && mayCallTools && name !== undefined)
        return { toolCalls: [{ name, arguments: { label: "now" } }] };
      return { text: "done" };
    },
  });

const open = (toolbox = createToolbox(many), toolPolicy: ToolPolicy = asDeclared) =>
  openScene({ redis, script: script(), deps: { toolbox, toolPolicy } });

async function ask(scene: Scene, text: string): Promise<void> {
  await scene.say(text);
  await scene.settle();
}

const offered = (scene: Scene): readonly string[] => scene.model.requests.at(-1)?.toolNames ?? [];
const results = async (scene: Scene): Promise<string[]> =>
  (await scene.log()).flatMap((entry) => (entry.kind === "tool" ? [entry.text] : []));

const always = ["look", "calculate", "find_tools"];
const zebras = ["zoo_feed_zebra", "zoo_wash_zebra"];

describe("a request where there are 1,000 tools", () => {
  it("carries the built-in ones, and find_tools with the names of the servers", async () => {
    await using scene = await open();
    await ask(scene, "hello");
    expect(offered(scene)).toEqual(always);
    const tools = JSON.stringify(scene.model.requests.at(-1)?.body["tools"]);
    expect(tools).toContain("There are tools of: filler0, filler1");
    expect(tools).toContain("zoo, bank.");
    await scene.expectAtRest();
  });

  it("carries a tool for skills once, though a server's tool has its name", () => {
    const skill = { name: "pdf", description: "", body: "", files: new Map() };
    const toolbox = createToolbox([...many, serverTool("activate.skill", "Another.")]);
    const deps = { skills: () => [skill], toolbox } as unknown as LoopDeps;
    const narrowing = narrowingOf({ name: "p", prompt: "p", tools: ["activate_skill"] } as Persona);
    const offered = offeredTools(
      { toolbox: withChatSkills(deps, {}).toolbox, narrowing },
      { transcript: [], viewStart: 0 },
    );
    expect(offered.filter(({ name }) => name === "activate_skill")).toHaveLength(1);
  });

  it("has what was found behind them, from the next step on, in every later turn", async () => {
    await using scene = await open();
    await ask(scene, "find zebra");
    const [first, second] = scene.model.requests;
    expect(first?.toolNames).toEqual(always);
    expect(second?.toolNames).toEqual([...always, ...zebras]);
    expect((await results(scene))[0]).toBe(
      "Found. From your next step on you can call:\n- zoo_feed_zebra: Feeds the zebra.\n- zoo_wash_zebra: Washes the zebra.",
    );
    await ask(scene, "find lion");
    await ask(scene, "call zoo_wash_zebra");
    // In the order in which they were found, however they are used.
    expect(offered(scene)).toEqual([...always, ...zebras, "zoo_feed_lion"]);
    expect(runs.at(-1)).toBe("zoo.wash_zebra now");
    await scene.expectAtRest();
  });

  it("says when nothing was found, and of which servers there are tools", async () => {
    await using scene = await open();
    await ask(scene, "find qwertz");
    expect((await results(scene))[0]).toMatch(/^No tool fits these words\. .*zoo, bank\.$/);
    expect(offered(scene)).toEqual(always);
  });

  it("loses what was found with /undo and with /new", async () => {
    await using scene = await open();
    await ask(scene, "find zebra");
    await scene.control("undo");
    await scene.settle();
    await ask(scene, "hello");
    expect(offered(scene)).toEqual(always);
    await ask(scene, "find lion");
    expect(offered(scene)).toEqual([...always, "zoo_feed_lion"]);
    await scene.reset();
    await ask(scene, "hello");
    expect(offered(scene)).toEqual(always);
  });
});

describe("a call of a tool that was not offered", () => {
  it("runs as any other, and the tool is offered from then on", async () => {
    await using scene = await open();
    await ask(scene, "call zoo_feed_lion");
    expect(runs.at(-1)).toBe("zoo.feed_lion now");
    expect(offered(scene)).toEqual([...always, "zoo_feed_lion"]);
  });

  it("is refused in one line where there is no such tool", async () => {
    await using scene = await open();
    await ask(scene, "call zoo_feed_unicorn");
    expect((await results(scene))[0]).toBe(
      'unknown-tool: there is no tool "zoo_feed_unicorn". find_tools finds those that there are.',
    );
  });
});

describe("rules and approvals", () => {
  it("match the real name of a found tool", async () => {
    await using scene = await open(createToolbox(many), (tool, declared, call) =>
      tool === "bank.pay"
        ? { type: "confirm", approvers: "admins" }
        : asDeclared(tool, declared, call),
    );
    await ask(scene, "find invoice");
    await ask(scene, "call bank_pay");
    expect(
      (await scene.asked()).map(({ approval }) => [approval.tool, approval.approvers]),
    ).toEqual([["bank.pay", "admins"]]);
    expect(runs).not.toContain("bank.pay now");
    await scene.decide(0, "approved");
    await scene.settle();
    expect(runs).toContain("bank.pay now");
    await scene.expectAtRest();
  });

  it("hide what they deny, also where it was called", async () => {
    const toolbox = createToolbox(many, ({ name }) => name !== "zoo.feed_zebra");
    await using scene = await open(toolbox, (tool, declared, call) =>
      tool === "zoo.feed_zebra" ? { type: "deny" } : asDeclared(tool, declared, call),
    );
    await ask(scene, "find zebra");
    await ask(scene, "call zoo_feed_zebra");
    expect((await results(scene))[0]).not.toContain("feed_zebra");
    expect((await results(scene))[1]).toMatch(/^policy-denied/);
    expect(offered(scene)).toEqual([...always, "zoo_wash_zebra"]);
  });

  it("switch the search off by denying find_tools", () => {
    const few = [...core, ...fillers(110)];
    expect(createToolbox(few).search).toBeDefined();
    const toolbox = createToolbox(
      few,
      ({ name }) => !["find_tools", "filler0.number_0"].includes(name),
    );
    expect(toolbox.search).toBeUndefined();
    expect(toolbox.find("find_tools")).toBeUndefined();
    // What is denied is left out of the request, but is known.
    expect(toolbox.specs).toHaveLength(few.length - 1);
    expect(toolbox.find("filler0_number_0")).toBeDefined();
  });
});

const persona = (tools: string[]): Persona => ({
  name: "mine",
  prompt: "You are mine.",
  description: "",
  starters: [],
  memory: "on",
  maxModelCalls: 15,
  tools,
});
const offeredIn = (tools: string[]) => {
  const toolbox = createToolbox(many);
  const narrowing = narrowingOf(persona(tools));
  return offeredTools({ toolbox, narrowing }, { transcript: [], viewStart: 0 });
};

describe("a persona", () => {
  it("is offered its own tools at once where these are few", () => {
    expect(offeredIn(["zoo.*", "look"]).map(({ name }) => name)).toEqual([
      "look",
      "zoo_feed_lion",
      ...zebras,
    ]);
  });

  it("finds only its own, and hears of no other server", async () => {
    const [, finder] = offeredIn(["filler*", "look"]);
    expect(finder?.name).toBe("find_tools");
    expect(finder?.description).toContain("filler9.");
    expect(finder?.description).not.toContain("zoo");
    const { allowsTool } = narrowingOf(persona(["filler*"]));
    expect(allowsTool("find_tools")).toBe(true);
    const tool = createToolbox(many).find("find_tools");
    const found = await tool?.run(
      { words: "zebra" },
      {
        chat: "telegram:bot:1" as never,
        requester: { id: "telegram:1", name: "Ann" },
        idempotencyKey: "1",
        signal: new AbortController().signal,
        mayUse: allowsTool,
      },
    );
    expect(found?.text).toMatch(/^No tool fits/);
    expect(found?.text).not.toContain("zoo");
  });
});

const huge = (index: number) => serverTool(`a.b${index}`, "x".repeat(maxCharacters / 4));
const tiny = (index: number) => serverTool(`a.b${index}`, "x");
const isSearched = (count: number, make: (index: number) => Tool): boolean =>
  createToolbox(Array.from({ length: count }, (_, index) => make(index))).search !== undefined;

describe("few tools", () => {
  it("are all offered, without find_tools", async () => {
    await using scene = await open(createToolbox([...core, ...special]));
    await ask(scene, "hello");
    expect(offered(scene)).toEqual(["look", "calculate", "zoo_feed_lion", ...zebras, "bank_pay"]);
    await ask(scene, "call find_tools");
    expect((await results(scene))[0]).toMatch(/^unknown-tool/);
  });

  it("become too many by their size, or their number", () => {
    expect(isSearched(3, huge)).toBe(false);
    expect(isSearched(4, huge)).toBe(true);
    expect(isSearched(100, tiny)).toBe(false);
    expect(isSearched(101, tiny)).toBe(true);
  });
});

const called = (...names: string[]) => ({
  kind: "assistant" as const,
  v: 1 as const,
  turn: 1,
  round: 1,
  model: "openai/gpt",
  text: "",
  calls: names.map((name, index) => ({ index, id: `${index}`, name, arguments: "{}" })),
  atMs: 0,
});

const offeredAfter = (transcript: readonly ReturnType<typeof called>[], tools = many) =>
  offeredTools(
    { toolbox: createToolbox(tools), narrowing: undefined },
    { transcript: transcript as never, viewStart: 0 },
  ).map(({ name }) => name);

describe("too many found tools", () => {
  it("lose those that were used least recently", () => {
    const names = Array.from({ length: maxFound + 1 }, (_, n) => `filler${n % 10}_number_${n}`);
    const [first = "", second = "", ...rest] = names;
    expect(offeredAfter([called(...names)])).toEqual([...always, second, ...rest]);
    // Used again, it keeps its place.
    expect(offeredAfter([called(...names), called(first)])).toEqual([...always, first, ...rest]);
  });

  it("take no more room than all tools may", () => {
    const big = ["a", "b", "c", "d"].map((name) =>
      serverTool(`big.${name}`, "x".repeat(maxCharacters / 3)),
    );
    expect(offeredAfter([called("big_a", "big_b", "big_c", "big_d")], [...core, ...big])).toEqual([
      ...always,
      "big_c",
      "big_d",
    ]);
    const whole = serverTool("big.whole", "x".repeat(maxCharacters));
    expect(offeredAfter([called("big_a", "big_whole")], [...core, ...big, whole])).toEqual([
      ...always,
      "big_whole",
    ]);
  });

  it("are no more than OpenAI takes, together with all others", () => {
    const tiny = Array.from({ length: 300 }, (_, index) => serverTool(`a.b${index}`, "x"));
    const names = tiny.map((_, index) => `a_b${index}`);
    expect(offeredAfter([called(...names)], [...core, ...tiny]).length).toBeLessThanOrEqual(128);
  });
});

describe("a compaction", () => {
  it.each(["summarise", "truncate", "agent"] as const)(
    "keeps what was found, however often it comes: %s",
    async (strategy) => {
      await using scene = await open();
      scene.with({
        context: { ...defaultContext, protectPairs: 1, strategy },
        models: modelsOf(
          { openai: scene.parts.server },
          { overrides: { [openaiKey]: { card: { contextWindow: 5_000 } } } },
        ),
      });
      await ask(scene, "find zebra");
      for (let turn = 1; turn <= 30; turn += 1)
        await ask(scene, `turn ${turn} ${"word ".repeat(200)}`);
      const log = await scene.log();
      expect(log.filter(({ kind }) => kind === "compaction").length).toBeGreaterThan(1);
      // From now on the one that was used last is the last.
      expect(offered(scene)).toEqual([...always, ...zebras.toReversed()]);
      const { kept } = log.findLast(({ kind }) => kind === "compaction") as CompactionEntry;
      expect(kept).toContain("Result of find_tools, by name:\nzoo_wash_zebra zoo_feed_zebra");
      // The tools themselves are in the request.
      expect(JSON.stringify(scene.model.requests.at(-1)?.messages)).not.toContain(", by name:");
      await scene.reset();
      await ask(scene, "hello");
      expect(offered(scene)).toEqual(always);
      await scene.expectAtRest();
    },
  );
});

const result = (name: string, text: string, more = {}) => ({
  kind: "tool" as const,
  v: 1 as const,
  turn: 1,
  round: 1,
  index: 0,
  name,
  text,
  ...more,
});
const found = (...entries: readonly object[]) => [
  ...foundTools([called("look"), ...entries] as never, 0).keys(),
];

describe("foundTools", () => {
  it("reads only what find_tools has said", () => {
    const text = "Found. From your next step on you can call:\n- a_b: x";
    expect(found(result("find_tools", text))).toEqual(["look", "a_b"]);
    expect(found(result("other", text))).toEqual(["look"]);
    expect(found(result("find_tools", text, { failure: "tool-error" }))).toEqual(["look"]);
    expect(found(result("find_tools", "No tool fits\n- a_b: x"))).toEqual(["look"]);
  });
});
