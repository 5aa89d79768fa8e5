import { describe, expect, it } from "vitest";
import type { LoopDeps } from "../../../src/loop/deps.ts";
import { createModels } from "../../../src/models/create-models.ts";
import { entryMarkdown } from "../../../src/commands/export/markdown.ts";
import { localeFor } from "../../../src/locales/locale-for.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { shown } from "../busy.ts";
import { MemoryBudget } from "../compaction/memory-budget.ts";
import { calls, defaultPolicy, openScene, type Scene, type SceneOptions } from "../scene.ts";
import { openTwo } from "./two-providers.ts";

const redis = await testDatabase();
const open = (options: Partial<SceneOptions> = {}) => openScene({ redis, ...options });

/** The platform's lines below answers, oldest first; undefined where there are none. */
const notes = async (scene: Scene) =>
  (await scene.outbox()).flatMap((entry) => (entry.kind === "message" ? [entry.note] : []));

const cutLine = 'I stopped here, at the length limit. Say "go on" for the rest.';
const cutNote = expect.stringMatching(
  /^user \[From the platform: your answer above was cut at the length limit/,
);

const policy = (more: Partial<LoopDeps["policy"]>) => ({
  deps: { policy: { ...defaultPolicy, ...more } },
});
const stopOn = (more: Partial<LoopDeps["policy"]["stopOn"]>) =>
  policy({ stopOn: { ...defaultPolicy.stopOn, ...more } });

describe("an answer in a turn that a limit ends", () => {
  const look = calls("look");
  const cases: readonly {
    readonly what: string;
    readonly options: Partial<SceneOptions>;
    readonly steps: Parameters<Scene["model"]["reply"]>;
    readonly line: RegExp;
    readonly told: RegExp;
  }[] = [
    {
      what: "model calls",
      options: policy({ maxModelCalls: 2 }),
      steps: [look],
      line: /stopped.*limit of 2 steps/,
      told: /limit of model calls \(2\)/,
    },
    {
      what: "tool executions",
      options: policy({ maxToolExecutions: 1 }),
      steps: [calls("look", "look")],
      line: /stopped.*limit of 1 tool use/,
      told: /limit of tool executions \(1\)/,
    },
    {
      what: "a loop",
      options: policy({ loop: { sameCall: 2, sameTool: 9, hints: 0 } }),
      steps: [look, look],
      line: /going in circles, so I stopped/,
      told: /in circles, repeating calls without progress/,
    },
    {
      what: "the operator's policy",
      options: {
        deps: {
          ...stopOn({ policyDenied: true }).deps,
          toolPolicy: () => ({ type: "deny", reason: "no" }),
        },
      },
      steps: [look],
      line: /stopped.*isn't allowed/,
      told: /a call is not allowed/,
    },
    {
      what: "a tool's failure",
      options: stopOn({ toolFailure: true }),
      steps: [calls("no_such_tool")],
      line: /stopped.*tool failed/,
      told: /a tool failed/,
    },
  ];

  it.each(cases)(
    "names it for people and for the model: $what",
    async ({ options, steps, line, told }) => {
      await using scene = await open(options);
      scene.model.reply(...steps, { text: "All is well." });
      await scene.say("look");
      await scene.settle();
      expect(await scene.said()).toEqual(["All is well."]);
      expect(await notes(scene)).toEqual([expect.stringMatching(line)]);
      const last = shown(scene.model.requests.at(-1)).at(-1);
      expect(last).toMatch(told);
      expect(last).toContain("Say plainly what was done and what was not.");
      // To the model it is not a part of its own words.
      await scene.say("and now?");
      await scene.settle();
      expect(shown(scene.model.requests.at(-1)).slice(-2)).toEqual([
        "assistant All is well.",
        "user and now?",
      ]);
    },
  );

  it("names a denial", async () => {
    await using scene = await open();
    scene.model.reply(calls("buy"), { text: "Fine." });
    await scene.say("buy");
    await scene.settle();
    await scene.decide(0, "denied");
    await scene.settle();
    expect((await notes(scene)).at(-1)).toMatch(/stopped.*wasn't approved/);
    expect(shown(scene.model.requests.at(-1)).at(-1)).toMatch(
      /needed an approval was not approved/,
    );
  });

  it("has no line where it ended by itself", async () => {
    await using scene = await open();
    await scene.say("hi");
    await scene.settle();
    expect(await notes(scene)).toEqual([undefined]);
  });
});

const wires = {
  openai: { type: "openai", api: "chat" },
  responses: { type: "openai", api: "responses" },
  ollama: { type: "ollama" },
} as const;

describe.each(Object.keys(wires) as (keyof typeof wires)[])(
  "an answer that was cut at the length limit, by the wire of %s",
  (wire) => {
    const openWire = async () => {
      const two = await openTwo({ redis });
      const { scene, local } = two;
      const { server } = scene.parts;
      const model = wire === "ollama" ? local : scene.model;
      const host = two.localUrl;
      scene.with({
        models: createModels(
          {
            providers: {
              it:
                wire === "ollama"
                  ? { type: "ollama", host }
                  : {
                      ...wires[wire],
                      baseUrl: server.baseUrl,
                      apiKey: "sk-a-very-secret-key",
                    },
            },
            tiers: {
              balanced: {
                models: [
                  {
                    provider: "it",
                    model: wire === "ollama" ? "qwen3" : "gpt-4o-mini",
                  },
                ],
              },
            },
          },
          { sleep: () => Promise.resolve(), random: () => 0 },
        ),
      });
      return { two, scene, model };
    };

    it("is marked for people, and the next request tells the model", async () => {
      const { two, scene, model } = await openWire();
      await using _ = two;
      model.reply({ text: "One, two", finish: "length" }, { text: ", three." });
      await scene.say("count");
      await scene.settle();
      expect(await scene.said()).toEqual(["One, two"]);
      expect(await notes(scene)).toEqual([cutLine]);
      await scene.say("go on");
      await scene.settle();
      expect(shown(model.requests[1])).toEqual([
        "user count",
        "assistant One, two",
        cutNote,
        "user go on",
      ]);
      expect(await notes(scene)).toEqual([cutLine, undefined]);
      await two.expectAtRest();
    });

    it("runs no call that may be incomplete, and tells the model why", async () => {
      const { two, scene, model } = await openWire();
      await using _ = two;
      model.reply({ ...calls("look", "pay"), finish: "length" }, { text: "Done." });
      await scene.say("write");
      await scene.settle();
      expect(scene.runs).toEqual(['look {"label":"0"}']);
      expect(model.requests[1]?.toolResults.at(-1)?.text).toMatch(
        /not run.*cut at the length limit/,
      );
      expect(await scene.said()).toEqual(["Done."]);
      await two.expectAtRest();
    });

    it("or stopped by a filter, says so", async () => {
      const { two, scene, model } = await openWire();
      await using _ = two;
      model.reply({ ...calls("look"), text: "One, two", finish: "content_filter" });
      await scene.say("count");
      await scene.settle();
      expect(await scene.said()).toEqual(["One, two"]);
      expect(await notes(scene)).toEqual([
        "The AI service's content filter stopped my answer here.",
      ]);
      expect(scene.runs).toEqual([]);
      await two.expectAtRest();
    });

    it("or broken off for any other reason, is asked again, and none of its calls runs", async () => {
      const { two, scene, model } = await openWire();
      await using _ = two;
      model.reply(
        { ...calls("pay"), finish: "insufficient_system_resource" },
        { ...calls("pay"), text: "One, two", finish: "network_error" },
        { text: "One, two, three." },
      );
      await scene.say("count");
      await scene.settle();
      expect(await scene.said()).toEqual(["One, two, three."]);
      expect(await notes(scene)).toEqual([undefined]);
      expect(scene.runs).toEqual([]);
      expect(model.requests.length).toBe(3);
      await two.expectAtRest();
    });

    it("that has only thoughts is told as what it is, and to the model", async () => {
      const { two, scene, model } = await openWire();
      await using _ = two;
      model.reply({ reasoning: "Let me think about", finish: "length" }, { text: "Forty-two." });
      await scene.say("why?");
      await scene.settle();
      expect(await scene.said()).toEqual([
        expect.stringMatching(/^I stopped (?:here, )?at the length limit.*"go on"/),
      ]);
      await scene.say("go on");
      await scene.settle();
      expect(shown(model.requests[1])).toEqual([
        "user why?",
        expect.stringMatching(
          /^user \[From the platform: your last answer was cut at the length limit before/,
        ),
        "user go on",
      ]);
      await two.expectAtRest();
    });
  },
);

it("broken arguments at the cut are not run, and the turn goes on", async () => {
  await using scene = await open();
  scene.model.reply(
    {
      toolCalls: [{ name: "pay", arguments: '{"label":"0", "text":"half of' }],
      finish: "length",
    },
    { text: "Shorter now." },
  );
  await scene.say("write");
  await scene.settle();
  expect(scene.runs).toEqual([]);
  expect(scene.model.requests[1]?.toolResults[0]?.text).toMatch(/cut at the length limit/);
  expect(await scene.said()).toEqual(["Shorter now."]);
});

it("a line is a part of the history, and of what /export shows", async () => {
  await using scene = await open();
  scene.model.reply({ text: "One, two", finish: "length" });
  await scene.say("count");
  await scene.settle();
  const entry = (await scene.log()).find(({ kind }) => kind === "assistant");
  expect(entry).toMatchObject({
    text: "One, two",
    cut: "length",
    note: cutLine,
  });
  if (entry === undefined) throw new Error("the answer");
  const markdown = entryMarkdown(2, entry, localeFor("en"));
  expect(markdown).toContain(`> ${cutLine}`);
});

const price = (times: number) => ({
  card: { usdPerMillionTokens: { input: times, output: 2 * times } },
});

it("an answer that our own limit cuts is marked, too", async () => {
  const budget = new MemoryBudget([{ metric: "cost", per: "day", max: 1 }]);
  await using two = await openTwo({
    redis,
    catalogue: {
      tiers: { balanced: ["openai/gpt-4o-mini"] },
      overrides: {
        "openai/gpt-4o-mini": {
          ...price(1),
          options: { maxOutputTokens: 100 },
        },
      },
    },
    deps: { budget },
  });
  const { scene, openai } = two;
  openai.when(/write/, ({ body }) => ({
    text: "word",
    finish: (body["max_completion_tokens"] ?? body["max_tokens"]) === 100 ? "length" : "stop",
  }));
  await scene.say("write");
  await scene.settle();
  expect(await notes(scene)).toEqual([cutLine]);
});

describe("a cheaper model because of a budget", () => {
  const catalogue = {
    tiers: { fast: ["openai/gpt-4o-mini"], balanced: ["openai/gpt-4o"] },
    overrides: {
      "openai/gpt-4o-mini": price(1),
      "openai/gpt-4o": price(100),
    },
  };

  it("is mentioned with the first answer in a row that it wrote, and again after a better one", async () => {
    const tight = new MemoryBudget([{ metric: "cost", per: "day", max: 0.05 }]);
    const wide = new MemoryBudget([{ metric: "cost", per: "day", max: 50 }]);
    await using two = await openTwo({ redis, catalogue });
    const { scene } = two;
    for (const budget of [tight, tight, wide, tight]) {
      await scene.say("hi");
      await scene.settle({ budget });
    }
    const line = "The budget is running low, so a cheaper model answered (fast).";
    expect(await notes(scene)).toEqual([line, undefined, undefined, line]);
  });

  it("is mentioned where the turn's own budget is nearly spent", async () => {
    await using two = await openTwo({
      redis,
      catalogue,
      deps: { policy: { ...defaultPolicy, maxTokens: 1_000 } },
    });
    const { scene, openai } = two;
    openai.reply(
      { ...calls("look"), usage: { inputTokens: 800, outputTokens: 50 } },
      { text: "Seen.", usage: { inputTokens: 10, outputTokens: 5 } },
    );
    await scene.say("look");
    await scene.settle();
    expect(await notes(scene)).toEqual([expect.stringMatching(/budget is running low.*\(fast\)/)]);
  });
});
