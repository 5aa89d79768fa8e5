import { describe, expect, it } from "vitest";
import { chatKey } from "../../../src/core/chat.ts";
import type { Limit } from "../../../src/core/limits.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { MemoryBudget } from "../compaction/memory-budget.ts";
import { ann, calls, openScene, until } from "../scene.ts";

const redis = await testDatabase();

const oneTurn: Limit = { metric: "turns", per: "at-once", max: 1 };
const someoneElses = "somebody else's turn";

async function open({ taken = false } = {}) {
  const budget = new MemoryBudget([oneTurn]);
  if (taken) budget.places.add(someoneElses);
  const scene = await openScene({ redis, deps: { budget } });
  return { scene, budget };
}

describe("turns that may run at the same time", () => {
  it("a turn has its place while it runs, and none afterwards", async () => {
    const { scene, budget } = await open();
    await using _ = scene;
    const gate = scene.model.hold(/hi/, { at: "headers" });
    await scene.say("hi");
    const ended = scene.settle();
    await gate.waitUntilHeld();
    expect([...budget.places]).toEqual([`${scene.chat}/1`]);
    gate.release();
    await ended;
    expect(budget.places.size).toBe(0);
    await scene.expectAtRest();
  });

  it("where there is no place the turn is given back, nothing is asked, and its person is told once", async () => {
    const { scene, budget } = await open({ taken: true });
    await using _ = scene;
    await scene.say("first");
    await scene.say("second");
    for (let looks = 0; looks < 3; looks += 1) {
      const result = await scene.run();
      expect(result.type).toBe("later");
      if (result.type === "later") expect(result.inMs).toBeGreaterThanOrEqual(1_000);
    }
    expect(scene.model.received).toBe(0);
    expect(await scene.hash("owner")).toBeNull();
    expect(await scene.notices()).toEqual([
      expect.stringMatching(/already working on 1 answer, the limit/) as string,
    ]);
    expect((await scene.state())?.counters.modelCalls).toBe(0);
    budget.places.delete(someoneElses);
    await scene.settle();
    expect(await scene.said()).toEqual(["You said: first", "You said: second"]);
    expect(await scene.notices()).toHaveLength(1);
    expect(await scene.hash("usage:modelCalls")).toBe("2");
    expect(budget.places.size).toBe(0);
    await scene.expectAtRest();
  });

  it("a stop ends a turn that waits for its place", async () => {
    const { scene } = await open({ taken: true });
    await using _ = scene;
    await scene.say("hi");
    await scene.run();
    await scene.stop();
    await scene.settle();
    expect(await scene.story()).toEqual(["message hi", "end cancelled"]);
    expect(scene.model.received).toBe(0);
    await scene.expectAtRest();
  });

  it("a turn that waits for a person has none, and takes one again when it goes on", async () => {
    const { scene, budget } = await open();
    await using _ = scene;
    scene.model.reply(calls("buy"), { text: "Bought." });
    await scene.say("buy");
    await scene.settle();
    expect(budget.places.size).toBe(0);
    await scene.decide(0, "approved");
    budget.places.add(someoneElses);
    expect((await scene.settle()).type).toBe("later");
    expect(scene.runs).toEqual([]);
    budget.places.delete(someoneElses);
    await scene.settle();
    expect(scene.runs).toEqual(['buy {"label":"0"}']);
    expect(await scene.said()).toEqual(["Bought."]);
    await scene.expectAtRest();
  });

  it("a worker that stops gives the place back with the turn", async () => {
    const { scene, budget } = await open();
    await using _ = scene;
    const gate = scene.model.hold(/hi/, { at: "headers" });
    await scene.say("hi");
    const stopping = new AbortController();
    const ended = scene.run(stopping.signal);
    await gate.waitUntilHeld();
    stopping.abort("shutdown");
    await ended;
    expect(budget.places.size).toBe(0);
    gate.release();
    await scene.settle();
    expect(await scene.said()).toEqual(["You said: hi"]);
    await scene.expectAtRest();
  });

  it("a worker that lost the turn leaves its permit to the worker that has it now", async () => {
    const budget = new MemoryBudget([oneTurn]);
    await using scene = await openScene({
      redis,
      leaseMs: 50,
      deps: { budget },
    });
    const gate = scene.model.hold(/hi/, { at: "headers" });
    await scene.say("hi");
    const lost = scene.run();
    await gate.waitUntilHeld();
    await until(async () => Number(await scene.hash("lease")) <= Date.now(), "the lease's end");
    const owner = await scene.deps.store.begin(scene.chat);
    expect(owner.type).toBe("begun");
    gate.release();
    await lost;
    expect([...budget.places]).toEqual([`${scene.chat}/1`]);
  });

  it("the heartbeat keeps it", async () => {
    const { scene, budget } = await open();
    await using _ = scene;
    const gate = scene.model.hold(/hi/, { at: "headers" });
    await scene.say("hi");
    const ended = scene.run(undefined, { heartbeatMs: 5 });
    await gate.waitUntilHeld();
    await until(
      () => budget.asked.filter((each) => each.startsWith("enter")).length > 2,
      "further heartbeats",
    );
    gate.release();
    await ended;
    expect(budget.places.size).toBe(0);
    await scene.expectAtRest();
  });

  it("a heartbeat that is still under way does not take it again once it was left", async () => {
    const { scene, budget } = await open();
    await using _ = scene;
    const gate = scene.model.hold(/hi/, { at: "headers" });
    const isUnderWay = Promise.withResolvers<void>();
    const mayGoOn = Promise.withResolvers<void>();
    let entered = 0;
    let isDone = 0;
    await scene.say("hi");
    const ended = scene.run(undefined, {
      heartbeatMs: 5,
      budget: budget.but({
        async enter(...given) {
          entered += 1;
          // As one does that has to read the limits again before.
          if (entered > 1) {
            isUnderWay.resolve();
            await mayGoOn.promise;
          }
          const reservation = await budget.enter(...given);
          isDone += 1;
          return reservation;
        },
      }),
    });
    await gate.waitUntilHeld();
    await isUnderWay.promise;
    gate.release();
    await until(async () => (await scene.said()).length === 1, "the answer");
    mayGoOn.resolve();
    await ended;
    await until(() => isDone === entered, "the end of all heartbeats");
    expect(budget.places.size).toBe(0);
    await scene.expectAtRest();
  });
});

describe("what people's limits allow a turn", () => {
  it.each([
    ["maxModelCalls", { maxModelCalls: 1 }, "max-model-calls"],
    ["maxToolExecutions", { maxToolExecutions: 0 }, "max-tool-executions"],
    ["maxTokens", { maxTokens: 1 }, "max-tokens"],
  ] as const)("%s: is never passed, whatever the chat has set", async (_name, caps, reason) => {
    await using scene = await openScene({
      redis,
      chat: chatKey({
        platform: "telegram",
        bot: "bot",
        chat: `caps-${reason}`,
      }),
      deps: { budget: new MemoryBudget([], caps) },
    });
    await scene.set("maxModelCalls", "50");
    await scene.set("maxToolExecutions", "50");
    await scene.set("maxTokens", "1000000");
    scene.model.reply(calls("look"), { text: "Done." });
    await scene.say("look");
    await scene.settle();
    expect((await scene.story()).at(-1)).toBe(`end ${reason}`);
    await scene.expectAtRest();
  });

  it("is asked once for a session, and holds from the next message on", async () => {
    const budget = new MemoryBudget([], { maxModelCalls: 1 });
    await using scene = await openScene({ redis, deps: { budget } });
    scene.model.reply(calls("look"), calls("look"), { text: "Done." });
    await scene.say("look");
    await scene.settle();
    budget.caps = {};
    await scene.say("look");
    await scene.settle();
    expect((await scene.story()).at(-1)).toBe("assistant Done.");
    await scene.expectAtRest();
  });
});

describe("a turn of a person who begins many turns", () => {
  it("waits before its model is asked, and says when it has ended", async () => {
    const said: string[] = [];
    await using scene = await openScene({
      redis,
      deps: {
        turnStarts: {
          enter(personId, signal) {
            said.push(`${personId} ${signal.aborted} ${scene.model.received}`);
            const leave = () => said.push(`left ${scene.model.received}`);
            return Promise.resolve({ [Symbol.dispose]: () => void leave() });
          },
        },
      },
    });
    await scene.say("hi");
    await scene.settle();
    expect(said).toEqual([`${ann.id} false 0`, "left 1"]);
    await scene.expectAtRest();
  });

  it("comes back later where too many of theirs wait, as it was, and no one is told", async () => {
    let isThrottled = true;
    await using scene = await openScene({
      redis,
      deps: {
        turnStarts: {
          enter: () =>
            Promise.resolve(isThrottled ? "throttled" : { [Symbol.dispose]: () => undefined }),
        },
      },
    });
    await scene.say("hi");
    expect((await scene.run()).type).toBe("later");
    expect([scene.model.received, await scene.outbox()]).toEqual([0, []]);
    isThrottled = false;
    await scene.settle();
    expect(await scene.said()).toEqual(["You said: hi"]);
    expect(scene.model.received).toBe(1);
    await scene.expectAtRest();
  });
});
