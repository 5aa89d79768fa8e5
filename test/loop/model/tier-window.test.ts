import { expect, it } from "vitest";
import { createModels } from "../../../src/models/create-models.ts";
import { load } from "../../config/support.ts";
import { ScriptedModel } from "../../emulators/model/scripted-model.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { asksForSummary, prose } from "../compaction/workshop.ts";
import { openScene } from "../scene.ts";

const redis = await testDatabase();

/** How many compactions three long turns take with these settings. */
async function compactionsWith(more: string): Promise<number> {
  await using scene = await openScene({
    redis,
    script: new ScriptedModel({
      fallback: (request) => ({
        text: asksForSummary(request) ? "user: prose" : "Read.",
      }),
    }),
  });
  const yaml = `
providers: { p: { type: openai, baseUrl: "${scene.parts.server.baseUrl}", apiKey: k } }
tiers: { balanced: { models: p/gpt-4o-mini${more} } }`;
  scene.with({ models: createModels(load({ yaml }).models) });
  for (const turn of [1, 2, 3]) {
    await scene.say(prose(`turn ${turn}`, 60));
    await scene.settle();
  }
  expect(await scene.said()).toHaveLength(3);
  const story = await scene.story();
  return story.filter((line) => line.startsWith("compaction")).length;
}

it("a tier's contextWindow is the window of models whose server has a fixed one", async () => {
  expect(await compactionsWith(", contextWindow: 2000")).toBeGreaterThan(0);
  expect(await compactionsWith("")).toBe(0);
});
