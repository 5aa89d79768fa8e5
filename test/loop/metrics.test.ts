import { describe, expect, it } from "vitest";
import { recordedMetrics } from "../support/monitoring/recorded-metrics.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { calls, openScene, type SceneOptions } from "./scene.ts";

const redis = await testDatabase();

async function counting(options: Partial<SceneOptions> = {}) {
  const { metrics, counted } = recordedMetrics();
  const scene = await openScene({ redis, ...options, deps: { metrics, ...options.deps } });
  const named = (name: string) => counted.filter((each) => each[0] === name);
  return { scene, counted, named };
}

describe("a turn", () => {
  it("is counted once, with its end, its tokens and the time to its first word", async () => {
    const { scene, counted } = await counting();
    await using _ = scene;
    scene.model.reply({ text: ["Hello ", "there"] });
    await scene.say("hi", { atMs: Date.now() - 5_000 });
    await scene.run();
    expect(counted).toEqual([
      ["firstWord", expect.any(Number)],
      [
        "turnFinished",
        {
          platform: "telegram",
          outcome: "answered",
          activeMs: expect.any(Number) as number,
          spent: { "openai/gpt-4o-mini": expect.objectContaining({ requests: 1 }) as object },
        },
      ],
    ]);
    expect(counted[0]?.[1]).toBeGreaterThanOrEqual(5_000);
  });

  it("has one first word, however many model calls it takes, and counts each tool call", async () => {
    const { scene, counted, named } = await counting();
    await using _ = scene;
    scene.model.reply(
      { ...calls("look", "throws", "nowhere"), text: "A moment." },
      { text: "Done." },
    );
    await scene.say("go");
    await scene.run();
    expect(named("firstWord")).toHaveLength(1);
    expect(named("toolCalled").map(([, ...given]) => given)).toEqual([
      ["look", "done"],
      ["throws", "tool-error"],
      [undefined, "unknown-tool"],
    ]);
    expect(counted.at(-1)?.[0]).toBe("turnFinished");
  });

  it("that another worker left behind is a takeover, and no first word is measured", async () => {
    const { scene, named } = await counting({ leaseMs: 1 });
    await using _ = scene;
    await scene.say("hi");
    // A worker that dies at once.
    const begun = await scene.deps.store.begin(scene.chat);
    expect(begun.type).toBe("begun");
    scene.model.reply({ text: "Hello." });
    await expect.poll(async () => (await scene.run()).type, { interval: 5 }).toBe("done");
    expect(named("leaseTakenOver")).toHaveLength(1);
    expect(named("firstWord")).toEqual([]);
  });
});
