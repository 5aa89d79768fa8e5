import { describe, expect, it } from "vitest";
import type { ModelFailureKind } from "../../../src/core/model.ts";
import type { TurnStore } from "../../../src/core/ports.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import type { Step } from "../../emulators/model/step.ts";
import { shown } from "../busy.ts";
import { bob, calls, defaultPolicy, openScene, type SceneOptions } from "../scene.ts";

const redis = await testDatabase();
const minuteMs = 60_000;
const askAgainAfterMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, 60 * minuteMs];

/** A scene with a clock of its own, whose models are asked again after the times above. */
async function open({ deps, ...options }: Partial<SceneOptions> = {}) {
  let nowMs = Date.now();
  const scene = await openScene({
    redis,
    ...options,
    deps: {
      askAgainAfterMs,
      clock: { monotonic: () => performance.now(), wall: () => nowMs },
      ...deps,
    },
  });
  return {
    scene,
    pass: (ms: number): void => void (nowMs += ms),
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

const away: Step = { failure: { status: 503 } };
/** Of one question: the first attempt and its three retries. */
const outage = [away, away, away, away];
const kept = expect.stringMatching(
  /^Sorry, my AI model isn't answering right now\. Your message is saved: I'll ask again in about 1 minute/,
);

describe("a turn whose models are away", () => {
  it("is kept, says so once, and is answered later in a new message that replies to the question", async () => {
    await using world = await open();
    const { scene } = world;
    let isAway = true;
    scene.model.when(/hello/, () => (isAway ? away : { text: "Here I am." }));
    await scene.say("hello");
    expect(await scene.settle()).toEqual({ type: "later", inMs: minuteMs });
    expect(await scene.hash("owner")).toBeNull();
    expect(await scene.said()).toEqual([kept]);
    world.pass(minuteMs);
    expect(await scene.settle()).toEqual({ type: "later", inMs: 5 * minuteMs });
    expect(await scene.said()).toEqual([kept]);
    world.pass(5 * minuteMs);
    isAway = false;
    expect(await scene.settle()).toEqual({ type: "done" });
    expect(await scene.outbox()).toMatchObject([
      { id: "turn-1", text: kept },
      { id: "turn-1-0", text: "Here I am.", replyTo: "1" },
    ]);
    expect(await scene.story()).toEqual(["message hello", "assistant Here I am."]);
    expect(await scene.hash("usage:modelCalls")).toBe("3");
    await scene.expectAtRest();
  });

  it("is asked nothing before its time, however often it is woken", async () => {
    await using world = await open();
    const { scene } = world;
    scene.model.reply(...outage);
    await scene.say("hello");
    await scene.settle();
    world.pass(minuteMs - 1);
    expect(await scene.settle()).toEqual({ type: "later", inMs: 1 });
    expect(scene.model.requests).toHaveLength(4);
  });

  it("ends with one sentence after the last attempt", async () => {
    await using world = await open();
    const { scene } = world;
    scene.model.when(/hello/, () => away);
    await scene.say("hello");
    for (const ms of askAgainAfterMs) {
      expect(await scene.settle()).toEqual({ type: "later", inMs: ms });
      world.pass(ms);
    }
    expect(await scene.settle()).toEqual({ type: "done" });
    expect(await scene.hash("usage:modelCalls")).toBe("5");
    expect(await scene.said()).toEqual([
      kept,
      expect.stringMatching(/^Sorry, the AI service is having problems/),
    ]);
    await scene.expectAtRest();
  });

  it("goes on where it was: calls with effects don't run again", async () => {
    await using world = await open();
    const { scene } = world;
    scene.model.reply(calls("pay"), ...outage, { text: "Paid." });
    await scene.say("pay");
    await scene.settle();
    world.pass(minuteMs);
    await scene.settle();
    expect(scene.runs).toHaveLength(1);
    expect((await scene.said()).at(-1)).toBe("Paid.");
    await scene.expectAtRest();
  });

  it.each<[string, (scene: Awaited<ReturnType<typeof open>>["scene"]) => Promise<void>]>([
    ["the requester's", (scene) => scene.say("and this?")],
    ["another person's", (scene) => scene.say("and this?", { person: bob, group: true })],
  ])("is ended by %s next message, whose answer knows the question", async (_, next) => {
    await using world = await open();
    const { scene } = world;
    scene.model.reply(...outage, { text: "To both." });
    await scene.say("hello");
    await scene.settle();
    await next(scene);
    expect(await scene.settle()).toEqual({ type: "done" });
    expect(await scene.said()).toEqual([kept, "To both."]);
    const asked = shown(scene.model.requests.at(-1)).join("\n");
    expect(asked).toContain("hello");
    expect(asked).toContain("and this?");
    expect(await scene.story()).toContain("end superseded");
    await scene.expectAtRest();
  });

  it("is ended by a stop", async () => {
    await using world = await open();
    const { scene } = world;
    scene.model.reply(...outage);
    await scene.say("hello");
    await scene.settle();
    await scene.stop();
    expect(await scene.settle()).toEqual({ type: "done" });
    expect(await scene.said()).toEqual([kept]);
    expect((await scene.story()).at(-1)).toBe("end cancelled");
    world.pass(minuteMs);
    expect(await scene.settle()).toEqual({ type: "done" });
    expect(scene.model.requests).toHaveLength(4);
    await scene.expectAtRest();
  });

  it("is ended by a retry, which asks at once", async () => {
    await using world = await open();
    const { scene } = world;
    scene.model.reply(...outage, { text: "Now." });
    await scene.say("hello");
    await scene.settle();
    await scene.control("retry");
    await scene.settle();
    expect(await scene.said()).toEqual([kept, "Now."]);
    await scene.expectAtRest();
  });

  it("stays kept when its question is edited, and is answered as edited", async () => {
    await using world = await open();
    const { scene } = world;
    scene.model.reply(...outage, { text: "Good evening." });
    await scene.say("good morning");
    await scene.settle();
    await scene.edit("1", "good evening");
    expect(await scene.settle()).toEqual({ type: "later", inMs: minuteMs });
    world.pass(minuteMs);
    await scene.settle();
    expect(shown(scene.model.requests.at(-1)).join("\n")).toContain("good evening");
    expect((await scene.said()).at(-1)).toBe("Good evening.");
  });

  it("is still kept, or answered once, wherever a worker dies", async () => {
    for (const deadly of [1, 2, 3, 4]) {
      await using world = await open({ leaseMs: 30 });
      const { scene } = world;
      scene.model.when(/hello/, () => away);
      await scene.say("hello");
      const { store } = scene.deps;
      let commits = 0;
      const dying: TurnStore = {
        ...store,
        async commit(...given) {
          if ((commits += 1) === deadly) throw new Error("killed");
          return store.commit(...given);
        },
      };
      const run = async () => {
        try {
          return (await scene.settle({ store: dying })).type;
        } catch {
          return "killed";
        }
      };
      for (const ms of [0, minuteMs, 5 * minuteMs]) {
        world.pass(ms);
        await expect
          .poll(async () => ((await scene.hash("owner")) === null ? "" : await run()))
          .toBe("");
        await expect.poll(run).not.toBe("killed");
      }
      scene.model.when(/hello/, () => ({ text: "Here." }));
      world.pass(60 * minuteMs);
      await expect
        .poll(async () => [await run(), (await scene.said()).length])
        .toEqual(["done", 2]);
      expect((await scene.said())[0]).toEqual(kept);
      expect((await scene.said())[1]).toBe("Here.");
    }
  });

  it("isn't kept where its limits allow no further call, and a schedule's has its next slot", async () => {
    await using world = await open({ deps: { policy: { ...defaultPolicy, maxModelCalls: 1 } } });
    const { scene } = world;
    scene.model.reply(...outage);
    await scene.say("hello");
    expect(await scene.settle()).toEqual({ type: "done" });
    await using other = await open();
    other.scene.model.reply(...outage);
    const schedule = { id: "abc123", slotMs: 1_790_000_000_000 };
    await other.scene.say("news?", { id: "plan:abc123:1", schedule });
    expect(await other.scene.settle()).toEqual({ type: "done" });
  });

  it("waits as long as the server asks, at most an hour", async () => {
    for (const [seconds, minutes] of [
      [600, 10],
      [90_000, 60],
    ] as const) {
      await using world = await open();
      world.scene.model.reply({ failure: { status: 429, retryAfterSeconds: seconds } });
      await world.scene.say("hello");
      expect(await world.scene.settle()).toEqual({ type: "later", inMs: minutes * minuteMs });
    }
  });
});

const failures: readonly (readonly [ModelFailureKind, Step, boolean])[] = [
  ["overloaded", away, true],
  ["rate-limited", { failure: { status: 429 } }, true],
  ["timeout", { failure: { status: 504 } }, true],
  ["network", { failure: "cut-before-headers" }, true],
  ["auth", { failure: { status: 401 } }, false],
  ["invalid-request", { failure: { status: 400, message: "no" } }, false],
  ["refused", { text: "", finish: "content_filter" }, false],
];

it.each(failures)("a failure of the kind %s: %j → kept: %s", async (_, step, isKept) => {
  await using world = await open();
  const { scene } = world;
  scene.model.reply(step, step, step, step);
  await scene.say("hello");
  expect((await scene.settle()).type).toBe(isKept ? "later" : "done");
});
