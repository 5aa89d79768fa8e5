import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { balanced, predict, type Deployment } from "../../bench/scale-model.ts";
import { coresElsewhere } from "../../bench/support/measure.ts";
import { cpuBySlot, slotKindOf, slotKinds, without } from "../../bench/support/slot-work.ts";
import { botOf, chatKey } from "../../src/core/chat.ts";
import { turnQueueName } from "../../src/queue/names.ts";
import { chatKeys, limitsKey, paceKey, readyKey } from "../../src/store/keys.ts";

const cost = {
  botsMs: 1,
  workerMs: 3,
  redis: { turnsMs: 0.2, limitsMs: 0.1, perBotMs: 0.3, shardsMs: 0.4 },
};
const deployment: Deployment = {
  cores: 1_000,
  masters: 1,
  turnPartitions: 1,
  bots: 1,
  botsProcesses: 100,
  workers: 300,
  modelMs: 1_000,
  turnsPerWorker: 1_000,
};

const of = (given: Partial<Deployment>): readonly (number | string)[] => {
  const { perSecond, bottleneck } = predict(cost, { ...deployment, ...given });
  return [Math.round(perSecond), bottleneck];
};

describe("a deployment's turns a second", () => {
  it("are what its tightest part carries, and that is named", () => {
    expect(of({})).toEqual([1_000, "Redis' one core"]);
    expect(of({ cores: 2 })).toEqual([400, "all cores"]);
    expect(of({ cores: 2, alongsideMs: 5 })).toEqual([200, "all cores"]);
    expect(of({ workers: 1 })).toEqual([333, "workers' CPU"]);
    expect(of({ botsProcesses: 0.5 })).toEqual([500, "bots processes"]);
    expect(of({ modelMs: 600_000 })).toEqual([500, "turns that workers hold"]);
    expect(of({ askedPerSecond: 50 })).toEqual([50, "what people ask"]);
    expect(of({ masters: 2 })).toEqual([2_000, "all masters of Redis"]);
    expect(of({ masters: 4 })).toEqual([3_333, "Redis: a bot's own slots"]);
    expect(of({ masters: 8, bots: 10 })).toEqual([5_000, "Redis: the slot of the turns' queue"]);
    expect(of({ masters: 8, bots: 10, turnPartitions: 8 })).toEqual([
      8_000,
      "all masters of Redis",
    ]);
  });

  it("never become fewer with more of anything", () => {
    const more = fc.constantFrom("cores", "botsProcesses", "workers", "turnsPerWorker");
    const count = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(more, count, count, count, (name, masters, bots, times) => {
        const small = { ...deployment, masters, bots, turnPartitions: times };
        const large = { ...small, [name]: small[name] * (1 + times) };
        expect(predict(cost, large).perSecond).toBeGreaterThanOrEqual(
          predict(cost, small).perSecond,
        );
      }),
    );
  });

  it("are predicted of processes in the ratio of what they cost", () => {
    expect(balanced(cost, 8)).toEqual({ botsProcesses: 2, workers: 6 });
    expect(balanced(cost, 2)).toEqual({ botsProcesses: 1, workers: 1 });
  });
});

it("what others use of the machine is what neither the bench nor its Redis has used", () => {
  const redis = { cpuMs: 10, commands: 0, reads: 0 };
  const before = { atMs: 0, busyMs: 500, oursMs: 100, redis };
  const after = (busyMs: number) => ({
    atMs: 1_000,
    busyMs,
    oursMs: 400,
    redis: { ...redis, cpuMs: 60 },
  });
  expect(coresElsewhere(before, after(1_350))).toBe(0.5);
  expect(coresElsewhere(before, after(850))).toBe(0);
  expect(coresElsewhere(before, after(800))).toBe(0);
});

describe("Redis' work by slot", () => {
  it("is told apart by the keys that the product has", () => {
    const chat = chatKey({ platform: "telegram", bot: "1", chat: "2" });
    expect(slotKindOf(`parley:${turnQueueName}:wait`)).toBe("turns");
    expect(slotKindOf(readyKey(botOf(chat)))).toBe("deliveries");
    expect(slotKindOf(limitsKey("use"))).toBe("limits");
    expect(slotKindOf(paceKey("telegram:1", "all"))).toBe("pace");
    expect(slotKindOf(chatKeys(chat).inbox)).toBe("chats");
    expect(slotKindOf("anything")).toBe("other");
  });

  it("adds up to what was measured without a watch, however long watched scripts took", () => {
    const work = fc.record({
      commands: fc.integer({ min: 1, max: 1_000 }),
      scriptMs: fc.double({ min: 0.01, max: 1_000, noNaN: true }),
    });
    fc.assert(
      fc.property(
        fc.array(work, {
          minLength: slotKinds.length,
          maxLength: slotKinds.length,
        }),
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        (each, cpuMs) => {
          const shares = cpuBySlot(
            new Map(slotKinds.map((kind, index) => [kind, each[index]!])),
            cpuMs,
          );
          const all = [...shares.values()];
          expect(Math.min(...all)).toBeGreaterThan(0);
          expect(all.reduce((sum, one) => sum + one, 0)).toBeCloseTo(cpuMs, 6);
        },
      ),
    );
  });

  it("is told without what goes on beside, and never as less than nothing", () => {
    const all = new Map([
      ["chats", { commands: 100, scriptMs: 10 }],
      ["turns", { commands: 5, scriptMs: 1 }],
    ] as const);
    const beside = new Map([
      ["chats", { commands: 20, scriptMs: 2 }],
      ["turns", { commands: 4, scriptMs: 0 }],
    ] as const);
    const left = without(all, beside, 2);
    expect(left.get("chats")).toEqual({ commands: 60, scriptMs: 6 });
    expect(left.get("turns")).toEqual({ commands: 0, scriptMs: 1 });
    expect(left.get("pace")).toEqual({ commands: 0, scriptMs: 0 });
  });
});
