import { describe, expect, it } from "vitest";
import { PauseWatch } from "../../src/jobs/pause-watch.ts";
import type { ChatKey } from "../../src/core/chat.ts";
import type { Pauses } from "../../src/core/pause.ts";
import { until } from "../store/support.ts";

const [anna, ben, dora] = ["telegram:77:1", "telegram:77:2", "discord:9:3"] as ChatKey[] as [
  ChatKey,
  ChatKey,
  ChatKey,
];

/** A watch on pauses that the test sets, with everything that it does. */
function watched(pauses: Pauses = {}) {
  const seen = {
    pauses,
    isAway: false,
    broken: undefined as ChatKey | undefined,
    /** No one waits in the chats: there is no one to tell. */
    isEmpty: false,
    nowMs: 0,
    reads: 0,
    did: [] as string[],
    warnings: [] as unknown[],
  };
  const note =
    (what: string) =>
    (chat: ChatKey): Promise<void> =>
      Promise.resolve(void seen.did.push(`${what} ${chat}`));
  const watch = new PauseWatch({
    pauses: {
      read: () => {
        seen.reads += 1;
        return seen.isAway
          ? Promise.reject(new Error("Redis is away"))
          : Promise.resolve(seen.pauses);
      },
    },
    wake: note("wake"),
    notify: async (chat) => {
      await note("tell")(chat);
      return !seen.isEmpty;
    },
    halt: async (chat) => {
      await note("halt")(chat);
      if (chat === seen.broken) throw new Error("it cannot be read");
    },
    monotonic: () => seen.nowMs,
    log: { warn: (facts: unknown) => void seen.warnings.push(facts) } as never,
  });
  return Object.assign(seen, { watch });
}

const paused = { sinceMs: 1, isNow: false };
const held = () => Promise.resolve({ type: "held" } as const);

describe("a worker's view of the kill switch", () => {
  it("knows what is paused of which platform, without asking for each chat", async () => {
    const seen = watched({ telegram: paused });
    await using watch = seen.watch;
    expect(await watch.hold(anna)).toBe("new");
    const { reads } = seen;
    for (let again = 0; again < 100; again += 1) {
      expect(watch.hold(anna)).toBe("new");
      expect(watch.hold(dora)).toBeUndefined();
    }
    expect(seen.reads - reads).toBeLessThan(5);
  });

  it("asks when what it knows is a second old, and says nothing where it cannot", async () => {
    const seen = watched();
    await using watch = seen.watch;
    await watch.hold(anna);
    seen.pauses = { all: { sinceMs: 1, isNow: true } };
    seen.nowMs = 1_000;
    expect(await watch.hold(anna)).toBe("all");
    seen.isAway = true;
    seen.nowMs = 5_000;
    await expect(Promise.resolve(watch.hold(anna))).rejects.toThrow("away");
  });

  it("tells a chat that is left alone once, and wakes it when the pause is over, no other", async () => {
    const seen = watched({ telegram: paused, discord: paused });
    await using watch = seen.watch;
    await watch.hold(anna);
    for (const chat of [anna, anna, dora])
      expect(await watch.drain(chat, held)).toEqual({ type: "done" });
    expect(seen.did).toEqual([`tell ${anna}`, `tell ${dora}`]);
    seen.pauses = { discord: paused };
    await until(() => seen.did.includes(`wake ${anna}`));
    expect(seen.did).not.toContain(`wake ${dora}`);
  });

  it("tells a chat in which no one waited as soon as someone does", async () => {
    const seen = watched({ all: paused });
    await using watch = seen.watch;
    await watch.hold(anna);
    seen.isEmpty = true;
    await watch.drain(anna, held);
    seen.isEmpty = false;
    for (let again = 0; again < 2; again += 1) await watch.drain(anna, held);
    expect(seen.did).toEqual([`tell ${anna}`, `tell ${anna}`]);
    seen.pauses = {};
    await until(() => seen.did.includes(`wake ${anna}`));
  });

  it("wakes all that it has left alone, however many those are", async () => {
    const seen = watched({ all: paused });
    await using watch = seen.watch;
    await watch.hold(anna);
    const chats = Array.from({ length: 450 }, (_, index) => `telegram:77:${index}` as ChatKey);
    for (const chat of chats) await watch.drain(chat, held);
    seen.did.length = 0;
    seen.pauses = {};
    await until(() => seen.did.length >= chats.length);
    expect(seen.did.toSorted()).toEqual(chats.map((chat) => `wake ${chat}`).toSorted());
  });

  it("stops what this worker is at where it is paused with `now`", async () => {
    const seen = watched();
    await using watch = seen.watch;
    const ends = Promise.withResolvers<void>();
    const running = watch.drain(ben, async () => {
      await ends.promise;
      return { type: "done" };
    });
    await watch.drain(anna, () => Promise.resolve({ type: "again" }));
    seen.pauses = { telegram: paused };
    const { reads } = seen;
    await until(() => seen.reads > reads + 1);
    expect(seen.did).toEqual([]);
    seen.pauses = { telegram: { ...paused, isNow: true } };
    // Again and again: a turn may have been opened in between.
    await until(() => seen.did.filter((each) => each === `halt ${ben}`).length > 1);
    ends.resolve();
    expect(await running).toEqual({ type: "done" });
    expect(seen.did).not.toContain(`halt ${anna}`);
  });

  it("stops every other turn where one cannot be stopped, and wakes what is free", async () => {
    const seen = watched({ discord: paused });
    await using watch = seen.watch;
    await watch.hold(dora);
    await watch.drain(dora, held);
    const ends = Promise.withResolvers<void>();
    seen.broken = anna;
    const running = [anna, ben].map((chat) =>
      watch.drain(chat, async () => {
        await ends.promise;
        return { type: "done" };
      }),
    );
    seen.pauses = { telegram: { ...paused, isNow: true } };
    await until(() => seen.did.includes(`halt ${ben}`) && seen.did.includes(`wake ${dora}`));
    ends.resolve();
    await Promise.all(running);
    expect(seen.warnings).toHaveLength(1);
  });

  it("complains once while Redis is away, and goes on by itself", async () => {
    const seen = watched();
    await using _ = seen.watch;
    seen.isAway = true;
    const { reads } = seen;
    await until(() => seen.reads > reads + 2);
    expect(seen.warnings).toHaveLength(1);
    seen.isAway = false;
    seen.pauses = { all: paused };
    const later = seen.reads;
    await until(() => seen.reads > later + 1);
    expect(seen.watch.hold(anna)).toBe("new");
  });
});
