import * as fc from "fast-check";
import { expect, test } from "vitest";
import { SequenceTracker } from "../../../src/bots/discord/gateway/sequence.ts";
import { idBefore, madeAtMs } from "../../../src/bots/discord/receive/snowflake.ts";

test("the durable sequence is the last one below which nothing is pending, in whatever order events become durable", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ isOurs: fc.boolean(), order: fc.nat() })),
      fc.integer({ min: 0, max: 100 }),
      async (events, start) => {
        const tracker = new SequenceTracker(start);
        const open = new Map<number, (done: boolean) => void>();
        for (const [index, { isOurs }] of events.entries()) {
          const { promise, resolve } = Promise.withResolvers<boolean>();
          if (isOurs) open.set(start + index + 1, resolve);
          tracker.arrived(start + index + 1, isOurs ? promise : undefined);
        }
        const orders = [...open].toSorted(
          ([one], [other]) =>
            (events[one - start - 1]?.order ?? 0) - (events[other - start - 1]?.order ?? 0),
        );
        for (const [sequence, resolve] of orders) {
          expect(tracker.durable).toBe(Math.min(...open.keys()) - 1);
          resolve(true);
          open.delete(sequence);
          await Promise.resolve();
          await Promise.resolve();
        }
        await tracker.idle();
        expect(tracker.durable).toBe(start + events.length);
      },
    ),
  );
});

test("the position is the newest id that arrived before anything that is pending", async () => {
  const tracker = new SequenceTracker(4, "900");
  expect(tracker.position).toBe("900");
  // Ids are numbers, not text, and another channel's may come late.
  tracker.arrived(5, undefined, "1000");
  tracker.arrived(6, undefined, "999");
  expect(tracker.position).toBe("1000");
  const { promise, resolve } = Promise.withResolvers<boolean>();
  tracker.arrived(7, promise, "1001");
  tracker.arrived(8, undefined, "1002");
  tracker.arrived(9);
  expect(tracker.position).toBe("1000");
  resolve(true);
  await tracker.idle();
  expect(tracker.position).toBe("1002");
});

test("an event that another process has to take stays pending", async () => {
  const tracker = new SequenceTracker(4);
  tracker.arrived(5, Promise.resolve(false));
  tracker.arrived(6, Promise.resolve(true));
  await Promise.resolve();
  expect(tracker.durable).toBe(4);
});

test("an id just below those of a time says that time", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1_500_000_000_000, max: 2_500_000_000_000 }), (atMs) => {
      expect(madeAtMs(idBefore(atMs))).toBe(atMs - 1);
      expect(madeAtMs(`${BigInt(idBefore(atMs)) + 1n}`)).toBe(atMs);
    }),
  );
});
