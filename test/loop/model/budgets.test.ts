import { describe, expect, it } from "vitest";
import type { Budget, Limit, Took } from "../../../src/core/limits.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { MemoryBudget } from "../compaction/memory-budget.ts";
import { calls, counted, defaultPolicy, openScene, until } from "../scene.ts";
import { modelsOf, openTwo, type Catalogue } from "./two-providers.ts";

const redis = await testDatabase();

/** US dollars for a million tokens. */
const price = { input: 1, output: 2 };
const cheapKey = "openai/gpt-4o-mini";
const dearKey = "openai/gpt-4o";
const priced = (times: number) => ({
  card: {
    usdPerMillionTokens: {
      input: price.input * times,
      output: price.output * times,
    },
  },
});
const oneModel: Catalogue = {
  tiers: { balanced: [cheapKey] },
  overrides: { [cheapKey]: priced(1) },
};
const cost = (max: number): Limit => ({ metric: "cost", per: "day", max });
const tokens = (max: number): Limit => ({ metric: "tokens", per: "day", max });
const usage = (inputTokens: number, outputTokens: number) => ({
  usage: { inputTokens, outputTokens },
});
const usd = (inputTokens: number, outputTokens: number): number =>
  (inputTokens * price.input + outputTokens * price.output) / 1_000_000;

/** What is reserved for a request of so many tokens. */
const withMargin = (tokens = 0): number => Math.ceil(tokens * 1.25);

async function open(
  limits: readonly Limit[],
  catalogue: Catalogue = oneModel,
  deps: NonNullable<Parameters<typeof openScene>[0]["deps"]> = {},
) {
  const budget = new MemoryBudget(limits);
  const two = await openTwo({ redis, catalogue, deps: { budget, ...deps } });
  return { ...two, budget };
}

const broken = (): never => {
  throw new Error("broken");
};
const dead = (): Promise<never> => Promise.reject(new Error("dead"));

const outputCap = (body: Readonly<Record<string, unknown>>): unknown =>
  body["max_completion_tokens"] ?? body["max_tokens"];

const tookOnce = (inputTokens: number, outputTokens: number) =>
  expect.objectContaining({ requests: 1, inputTokens, outputTokens });

describe("without a limit on tokens or cost", () => {
  it("nothing is reserved or capped, no write is added to the turn's own, and what a call took is counted", async () => {
    await using two = await open([]);
    const { scene, budget, openai } = two;
    openai.reply({ text: "Hello.", ...usage(300, 20) });
    const { store, counts } = counted(scene.deps.store);
    await scene.say("hi");
    await scene.settle({ store });
    expect(await scene.said()).toEqual(["Hello."]);
    expect(counts).toEqual({ begin: 1, commit: 1, release: 0 });
    expect(budget.asked).toEqual([`settle ${scene.chat}/1.1`]);
    expect(budget.used).toEqual({ tokens: 320, costUsd: usd(300, 20) });
    expect(outputCap(openai.requests[0]?.body ?? {})).toBeUndefined();
    await two.expectAtRest();
  });

  it("each call is settled with what each model took, the first of a turn as such", async () => {
    await using two = await open([]);
    const { scene, budget, openai } = two;
    const took: Took[] = [];
    const settle = async (...[spender, id, each]: Parameters<Budget["settle"]>) => {
      took.push(each);
      await budget.settle(spender, id, each);
    };
    openai.reply({ ...calls("missing"), ...usage(300, 20) });
    openai.reply({ text: "Hello.", ...usage(400, 10) });
    await scene.say("hi");
    await scene.settle({ budget: budget.but({ settle }) });
    expect(took.map(({ models, isFirst }) => [Object.values(models ?? {}), isFirst])).toEqual([
      [[tookOnce(300, 20)], true],
      [[tookOnce(400, 10)], false],
    ]);
    expect(Object.keys(took[0]?.models ?? {})).toEqual([expect.stringContaining("/")]);
    await two.expectAtRest();
  });

  it("the last commit is written while the call is still being settled", async () => {
    await using two = await open([]);
    const { scene, budget } = two;
    const settled = Promise.withResolvers<void>();
    await scene.say("hi");
    const ended = scene.run(undefined, {
      budget: budget.but({ settle: () => settled.promise }),
    });
    await until(async () => (await scene.said()).length === 1, "the answer");
    settled.resolve();
    await ended;
    await two.expectAtRest();
  });

  it("a budget that cannot be written to ends no turn", async () => {
    await using two = await open([]);
    const { scene, budget } = two;
    await scene.say("hi");
    await scene.settle({
      budget: budget.but({
        refresh: () => Promise.reject(new Error("away")),
        settle: () => Promise.reject(new Error("away")),
      }),
    });
    expect(await scene.said()).toEqual(["You said: hi"]);
    expect(scene.logged("warn")).toContain("could not settle");
    await two.expectAtRest();
  });
});

describe("before a model call", () => {
  it("the most that it can take is reserved, its output capped; afterwards what it took is counted instead", async () => {
    await using two = await open([cost(1)]);
    const { scene, budget, openai } = two;
    const gate = openai.hold(/hi/, { at: "headers" });
    openai.reply({ text: "Hello.", ...usage(300, 20) });
    await scene.say("hi");
    const ended = scene.settle();
    await gate.waitUntilHeld();
    const [atMost] = budget.reserved.values();
    const cap = outputCap(openai.requests[0]?.body ?? {});
    expect(cap).toBe(4_096);
    expect(atMost?.outputTokens).toBe(cap);
    expect(atMost?.inputTokens).toBeGreaterThan(10);
    expect(budget.used.costUsd).toBeCloseTo(usd(atMost?.inputTokens ?? 0, 4_096), 9);
    gate.release();
    await ended;
    expect(budget.used).toEqual({ tokens: 320, costUsd: usd(300, 20) });
    await two.expectAtRest();
  });

  it("each round's call is reserved by itself", async () => {
    await using two = await open([cost(1)]);
    const { scene, budget, openai } = two;
    openai.reply({ ...calls("look"), ...usage(300, 20) }, { text: "Seen.", ...usage(400, 30) });
    await scene.say("look");
    await scene.settle();
    const id = (call: number) => `${scene.chat}/1.${call}`;
    expect(budget.asked).toEqual([
      `reserve ${id(1)}`,
      `settle ${id(1)}`,
      `reserve ${id(2)}`,
      `settle ${id(2)}`,
    ]);
    expect(budget.used.costUsd).toBeCloseTo(usd(700, 50), 9);
    await two.expectAtRest();
  });

  it("the tier's own cap is what is reserved, and the dearest model of its chain", async () => {
    await using two = await open([cost(1)], {
      tiers: { balanced: [cheapKey, dearKey] },
      overrides: {
        [cheapKey]: { ...priced(1), options: { maxOutputTokens: 100 } },
        [dearKey]: { ...priced(10), options: { maxOutputTokens: 200 } },
      },
    });
    const { scene, budget, openai } = two;
    const gate = openai.hold(/hi/, { at: "headers" });
    await scene.say("hi");
    const ended = scene.settle();
    await gate.waitUntilHeld();
    const [atMost] = budget.reserved.values();
    expect(outputCap(openai.requests[0]?.body ?? {})).toBe(100);
    expect(atMost?.outputTokens).toBe(200);
    expect(atMost?.costUsd).toBeCloseTo(10 * usd(atMost?.inputTokens ?? 0, 200), 9);
    gate.release();
    await ended;
    await two.expectAtRest();
  });

  it("what has no room left is not asked: the turn ends with one message that names limit, usage and reset", async () => {
    await using two = await open([cost(0.001)]);
    const { scene, budget, openai } = two;
    await scene.say("hi");
    await scene.settle();
    const said = await scene.said();
    expect(said).toHaveLength(1);
    expect(said[0]).toMatch(/^The limit of \$0\.001 a day.*resets/s);
    expect(await scene.story()).toEqual(["message hi", "end max-cost"]);
    expect(openai.received).toBe(0);
    expect(budget.used).toEqual({ tokens: 0, costUsd: 0 });
    await two.expectAtRest();
  });

  it("a limit on tokens ends it as one on tokens, in the person's language", async () => {
    await using two = await open([tokens(50)]);
    const { scene, openai } = two;
    await scene.say("hi", {
      person: { id: "telegram:1", name: "Ann", language: "de" },
    });
    await scene.settle();
    expect((await scene.said())[0]).toMatch(/Limit/);
    expect(await scene.story()).toEqual(["message hi", "end max-tokens"]);
    expect(openai.received).toBe(0);
    await two.expectAtRest();
  });

  it("a turn that has run tools already ends the same way, with every call answered", async () => {
    await using two = await open([cost(usd(1_000, 4_096))]);
    const { scene, openai } = two;
    openai.reply({ ...calls("look"), ...usage(200, 2_000) });
    await scene.say("look");
    await scene.settle();
    expect(await scene.story()).toEqual([
      "message look",
      "assistant [look]",
      "tool look done",
      "end max-cost",
    ]);
    expect(await scene.said()).toHaveLength(1);
    expect(openai.received).toBe(1);
    await two.expectAtRest();
  });

  it("a last call is not made either where nothing is left for it", async () => {
    await using two = await open([cost(usd(1_000, 4_096))], oneModel, {
      policy: { ...defaultPolicy, maxModelCalls: 2 },
    });
    const { scene, openai } = two;
    openai.reply({ ...calls("look"), ...usage(200, 2_000) });
    await scene.say("look");
    await scene.settle();
    expect((await scene.said())[0]).toContain("resets");
    expect(openai.received).toBe(1);
    await two.expectAtRest();
  });

  it("a step of /auto that has no room ends it", async () => {
    await using two = await open([cost(usd(1_000, 4_096))]);
    const { scene, openai } = two;
    openai.reply({ text: "One.", ...usage(400, 2_000) });
    await scene.auto("Count.", 3);
    await scene.settle();
    const [first, second] = await scene.said();
    expect(first).toBe("One.");
    expect(second).toContain("resets");
    expect(openai.received).toBe(1);
    expect(await scene.notices()).toHaveLength(1);
    await two.expectAtRest();
  });
});

describe("what a call took", () => {
  it("is counted of every attempt that says so, failed ones included", async () => {
    await using two = await open([cost(1)], {
      tiers: { balanced: [cheapKey, "local/qwen3"] },
      overrides: { [cheapKey]: priced(1), "local/qwen3": priced(10) },
    });
    const { scene, budget, openai, local } = two;
    openai.reply({ failure: { status: 401 } });
    local.reply({ text: "Hello.", ...usage(900, 30) });
    await scene.say("hi");
    await scene.settle();
    expect(budget.used.costUsd).toBeCloseTo(10 * usd(900, 30), 9);
    expect(budget.reserved.size).toBe(0);
    await two.expectAtRest();
  });

  it("is nothing where the model could not be had", async () => {
    await using two = await open([cost(1)]);
    const { scene, budget, openai } = two;
    openai.when(/hi/, { failure: { status: 401 } });
    await scene.say("hi");
    await scene.settle();
    expect(budget.used).toEqual({ tokens: 0, costUsd: 0 });
    expect(budget.reserved.size).toBe(0);
    await two.expectAtRest();
  });

  it("is counted of a stream that broke, and of the call that follows it, each under its own name", async () => {
    await using two = await open([cost(1)]);
    const { scene, budget, openai } = two;
    openai.reply(
      { text: "one two three four", failure: "cut", failAfterChunks: 2 },
      { text: "Hello.", ...usage(300, 20) },
    );
    await scene.say("hi");
    await scene.settle();
    expect([...budget.settled.keys()]).toEqual([`${scene.chat}/1.1`, `${scene.chat}/1.2`]);
    const [broken] = budget.settled.values();
    expect(broken?.inputTokens).toBeGreaterThan(0);
    expect(budget.reserved.size).toBe(0);
    await two.expectAtRest();
  });

  it("is its request, where it is stopped before its first word", async () => {
    await using two = await open([cost(1)]);
    const { scene, budget, openai } = two;
    const gate = openai.hold(/hi/, { at: "headers" });
    await scene.say("hi");
    const ended = scene.settle();
    await gate.waitUntilHeld();
    const [atMost] = budget.reserved.values();
    await scene.stop();
    await ended;
    gate.release();
    const [took] = budget.settled.values();
    expect(took?.inputTokens).toBeGreaterThan(10);
    expect(withMargin(took?.inputTokens)).toBe(atMost?.inputTokens);
    expect(took?.outputTokens).toBe(0);
    expect(budget.reserved.size).toBe(0);
    await two.expectAtRest();
  });
});

describe("a worker that dies over a model call", () => {
  it("leaves its request charged once someone goes on, and what it says later changes nothing", async () => {
    await using scene = await openScene({ redis, leaseMs: 50 });
    const budget = new MemoryBudget([cost(1)]);
    const models = modelsOf({ openai: scene.parts.server }, oneModel);
    scene.with({ budget, models });
    scene.model.reply(
      { text: "Nobody reads this.", ...usage(300, 2_000) },
      { text: "Hello.", ...usage(300, 20) },
    );
    await scene.say("hi");
    const { store } = scene.deps;
    await expect(
      scene.run(undefined, {
        store: { ...store, commit: dead, release: dead },
        budget: budget.but({ settle: () => Promise.resolve() }),
      }),
    ).rejects.toThrow("dead");
    const [lost] = budget.reserved.values();
    expect(budget.used.costUsd).toBeCloseTo(usd(lost?.inputTokens ?? 0, 4_096), 9);
    await until(async () => Number(await scene.hash("lease")) <= Date.now(), "the lease's end");
    await scene.settle();
    expect(await scene.said()).toEqual(["Hello."]);
    const took = budget.settled.get(`${scene.chat}/1.1`);
    expect(withMargin(took?.inputTokens)).toBe(lost?.inputTokens);
    expect(took?.outputTokens).toBe(0);
    expect(budget.reserved.size).toBe(0);
    expect(budget.used.costUsd).toBeCloseTo(usd(300, 20) + usd(took?.inputTokens ?? 0, 0), 9);
    await scene.expectAtRest();
  });

  it("over one whose request cannot be built ends the turn all the same", async () => {
    await using scene = await openScene({ redis, leaseMs: 1 });
    await scene.say("hi");
    const toolbox = { ...scene.deps.toolbox };
    Object.defineProperty(toolbox, "specs", { get: broken });
    const deps = { toolbox };
    for (let deaths = 0; deaths < 3; deaths += 1) {
      await expect(scene.run(undefined, deps)).rejects.toThrow("broken");
      await until(async () => Number(await scene.hash("lease")) <= Date.now(), "the lease's end");
    }
    await scene.run(undefined, deps);
    expect((await scene.story()).at(-1)).toBe("end poisoned");
  });

  it("that was given back before it was made costs nothing, and is made under the same name", async () => {
    const budget = new MemoryBudget([cost(1), { metric: "turns", per: "at-once", max: 1 }]);
    budget.places.add("somebody else's turn");
    await using scene = await openScene({ redis, deps: { budget } });
    await scene.say("hi");
    await scene.run();
    budget.places.clear();
    await scene.settle();
    expect(budget.asked.filter((each) => !each.startsWith("enter"))).toEqual([
      `reserve ${scene.chat}/1.1`,
      `settle ${scene.chat}/1.1`,
    ]);
    await scene.expectAtRest();
  });
});

describe("a worker that is told to stop before a model call", () => {
  it("leaves it uncounted, and nothing is charged for it", async () => {
    await using two = await open([cost(1)]);
    const { scene, budget, openai } = two;
    openai.reply({ text: "Hello.", ...usage(300, 20) });
    await scene.say("hi");
    await scene.run(AbortSignal.abort("shutdown"));
    expect((await scene.state())?.counters.modelCalls).toBe(0);
    await scene.settle();
    expect(await scene.said()).toEqual(["Hello."]);
    expect(await scene.hash("usage:modelCalls")).toBe("1");
    expect(budget.used.costUsd).toBeCloseTo(usd(300, 20), 9);
    await two.expectAtRest();
  });
});

describe("a limit on cost that has no room for a tier", () => {
  const ladder: Catalogue = {
    tiers: { fast: [cheapKey], balanced: [dearKey], deep: [dearKey] },
    overrides: { [cheapKey]: priced(1), [dearKey]: priced(100) },
  };
  const roomForCheap = [cost(usd(1_000, 4_096))];

  it("has a cheaper one answer, and the trace says why", async () => {
    await using two = await open(roomForCheap, ladder);
    const { scene, openai, traces, budget } = two;
    await scene.say("hi");
    await scene.settle();
    expect(await scene.said()).toEqual(["You said: hi"]);
    expect(openai.requests.map(({ model }) => model)).toEqual(["gpt-4o-mini"]);
    expect(traces.map(({ tier }) => tier)).toEqual(["fast"]);
    expect(traces[0]?.why).toContain("a limit leaves no room for its cost");
    expect(budget.reserved.size).toBe(0);
    await two.expectAtRest();
  });

  it("passes over what someone has chosen, too", async () => {
    await using two = await open(roomForCheap, ladder);
    const { scene, openai } = two;
    await scene.say("hi", { preference: { tier: "deep", model: dearKey } });
    await scene.settle();
    expect(openai.requests.map(({ model }) => model)).toEqual(["gpt-4o-mini"]);
    await two.expectAtRest();
  });

  it("ends the turn where the operator wants no cheaper one", async () => {
    await using two = await open(roomForCheap, ladder, { downgrade: false });
    const { scene, openai } = two;
    await scene.say("hi");
    await scene.settle();
    expect((await scene.said())[0]).toContain("resets");
    expect(openai.received).toBe(0);
    await two.expectAtRest();
  });

  it("ends the turn where the tiers below are not cheaper", async () => {
    await using two = await open(roomForCheap, {
      tiers: { fast: [dearKey], balanced: [dearKey, cheapKey] },
      overrides: { [cheapKey]: priced(1), [dearKey]: priced(100) },
    });
    const { scene, openai } = two;
    await scene.say("hi");
    await scene.settle();
    expect((await scene.said())[0]).toContain("resets");
    expect(openai.received).toBe(0);
    await two.expectAtRest();
  });

  it("asks a free model, when there is one", async () => {
    await using two = await open([cost(0.000_001)], {
      tiers: { fast: ["local/qwen3"], balanced: [dearKey] },
      overrides: {
        [dearKey]: priced(100),
        "local/qwen3": {
          card: { usdPerMillionTokens: { input: 0, output: 0 } },
        },
      },
    });
    const { scene, openai, local } = two;
    await scene.say("hi");
    await scene.settle();
    expect(await scene.said()).toEqual(["You said: hi"]);
    expect([openai.received, local.received]).toEqual([0, 1]);
    await two.expectAtRest();
  });
});

async function capped(caps: MemoryBudget["caps"], catalogue: Catalogue = oneModel) {
  const budget = new MemoryBudget([], caps);
  const two = await openTwo({ redis, catalogue, deps: { budget } });
  return { ...two, budget };
}

describe("a limit on one turn", () => {
  it("on tokens cuts the answer to what is left, and ends the turn before a call that has no room", async () => {
    await using two = await capped({ maxTokens: 3_000 });
    const { scene, openai } = two;
    openai.reply({ ...calls("look"), ...usage(800, 1_900) });
    await scene.say("look");
    await scene.settle();
    expect(openai.received).toBe(1);
    const cap = Number(outputCap(openai.requests[0]?.body ?? {}));
    expect(cap).toBeGreaterThan(64);
    expect(cap).toBeLessThan(3_000);
    expect((await scene.said())[0]).toContain("limit of 3,000 tokens");
    expect((await scene.story()).at(-1)).toBe("end max-tokens");
    await two.expectAtRest();
  });

  it("on cost has a cheaper tier asked first", async () => {
    await using two = await capped(
      { maxCostUsd: usd(1_000, 4_096) },
      {
        tiers: { fast: [cheapKey], balanced: [dearKey] },
        overrides: { [cheapKey]: priced(1), [dearKey]: priced(100) },
      },
    );
    const { scene, openai } = two;
    await scene.say("hi");
    await scene.settle();
    expect(openai.requests.map(({ model }) => model)).toEqual(["gpt-4o-mini"]);
    expect(await scene.said()).toEqual(["You said: hi"]);
    await two.expectAtRest();
  });

  it("on cost does not cut a cheaper tier's answer to what the dear one would have had", async () => {
    const ladder: Catalogue = {
      tiers: { fast: [cheapKey], balanced: [dearKey] },
      overrides: { [cheapKey]: priced(1), [dearKey]: priced(100) },
    };
    // The dear model would have room for a short answer, which the day has no room for.
    const maxCostUsd = 100 * usd(2_000, 200);
    const budget = new MemoryBudget([cost(usd(2_000, 4_200))], { maxCostUsd });
    await using two = await openTwo({
      redis,
      catalogue: ladder,
      deps: { budget },
    });
    const { scene, openai } = two;
    await scene.say("hi");
    await scene.settle();
    expect(openai.requests.map(({ model }) => model)).toEqual(["gpt-4o-mini"]);
    expect(outputCap(openai.requests[0]?.body ?? {})).toBe(4_096);
    await two.expectAtRest();
  });

  it("of no cost at all leaves free models, and them alone", async () => {
    const free = { card: { usdPerMillionTokens: { input: 0, output: 0 } } };
    await using two = await capped(
      { maxCostUsd: 0 },
      {
        tiers: { fast: ["local/qwen3"], balanced: [dearKey] },
        overrides: { [dearKey]: priced(100), "local/qwen3": free },
      },
    );
    const { scene, openai, local } = two;
    await scene.say("hi");
    await scene.settle();
    expect(await scene.said()).toEqual(["You said: hi"]);
    expect([openai.received, local.received]).toEqual([0, 1]);
    await two.expectAtRest();
  });

  it("on cost ends the turn without a call where nothing is cheap enough", async () => {
    await using two = await capped({ maxCostUsd: usd(20, 20) });
    const { scene, openai } = two;
    await scene.say("hi");
    await scene.settle();
    expect(openai.received).toBe(0);
    expect(await scene.story()).toEqual(["message hi", "end max-cost"]);
    expect((await scene.said())[0]).toContain("limit");
    await two.expectAtRest();
  });
});
