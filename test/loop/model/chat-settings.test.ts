import { describe, expect, it } from "vitest";
import { contextFor } from "../../../src/loop/compaction/settings.ts";
import { createModels } from "../../../src/models/create-models.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { load } from "../../config/support.ts";
import { ScriptedModel } from "../../emulators/model/scripted-model.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { asksForSummary, prose } from "../compaction/workshop.ts";
import { defaultContext, openScene, type Scene } from "../scene.ts";

const redis = await testDatabase();

async function open(tier = ""): Promise<Scene> {
  const scene = await openScene({
    redis,
    script: new ScriptedModel({
      fallback: (request) => ({ text: asksForSummary(request) ? "user: prose" : "Read." }),
    }),
  });
  const yaml = `
providers: { p: { type: openai, baseUrl: "${scene.parts.server.baseUrl}", apiKey: sk-a-very-secret-key } }
tiers: { balanced: { models: p/gpt-4o-mini${tier} } }`;
  return scene.with({ models: createModels(load({ yaml }).models) });
}

async function ask(scene: Scene, text = "hello") {
  await scene.say(text);
  await scene.settle();
  return scene.model.requests.at(-1)?.body as Record<string, unknown>;
}

const compactions = async (scene: Scene): Promise<readonly string[]> => {
  for (const turn of Array.from({ length: 12 }).keys()) await ask(scene, prose(`turn ${turn}`, 60));
  return (await scene.story()).filter((line) => line.startsWith("compaction"));
};

describe("the options that a chat has set", () => {
  it("are asked with from the next turn on, before the tier's, and no more once they are unset", async () => {
    await using scene = await open(", temperature: 0.3, maxOutputTokens: 500");
    expect(await ask(scene)).toMatchObject({ temperature: 0.3, max_tokens: 500 });
    await scene.set("temperature", "0");
    await scene.set("maxOutputTokens", "77");
    expect(await ask(scene)).toMatchObject({ temperature: 0, max_tokens: 77 });
    await scene.set("temperature", undefined);
    expect(await ask(scene)).toMatchObject({ temperature: 0.3, max_tokens: 77 });
  });

  it("are no other chat's", async () => {
    await using scene = await open(", temperature: 0.3");
    await using other = await open(", temperature: 0.3");
    await scene.set("temperature", "1");
    expect(await ask(other)).toMatchObject({ temperature: 0.3 });
  });

  it("that no one could have set count as unset", async () => {
    await using scene = await open(", temperature: 0.3");
    await scene.parts.store.redis.hset(chatKeys(scene.chat).settings, {
      temperature: "40",
      compactAt: "70",
      strategy: "forget",
    });
    expect(await ask(scene)).toMatchObject({ temperature: 0.3 });
  });
});

describe("how a chat is compacted", () => {
  it("is when and as it has set, else as the deployment says", async () => {
    await using usual = await open(", contextWindow: 20000");
    expect(await compactions(usual)).toEqual([]);
    await using early = await open(", contextWindow: 20000");
    await early.set("compactAt", "0.1");
    const found = await compactions(early);
    expect(new Set(found)).toEqual(new Set(["compaction summarise"]));
    await using cut = await open(", contextWindow: 20000");
    await cut.set("compactAt", "0.1");
    await cut.set("strategy", "truncate");
    expect(new Set(await compactions(cut))).toEqual(new Set(["compaction truncate"]));
  });

  it("leaves less than it begins at, whatever that is", () => {
    for (const compactAt of [0.05, 0.3, 0.4, 0.41, 0.7, 0.95]) {
      const made = contextFor(defaultContext, { compactAt });
      expect(made.compactTo).toBeLessThan(made.compactAt);
      expect(made.compactTo).toBeLessThanOrEqual(defaultContext.compactTo);
      expect(made.compactTo).toBeGreaterThan(0);
    }
    expect(contextFor(defaultContext, {})).toEqual(defaultContext);
    expect(contextFor(defaultContext, { keepTurns: 0, strategy: "agent" })).toEqual({
      ...defaultContext,
      keepTurns: 0,
      strategy: "agent",
    });
  });
});
