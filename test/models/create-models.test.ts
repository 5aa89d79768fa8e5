import { describe, expect, it } from "vitest";
import type { ChatTierName, TierName } from "../../src/core/model.ts";
import type { ModelsDescription } from "../../src/models/create-model.ts";
import type { ModelChain } from "../../src/models/chain.ts";
import { createModels } from "../../src/models/create-models.ts";
import { OllamaServer } from "../emulators/model/ollama-server.ts";
import { OpenAiServer } from "../emulators/model/openai-server.ts";
import { ask, request, timer } from "./helpers.ts";

const demo = { provider: "demo", model: "demo" };

describe("models from a description", () => {
  it("makes the demo, for every tier that asks", async () => {
    const models = createModels(
      {
        providers: { demo: { type: "demo" } },
        tiers: { balanced: { models: [demo] } },
      },
      { sleep: () => Promise.resolve() },
    );
    expect(models.chain("balanced").card.id).toBe("demo/demo");
    expect(models.chain("deep")).toBe(models.chain("balanced"));
    expect((await ask(models.chain("fast"), request("hello"))).finish).toBe("stop");
  });

  it("asks every provider in its own words, with what tier and operator say", async () => {
    await using openai = await OpenAiServer.start({ apiKey: "sk-right" });
    await using ollama = await OllamaServer.start();
    const description: ModelsDescription = {
      providers: {
        cloud: { type: "openai", baseUrl: openai.baseUrl, apiKey: "sk-right" },
        local: { type: "ollama", host: ollama.baseUrl },
      },
      tiers: {
        fast: {
          models: [{ provider: "local", model: "qwen3" }],
          options: { temperature: 0.1, keepAlive: "5m" },
        },
        smart: {
          models: [{ provider: "cloud", model: "gpt-4o" }],
          options: { maxOutputTokens: 99 },
        },
      },
      overrides: {
        "local/qwen3": {
          card: { contextWindow: 16_384, thinking: false },
          options: { keepAlive: "10m", repeatPenalty: 1.1 },
        },
      },
    };
    const models = createModels(description);
    await ask(models.chain("fast"), request("hello", { options: { temperature: 0.2 } }));
    await ask(models.chain("smart"), request("hello"));
    expect(ollama.model.requests[0]?.body).toMatchObject({
      model: "qwen3",
      keep_alive: "5m",
      options: { num_ctx: 16_384, temperature: 0.2, repeat_penalty: 1.1 },
    });
    expect(ollama.model.requests[0]?.body).not.toHaveProperty("think");
    expect(openai.model.requests[0]?.body).toMatchObject({
      model: "gpt-4o",
      max_tokens: 99,
    });
    expect(models.chain("fast").card).toMatchObject({
      id: "local/qwen3",
      contextWindow: 16_384,
    });
    expect(models.chain("smart").card).toMatchObject({
      id: "cloud/gpt-4o",
      contextWindow: 128_000,
    });
  });

  it("falls back from one provider to another, and tells of it", async () => {
    await using ollama = await OllamaServer.start();
    const told: string[] = [];
    const models = createModels(
      {
        providers: {
          openai: { type: "openai", baseUrl: "http://127.0.0.1:9/v1" },
          ollama: { type: "ollama", host: ollama.baseUrl },
        },
        tiers: {
          balanced: {
            models: [
              { provider: "openai", model: "gpt-4o" },
              { provider: "ollama", model: "qwen3" },
            ],
          },
        },
      },
      {
        sleep: () => Promise.resolve(),
        onRetry: ({ card, failure }) => told.push(`${card.id} ${failure.kind}`),
      },
    );
    const answer = await ask(models.chain("balanced"), request("hello"));
    expect(answer.text).toBe("You said: hello");
    expect(told).toEqual(Array(4).fill("openai/gpt-4o network"));
  });

  it("says which provider a model lacks, and which address is none", () => {
    const tiers = { fast: { models: [{ provider: "nowhere", model: "m" }] } };
    expect(() => createModels({ providers: { demo: { type: "demo" } }, tiers })).toThrow(
      'The model "nowhere/m" names the provider "nowhere", which is not configured (there are: demo)',
    );
    expect(() =>
      createModels({
        providers: { nowhere: { type: "openai", baseUrl: "ann:hush@example" } },
        tiers,
      }),
    ).toThrow('The address of provider "nowhere" is "example"');
    expect(() => createModels({ providers: {}, tiers: {} })).toThrow("No tier has a model");
    expect(() =>
      createModels({
        providers: { demo: { type: "demo" } },
        tiers: { fast: { models: [{ provider: "constructor", model: "m" }] } },
      }),
    ).toThrow('names the provider "constructor", which is not configured');
  });

  it("asks a provider through the API and with the words that its settings name", async () => {
    await using openai = await OpenAiServer.start({
      extraParameters: ["repeat_penalty"],
      pages: {
        "/api/v0/models": {
          data: [{ id: "gpt-4o", type: "llm", loaded_context_length: 4321 }],
        },
      },
    });
    const { baseUrl } = openai;
    const models = createModels({
      providers: {
        new: { type: "openai", baseUrl, api: "responses" },
        lmstudio: { type: "openai", baseUrl, api: "chat", preset: "lmstudio" },
      },
      tiers: {
        fast: { models: [{ provider: "new", model: "gpt-4o" }] },
        smart: {
          models: [{ provider: "lmstudio", model: "gpt-4o" }],
          options: { repeatPenalty: 1.1 },
        },
      },
    });
    await ask(models.chain("fast"), request("hello"));
    await ask(models.chain("smart"), request("hello"));
    expect(openai.model.requests.map(({ wire }) => wire)).toEqual(["responses", "openai"]);
    expect(openai.model.requests[1]?.body).toMatchObject({
      repeat_penalty: 1.1,
    });
    expect(models.chain("smart").card.contextWindow).toBe(4321);
    expect(openai.violations).toEqual([]);
  });
});

/** Models of one provider of which nothing is asked. */
const described = (
  tiers: Partial<Record<TierName, readonly string[]>>,
  more: Omit<Partial<ModelsDescription>, "tiers"> = {},
): ModelsDescription => ({
  providers: { p: { type: "ollama", host: "http://127.0.0.1:9" } },
  tiers: Object.fromEntries(
    Object.entries(tiers).map(([tier, models]) => [
      tier,
      { models: models.map((model) => ({ provider: "p", model })) },
    ]),
  ),
  ...more,
});
const idsOf = ({ cards }: ModelChain): string[] => cards.map(({ id }) => id.replace("p/", ""));

describe("the catalogue's chains", () => {
  it.each<[TierName, readonly TierName[], TierName]>([
    ["fast", ["fast", "balanced"], "fast"],
    ["smart", ["fast", "balanced", "deep"], "balanced"],
    ["deep", ["fast", "smart"], "fast"],
    ["coding", ["fast", "deep"], "fast"],
    ["balanced", ["compaction"], "compaction"],
    ["compaction", ["fast", "balanced"], "fast"],
    ["compaction", ["balanced", "smart"], "balanced"],
    ["compaction", ["compaction", "fast"], "compaction"],
  ])("%s, where there are %s, is %s", (tier, written, expected) => {
    const models = createModels(
      described(Object.fromEntries(written.map((each) => [each, [each]]))),
    );
    expect(idsOf(models.chain(tier))).toEqual([expected]);
  });

  it("begin with the model that is asked first, each model once", () => {
    const models = createModels(described({ balanced: ["a", "b"], smart: ["c"] }));
    expect(idsOf(models.chain("balanced", "p/c"))).toEqual(["c", "a", "b"]);
    expect(idsOf(models.chain("balanced", "p/b"))).toEqual(["b", "a"]);
    expect(idsOf(models.chain("balanced", "p/unknown"))).toEqual(["a", "b"]);
    expect(models.chain("balanced", "p/a")).toBe(models.chain("balanced"));
    expect(models.chain("smart", "p/a")).toBe(models.chain("smart", "p/a"));
  });

  it("ask the first model with its own options, under the tier's", async () => {
    await using ollama = await OllamaServer.start();
    const models = createModels({
      providers: { p: { type: "ollama", host: ollama.baseUrl } },
      tiers: {
        balanced: {
          models: [{ provider: "p", model: "qwen3" }],
          options: { temperature: 0.3 },
        },
      },
      overrides: {
        "p/llama3.2": { options: { temperature: 1, repeatPenalty: 1.2 } },
      },
    });
    await ask(models.chain("balanced", "p/llama3.2"), request("hello"));
    expect(ollama.model.requests[0]?.body).toMatchObject({
      model: "llama3.2",
      options: { temperature: 0.3, repeat_penalty: 1.2 },
    });
  });

  it("share a model's breaker", async () => {
    await using ollama = await OllamaServer.start();
    ollama.model.when(/./, { failure: { status: 503 } });
    const models = createModels(
      described(
        { fast: ["qwen3"], smart: ["llama3.2", "qwen3"] },
        { providers: { p: { type: "ollama", host: ollama.baseUrl } } },
      ),
      { sleep: () => Promise.resolve() },
    );
    const five = Array<string>(5).fill("qwen3");
    const asked = (): string[] => ollama.model.requests.map(({ model }) => model);
    await ask(models.chain("fast"), request("hi"));
    await ask(models.chain("fast"), request("hi"));
    expect(asked()).toEqual(five);
    await ask(models.chain("smart", "p/qwen3"), request("hi"));
    expect(asked()).toEqual([...five, ...Array<string>(4).fill("llama3.2")]);
  });
});

describe("the catalogue", () => {
  it("names what a person may choose, each once", () => {
    const models = createModels(
      described(
        {
          smart: ["big", "small"],
          fast: ["small"],
          compaction: ["cheap", "small"],
        },
        {
          overrides: {
            "p/vectors": { card: { embeddings: true } },
            "p/extra": {},
            "p/cheap": { card: { contextWindow: 4096 } },
            "p/big": {},
          },
        },
      ),
    );
    expect(models.keys).toEqual(["p/small", "p/big", "p/extra"]);
    expect(models.knows("p/extra")).toBe(true);
    for (const key of ["p/cheap", "p/vectors", "p/nothing", "extra", ""])
      expect(models.knows(key)).toBe(false);
    expect(idsOf(models.chain("fast", "p/extra"))).toEqual(["extra", "small"]);
    expect(idsOf(models.chain("fast", "p/cheap"))).toEqual(["small"]);
  });

  it.each<
    [
      string,
      Partial<Record<TierName, readonly string[]>>,
      readonly ChatTierName[],
      Partial<Record<ChatTierName, ChatTierName>>,
    ]
  >([
    [
      "one tier",
      { smart: ["a"], compaction: ["b"] },
      ["balanced"],
      {
        fast: "balanced",
        smart: "balanced",
        coding: "balanced",
        deep: "balanced",
      },
    ],
    [
      "all different",
      {
        fast: ["a"],
        balanced: ["b"],
        smart: ["c"],
        coding: ["d"],
        deep: ["e"],
      },
      ["fast", "balanced", "smart", "coding", "deep"],
      {},
    ],
    [
      "the same models in another order",
      { balanced: ["a", "b"], smart: ["b", "a"] },
      ["balanced", "smart"],
      { fast: "balanced", coding: "balanced", deep: "balanced" },
    ],
    [
      "coding like deep",
      { balanced: ["a"], coding: ["b"], deep: ["b"] },
      ["balanced", "deep"],
      { fast: "balanced", smart: "balanced", coding: "deep" },
    ],
  ])("tells tiers that differ: %s", (_what, tiers, expected, aliases) => {
    const models = createModels(described(tiers));
    expect(models.tiers).toEqual(expected);
    expect(Object.fromEntries(models.aliases)).toEqual(aliases);
    for (const [tier, same] of models.aliases) expect(models.chain(tier)).toBe(models.chain(same));
  });

  it("tells tiers apart by the limits of their turns, where the chain is the same", () => {
    const models = createModels({
      providers: { demo: { type: "demo" } },
      tiers: {
        balanced: { models: [demo], turn: { deadlineMs: Infinity } },
        smart: { models: [demo], turn: { deadlineMs: 1 } },
        deep: { models: [demo], turn: { deadlineMs: Infinity } },
      },
    });
    expect(models.tiers).toEqual(["balanced", "smart"]);
    expect(models.aliases.get("deep")).toBe("balanced");
    expect(models.chain("smart")).toBe(models.chain("balanced"));
  });

  it("tells tiers apart by their options, whatever their order", () => {
    const one = [demo];
    const models = createModels({
      providers: { demo: { type: "demo" } },
      tiers: {
        balanced: { models: one, options: { temperature: 1, thinking: true } },
        smart: { models: one, options: { thinking: true, temperature: 1 } },
        deep: { models: one, options: { thinking: false, temperature: 1 } },
      },
    });
    expect(models.tiers).toEqual(["balanced", "deep"]);
  });
});

describe("time limits", () => {
  it.each([
    ["a vendor's", "https://llm.example/v1", 120_000],
    ["a server of our own", "http://192.168.1.5:1234/v1", 300_000],
  ])("of %s model", async (_what, baseUrl, idleMs) => {
    const waits: number[] = [];
    const models = createModels(
      {
        providers: { p: { type: "openai", baseUrl } },
        tiers: { fast: { models: [{ provider: "p", model: "m" }] } },
      },
      {
        fetch: () => Promise.reject(new TypeError("fetch failed")),
        sleep: () => Promise.resolve(),
        schedule: (_run, ms) => {
          waits.push(ms);
          return timer();
        },
        random: () => 1,
        now: () => 0,
      },
    );
    await ask(models.chain("fast"), request("hi"));
    const [timeoutMs, totalMs] = [300_000, 300_000];
    const attempt = [timeoutMs, totalMs, idleMs];
    expect(waits).toEqual([...attempt, ...attempt, ...attempt, ...attempt]);
  });
});
