import { describe, expect, it } from "vitest";
import type { TurnPolicyChanges } from "../../../src/core/turn.ts";
import type { TierName } from "../../../src/core/model.ts";
import type { ScriptedUsage, Step } from "../../emulators/model/step.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { calls, defaultPolicy, openScene, type Scene, type SceneOptions } from "../scene.ts";
import { localKey, modelsOf, openaiKey, openTwo, type Catalogue } from "./two-providers.ts";

const redis = await testDatabase();

/** US dollars for a million tokens. */
const price = { input: 1, output: 2 };
const usage = (inputTokens: number, outputTokens: number) => ({
  usage: { inputTokens, outputTokens } satisfies ScriptedUsage,
});
const cost = (inputTokens: number, outputTokens: number): number =>
  (inputTokens * price.input + outputTokens * price.output) / 1_000_000;

const priced = { card: { usdPerMillionTokens: price } };
const free = { card: { usdPerMillionTokens: { input: 0, output: 0 } } };
const chain: Catalogue = {
  tiers: { balanced: [openaiKey, localKey] },
  overrides: { [openaiKey]: priced, [localKey]: free },
};

const open = (options: Partial<SceneOptions> & { catalogue?: Catalogue } = {}) =>
  openTwo({ redis, catalogue: chain, ...options });

async function ask(scene: Scene, text: string): Promise<string | undefined> {
  await scene.say(text);
  await scene.settle();
  return (await scene.said()).at(-1);
}

describe("what a turn has cost", () => {
  it("is the sum over its rounds, by model, and grows with every turn", async () => {
    await using two = await open();
    const { scene, openai } = two;
    openai.reply(
      { ...calls("look"), ...usage(1_000, 100) },
      { text: "Seen.", ...usage(1_200, 50) },
      { text: "Hello.", ...usage(300, 10) },
    );
    await ask(scene, "one");
    expect(await scene.usage()).toEqual({
      [openaiKey]: {
        requests: 2,
        inputTokens: 2_200,
        outputTokens: 150,
        costUsd: cost(2_200, 150),
      },
    });
    await ask(scene, "two");
    const { [openaiKey]: total } = await scene.usage();
    expect(total).toMatchObject({
      requests: 3,
      inputTokens: 2_500,
      outputTokens: 160,
    });
    expect(total?.costUsd).toBeCloseTo(cost(2_500, 160), 12);
    expect(await scene.hash("usage:inputTokens")).toBe("2500");
    expect(await scene.hash("usage:outputTokens")).toBe("160");
    expect(await scene.hash("usage:modelCalls")).toBe("3");
    expect(await scene.hash("usage:turns")).toBe("2");
    await two.expectAtRest();
  });

  it("is unknown where no price is known, and nothing where it is free", async () => {
    const other = "openai/gpt-4o";
    await using two = await open({
      catalogue: {
        ...chain,
        overrides: { ...chain.overrides, [other]: {} },
      },
    });
    const { scene } = two;
    await scene.say("one", { preference: { model: other } });
    await scene.say("two", { preference: { model: localKey } });
    await scene.settle();
    const used = await scene.usage();
    expect(used[other]).not.toHaveProperty("costUsd");
    expect(used[other]?.inputTokens).toBeGreaterThan(0);
    expect(used[localKey]?.costUsd).toBe(0);
    expect(used[openaiKey]).toBeUndefined();
    await two.expectAtRest();
  });

  it("is kept while the turn waits for a person, and written once, at its end", async () => {
    await using two = await open();
    const { scene, openai } = two;
    openai.reply(
      { ...calls("buy"), ...usage(1_000, 100) },
      { text: "Bought.", ...usage(1_200, 50) },
    );
    await ask(scene, "buy");
    expect((await scene.state())?.spent).toEqual({
      [openaiKey]: {
        requests: 1,
        inputTokens: 1_000,
        outputTokens: 100,
        costUsd: cost(1_000, 100),
      },
    });
    expect((await scene.state())?.counters).toMatchObject({
      inputTokens: 1_000,
      outputTokens: 100,
      costUsd: cost(1_000, 100),
    });
    expect(await scene.usage()).toEqual({});
    await scene.decide(0, "approved");
    await scene.settle();
    expect(await scene.usage()).toMatchObject({
      [openaiKey]: { requests: 2, inputTokens: 2_200 },
    });
    await two.expectAtRest();
  });

  it("of a fallback is each model's own", async () => {
    await using two = await open();
    const { scene, openai, local } = two;
    openai.reply({ ...calls("look"), ...usage(1_000, 100) }, { failure: { status: 401 } });
    local.reply({ text: "Seen.", ...usage(900, 30) });
    await ask(scene, "one");
    expect(await scene.usage()).toMatchObject({
      [openaiKey]: {
        requests: 2,
        inputTokens: 1_000,
        costUsd: cost(1_000, 100),
      },
      [localKey]: {
        requests: 1,
        inputTokens: 900,
        outputTokens: 30,
        costUsd: 0,
      },
    });
    await two.expectAtRest();
  });

  it("of attempts that were refused is nothing but the attempts", async () => {
    await using two = await open();
    const { scene, openai } = two;
    const busy: Step = { failure: { status: 503 } };
    openai.reply(busy, busy, { text: "At last.", ...usage(500, 5) });
    expect(await ask(scene, "one")).toBe("At last.");
    expect(openai.received).toBe(3);
    expect(await scene.usage()).toEqual({
      [openaiKey]: {
        requests: 3,
        inputTokens: 500,
        outputTokens: 5,
        costUsd: cost(500, 5),
      },
    });
    await two.expectAtRest();
  });

  it("of a broken stream is what it reported", async () => {
    await using two = await open();
    const { scene, openai } = two;
    const broken: Step = {
      text: ["These words ", "are lost."],
      failure: "late-error",
      failAfterChunks: 2,
      quirks: ["usage-every-chunk"],
      ...usage(700, 7),
    };
    openai.reply(broken, { text: "Whole.", ...usage(800, 8) });
    expect(await ask(scene, "one")).toBe("Whole.");
    expect(await scene.usage()).toEqual({
      [openaiKey]: {
        requests: 2,
        inputTokens: 1_500,
        outputTokens: 15,
        costUsd: cost(1_500, 15),
      },
    });
    await two.expectAtRest();
  });

  it("of a broken stream that reported nothing is estimated, and marked so", async () => {
    await using two = await open();
    const { scene, openai } = two;
    const broken: Step = {
      text: ["These words ", "are lost."],
      failure: "cut",
      failAfterChunks: 2,
    };
    openai.reply(broken, { text: "Whole.", ...usage(800, 8) });
    await ask(scene, "one");
    const { [openaiKey]: used } = await scene.usage();
    expect(used).toMatchObject({ requests: 2, estimated: true });
    // Four characters a token, of what was asked and of what had come.
    expect(used?.outputTokens).toBe(8 + Math.ceil(21 / 4));
    expect(used?.inputTokens).toBeGreaterThan(800 + 100);
    await two.expectAtRest();
  });

  it("of a stream that was stopped is estimated, and marked so", async () => {
    await using two = await open();
    const { scene, openai } = two;
    openai.reply({ text: ["One ", "two ", "three"] });
    const gate = openai.hold("count", { at: 2 });
    await scene.say("count");
    const running = scene.run();
    await gate.waitUntilHeld();
    await scene.stop();
    await running;
    gate.release();
    const { [openaiKey]: used } = await scene.usage();
    expect(used).toMatchObject({
      requests: 1,
      outputTokens: 2,
      estimated: true,
    });
    expect(used?.inputTokens).toBeGreaterThan(100);
    expect(used?.costUsd).toBeGreaterThan(0);
    await two.expectAtRest();
  });

  it("of an answer whose server never reports is estimated, and marked so", async () => {
    await using two = await open();
    const { scene, openai } = two;
    openai.reply({ text: "12345678", quirks: ["usage-never"] });
    await ask(scene, "one");
    expect(await scene.usage()).toMatchObject({
      [openaiKey]: { requests: 1, outputTokens: 2, estimated: true },
    });
    await two.expectAtRest();
  });

  it("of a turn that failed is counted too", async () => {
    await using two = await open({
      catalogue: { overrides: { [openaiKey]: priced } },
    });
    const { scene, openai } = two;
    openai.reply({ ...calls("look"), ...usage(1_000, 100) }, { failure: { status: 401 } });
    await ask(scene, "one");
    expect((await scene.story()).at(-1)).toBe("end model-failed");
    expect(await scene.usage()).toMatchObject({
      [openaiKey]: {
        requests: 2,
        inputTokens: 1_000,
        costUsd: cost(1_000, 100),
      },
    });
    await two.expectAtRest();
  });

  it("of a request that was stopped before its first word is marked as a guess", async () => {
    await using two = await open();
    const { scene, openai } = two;
    const gate = openai.hold("count", { at: "headers" });
    await scene.say("count");
    const running = scene.run();
    await gate.waitUntilHeld();
    await scene.stop();
    await running;
    gate.release();
    expect(await scene.usage()).toEqual({
      [openaiKey]: {
        requests: 1,
        inputTokens: 0,
        outputTokens: 0,
        costUsd: 0,
        estimated: true,
      },
    });
    await two.expectAtRest();
  });

  it("of a compaction is that of the model that made it", async () => {
    const summaries = "openai/gpt-4o";
    await using two = await open({
      catalogue: {
        tiers: { balanced: [openaiKey], compaction: [summaries] },
        overrides: { ...chain.overrides, [summaries]: priced },
      },
    });
    const { scene, openai } = two;
    for (let turn = 1; turn <= 12; turn += 1)
      await ask(scene, `turn ${turn} ${"word ".repeat(200)}`);
    const before = await scene.usage();
    expect(before[summaries]).toBeUndefined();
    openai.reply({ text: "user: words.", ...usage(2_000, 20) });
    await scene.control("compact");
    await scene.settle();
    expect(await scene.usage()).toEqual({
      ...before,
      [summaries]: {
        requests: 1,
        inputTokens: 2_000,
        outputTokens: 20,
        costUsd: cost(2_000, 20),
      },
    });
    expect((await scene.log()).at(-2)).toMatchObject({ model: summaries });
    await two.expectAtRest();
  });
});

describe("a budget", () => {
  it.each([
    ["maxTokens", "1050", /limit of 1,050 tokens/, "end max-tokens"],
    ["maxCost", "0.001", /cost limit of \$0\.001/, "end max-cost"],
  ] as const)(
    "ends a turn that goes on after a decision: %s",
    async (setting, value, words, end) => {
      await using two = await open();
      const { scene, openai } = two;
      openai.reply({ ...calls("buy"), ...usage(1_000, 100) });
      await scene.set(setting, value);
      await ask(scene, "buy");
      await scene.decide(0, "approved");
      await scene.settle();
      expect(await scene.said()).toEqual([expect.stringMatching(words)]);
      expect((await scene.story()).slice(-2)).toEqual(["tool buy done", end]);
      expect(openai.received).toBe(1);
      await two.expectAtRest();
    },
  );

  it("counts what broke off, too", async () => {
    await using two = await open();
    const { scene, openai } = two;
    const broken: Step = {
      text: ["These words ", "are lost."],
      failure: "late-error",
      failAfterChunks: 2,
      quirks: ["usage-every-chunk"],
      ...usage(700, 7),
    };
    openai.reply(broken, broken);
    await scene.set("maxTokens", "1000");
    expect(await ask(scene, "one")).toMatch(/limit of 1,?000 tokens/);
    expect(openai.received).toBe(2);
    await two.expectAtRest();
  });

  it("counts the compaction on the way, too", async () => {
    await using two = await open({
      catalogue: {
        tiers: { balanced: [openaiKey] },
        overrides: { [openaiKey]: { card: { contextWindow: 4_000 } } },
      },
    });
    const { scene, openai } = two;
    openai.when(({ systemText }) => systemText.includes("You shorten"), {
      text: "user: words.",
      ...usage(5_000, 20),
    });
    for (let turn = 1; turn <= 5; turn += 1)
      await ask(scene, `turn ${turn} ${"word ".repeat(200)}`);
    await scene.set("maxTokens", "5000");
    let said: string | undefined;
    for (let turn = 6; turn <= 30 && !said?.startsWith("I stopped"); turn += 1)
      said = await ask(scene, `turn ${turn} ${"word ".repeat(100)}`);
    expect(said).toMatch(/limit of 5,?000 tokens/);
    expect((await scene.story()).slice(-2)).toEqual(["compaction summarise", "end max-tokens"]);
    await two.expectAtRest();
  });
});

describe("limits", () => {
  const smart = { preference: { tier: "smart" } };
  const tierPolicies: Partial<Record<TierName, TurnPolicyChanges>> = {
    smart: { maxModelCalls: 2, stopOn: { toolFailure: true } },
  };

  it("are the tier's in the tier, and the deployment's elsewhere", async () => {
    await using scene = await openScene({ redis });
    scene.with({ tierPolicies });
    scene.model.reply(calls("look"), { text: "All I have." });
    await scene.say("one", smart);
    await scene.settle();
    expect((await scene.story()).at(-1)).toBe("end max-model-calls");
    scene.model.reply(calls("throws"), { text: "It failed." });
    await scene.say("two", smart);
    await scene.settle();
    // The limit comes first; where it leaves room the failure ends it.
    scene.with({
      tierPolicies: { smart: { stopOn: { toolFailure: true } } },
    });
    scene.model.reply(calls("throws"), { text: "It failed again." });
    await scene.say("three", smart);
    await scene.settle();
    expect((await scene.story()).at(-1)).toBe("end tool-failure");
    scene.model.reply(calls("throws"), calls("look"), { text: "Seen." });
    await scene.say("four");
    await scene.settle();
    expect((await scene.story()).at(-1)).toBe("assistant Seen.");
    await scene.expectAtRest();
  });

  it("are the chat's before the tier's", async () => {
    await using scene = await openScene({ redis });
    scene.with({ tierPolicies });
    await scene.set("maxModelCalls", "3");
    await scene.set("toolFailure", "off");
    scene.model.reply(calls("throws"), calls("look"), { text: "Seen." });
    await scene.say("one", smart);
    await scene.settle();
    expect(scene.model.received).toBe(3);
    expect((await scene.story()).at(-1)).toBe("end max-model-calls");
    await scene.expectAtRest();
  });

  it.each([
    ["maxModelCalls", "2", [calls("look")], "end max-model-calls"],
    ["maxToolExecutions", "1", [calls("look", "pay")], "end max-tool-executions"],
    ["toolFailure", "on", [calls("throws")], "end tool-failure"],
    ["deadline", "1", [calls("hangs")], "end deadline"],
  ] as const)("are the chat's: %s", async (setting, value, steps, end) => {
    await using scene = await openScene({ redis });
    await scene.set(setting, value);
    scene.model.reply(...steps, { text: "That is all." });
    await scene.say("one");
    await scene.settle();
    expect((await scene.story()).at(-1)).toBe(end);
    await scene.expectAtRest();
  });

  it("are the chat's: policyDenied", async () => {
    await using scene = await openScene({ redis });
    scene.with({ toolPolicy: () => ({ type: "deny" }) });
    await scene.set("policyDenied", "on");
    scene.model.reply(calls("look"), { text: "I may not." });
    await scene.say("one");
    await scene.settle();
    expect((await scene.story()).at(-1)).toBe("end policy-denied");
    await scene.expectAtRest();
  });

  it("are the chat's: confirmationDenied off lets the model go on", async () => {
    await using scene = await openScene({ redis });
    await scene.set("confirmationDenied", "off");
    scene.model.reply(calls("buy"), calls("look"), { text: "Seen." });
    await scene.say("one");
    await scene.settle();
    await scene.decide(0, "denied");
    await scene.settle();
    expect((await scene.story()).slice(-2)).toEqual(["tool look done", "assistant Seen."]);
    await scene.expectAtRest();
  });

  it("changed while the turn waits hold when it goes on", async () => {
    await using scene = await openScene({ redis });
    scene.model.reply(calls("buy"), calls("look"), { text: "Seen." });
    await scene.say("one");
    await scene.settle();
    await scene.set("maxModelCalls", "2");
    await scene.decide(0, "approved");
    await scene.settle();
    expect(scene.model.requests.at(-1)?.mayCallTools).toBe(false);
    expect((await scene.story()).at(-1)).toBe("end max-model-calls");
    await scene.expectAtRest();
  });
});

/** Names of the models that were asked, in order. */
const asked = (scene: Scene): string[] => scene.model.requests.map(({ model }) => model);

describe("the tier of the next model call", () => {
  const tiers = ["fast", "balanced", "smart", "coding", "deep"] as const;

  /** Every tier has one model, which bears its name. */
  async function openTiers(): Promise<Scene> {
    const scene = await openScene({ redis, serves: tiers });
    return scene.with({
      models: modelsOf(
        { openai: scene.parts.server },
        {
          tiers: Object.fromEntries(tiers.map((tier) => [tier, [`openai/${tier}`]])),
        },
      ),
    });
  }

  it("rises with every loop that is found, and the hint goes to the better model", async () => {
    await using scene = await openTiers();
    scene.model.reply(...Array.from({ length: 5 }, () => calls("look")), {
      text: "I see.",
    });
    await scene.say("Look.");
    await scene.settle();
    expect(asked(scene)).toEqual(["balanced", "balanced", "balanced", "smart", "deep", "deep"]);
    const hinted = scene.model.requests.map(
      ({ toolResults }) => toolResults.at(-1)?.text.includes("You seem to go in circles") === true,
    );
    expect(hinted).toEqual([false, false, false, true, true, true]);
    // The history knows of no hint.
    expect(JSON.stringify(await scene.log())).not.toContain("in circles");
    await scene.say("And now?");
    await scene.settle();
    expect(asked(scene).at(-1)).toBe("balanced");
    await scene.expectAtRest();
  });

  it("is kept over an approval, with what was found until then", async () => {
    await using scene = await openTiers();
    scene.model.reply(calls("look"), calls("look"), calls("look"), calls("buy"), {
      text: "Bought.",
    });
    await scene.say("Look.");
    await scene.settle();
    expect((await scene.state())?.loop?.detections).toBe(1);
    await scene.decide(0, "approved");
    await scene.settle();
    expect(asked(scene).slice(3)).toEqual(["smart", "smart"]);
    await scene.expectAtRest();
  });

  it("falls by one step when the budget is nearly spent", async () => {
    await using scene = await openTiers();
    await scene.set("maxTokens", "1000");
    scene.model.reply(
      { ...calls("look"), ...usage(400, 10) },
      { ...calls("pay"), ...usage(400, 10) },
      { text: "Done.", ...usage(100, 10) },
    );
    await scene.say("Look.");
    await scene.settle();
    expect(asked(scene)).toEqual(["balanced", "balanced", "fast"]);
    expect(await scene.said()).toEqual(["Done."]);
    expect(Object.keys(await scene.usage())).toEqual(["openai/balanced", "openai/fast"]);
    await scene.expectAtRest();
  });

  it("stays where a person has chosen, however little is left", async () => {
    await using scene = await openTiers();
    await scene.set("tier", "smart");
    await scene.set("maxTokens", "1000");
    scene.model.reply(
      ...Array.from({ length: 3 }, () => ({
        ...calls("look"),
        ...usage(280, 10),
      })),
      { text: "Done.", ...usage(10, 10) },
    );
    await scene.say("Look.");
    await scene.settle();
    expect(asked(scene)).toEqual(["smart", "smart", "smart", "smart"]);
    await scene.say("And I?", { preference: { tier: "deep" } });
    await scene.settle();
    expect(asked(scene).at(-1)).toBe("deep");
    await scene.expectAtRest();
  });

  it("is the one for code where there is code", async () => {
    await using scene = await openTiers();
    await scene.say("Why?\n```ts\nconst x: number = 'a';\n```");
    await scene.settle();
    expect(asked(scene)).toEqual(["coding"]);
    await scene.expectAtRest();
  });

  it("has the limits of the tier that was stepped up to", async () => {
    await using scene = await openTiers();
    scene.with({
      policy: { ...defaultPolicy, maxModelCalls: 5 },
      tierPolicies: { smart: { maxModelCalls: 8 } },
    });
    scene.model.reply(calls("look"), calls("look"), calls("look"), calls("pay"), calls("send"), {
      text: "Paid.",
    });
    await scene.say("Look.");
    await scene.settle();
    expect(await scene.said()).toEqual(["Paid."]);
    expect((await scene.story()).at(-1)).toBe("assistant Paid.");
    await scene.expectAtRest();
  });
});
