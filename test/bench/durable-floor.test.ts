import { describe, expect, it } from "vitest";
import { keysOf } from "../../bench/durable-floor/store.ts";
import { freshChats, smokeSizes, withSystem, type Scene } from "../../bench/support/measure.ts";
import { startStubs, type Stubs } from "../../bench/support/stubs.ts";
import { systems } from "../../bench/systems.ts";

const floors = systems.filter(({ name }) => name.startsWith("Durable floor"));

/** What is still to be done: jobs, chats in the wake index, chats to send to. */
const pendingKeys = async ({ redis: { client } }: Scene): Promise<readonly string[]> =>
  (await client.keys("floor:*")).filter((key) =>
    /:(?:wake|\{ready\}|active|wait|delayed|prioritized|paused)$/.test(key),
  );

/** Longer than any test: the model answers nothing until the processes are killed. */
const heldMs = 600_000;

/**
 * Writes to every chat, kills all processes as soon as `isDue`, starts them again, with a model that
 * answers at once, and waits until nothing is left to do. Returns how many answers each chat got.
 */
async function killedOnce(
  scene: Scene,
  chats: readonly number[],
  isDue: () => Promise<boolean>,
): Promise<ReadonlyMap<number, number>> {
  const { stubs, system, setting, running } = scene;
  await stubs.pour(chats);
  await expect.poll(isDue, { interval: 1, timeout: 30_000 }).toBe(true);
  await running.kill();
  await stubs.modelDelay(0);
  await using second = await system.start(setting);
  expect(second.pids).toHaveLength(running.pids.length);
  await expect.poll(() => pendingKeys(scene), { timeout: 30_000 }).toEqual([]);
  return new Map((await stubs.report()).answers);
}

const requestsOf = async (stubs: Stubs): Promise<number> => (await stubs.modelStats()).requests;

describe.each(floors)("the bench's $name, killed with SIGKILL", (system) => {
  it("loses and doubles nothing with 100 turns in flight", { timeout: 60_000 }, async () => {
    await using stubs = await startStubs();
    await withSystem({ stubs, system, sizes: smokeSizes }, {}, async (scene) => {
      const chats = freshChats(100);
      await stubs.modelDelay(heldMs);
      const answers = await killedOnce(
        scene,
        chats,
        async () => (await requestsOf(stubs)) >= chats.length,
      );
      expect(answers).toEqual(new Map(chats.map((chat) => [chat, 1])));
    });
  });

  it(
    "doubles nothing at any step, and knows what it may have lost",
    { timeout: 60_000 },
    async () => {
      await using stubs = await startStubs();
      await withSystem({ stubs, system, sizes: smokeSizes }, {}, async (scene) => {
        const chats = freshChats(400);
        // Messages wait, and are accepted, answered, stored and sent just then.
        const answers = await killedOnce(
          scene,
          chats,
          async () => (await requestsOf(stubs)) >= 100,
        );
        for (const chat of chats) {
          const receipts = await scene.redis.client.hvals(keysOf(chat).sent);
          expect(receipts).toHaveLength(1);
          if (receipts[0] !== "unknown") expect(answers.get(chat)).toBe(1);
          else expect(answers.get(chat) ?? 0).toBeLessThanOrEqual(1);
        }
      });
    },
  );
});
