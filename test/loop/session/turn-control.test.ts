import { describe, expect, it } from "vitest";
import type { WhileBusy } from "../../../src/core/chat-settings.ts";
import type { Session, TurnStore } from "../../../src/core/ports.ts";
import { listenForStops } from "../../../src/store/turns/stop-listener.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { heard, holdTool, looking, shown, write } from "../busy.ts";
import {
  bob,
  calls,
  defaultPolicy,
  openScene,
  until,
  type Scene,
  type SceneOptions,
} from "../scene.ts";

const redis = await testDatabase();
const open = (options: Partial<SceneOptions> = {}) => openScene({ redis, ...options });

/** A chat in one of the modes: the chat's own, or the deployment's. */
async function openIn(mode: WhileBusy, by: "setting" | "default" = "setting"): Promise<Scene> {
  const scene = await open(by === "default" ? { whileBusy: mode } : {});
  if (by === "setting") await scene.set("whileBusy", mode);
  return scene;
}

const ways = ["setting", "default"] as const;

describe("the word of who receives", () => {
  it.each([
    ["steer", ["You said: two"]],
    ["interrupt", ["You said: two"]],
  ] as const)("reaches a worker at once, in the mode %s", async (mode, said) => {
    await using scene = await openIn(mode);
    using stops = await listenForStops(scene.parts.store.redis);
    scene.with({ onNews: stops.onStop });
    const turn = await looking(scene, "one");
    await heard(scene, () => scene.say("two"));
    await turn.see();
    await scene.settle();
    expect(await scene.said()).toEqual(said);
    await scene.expectAtRest();
  });

  it("is not sent where no one needs it", async () => {
    await using scene = await openIn("followup");
    using stops = await listenForStops(scene.parts.store.redis);
    let told = 0;
    scene.with({
      onNews: (chat, listener) =>
        stops.onStop(chat, () => {
          told += 1;
          listener();
        }),
    });
    const turn = await looking(scene, "one");
    await scene.say("two");
    await scene.stop();
    await until(() => told > 0, "the stop, which comes behind it");
    expect(told).toBe(1);
    await turn.see();
    await scene.settle();
    // Where the draft was shown before the stop came, its message says so.
    const said = await scene.said();
    expect(said.filter((each) => each !== "(stopped)")).toEqual([]);
    await scene.expectAtRest();
  });
});

describe("followup", () => {
  it.each(ways)("by %s: each message has its own turn", async (way) => {
    await using scene = await openIn("followup", way);
    const turn = await looking(scene, "one");
    await write(scene, ["two"], ["three"]);
    await turn.see();
    await scene.settle();
    expect(await scene.said()).toEqual([
      "look said: look 0 done",
      "You said: two",
      "You said: three",
    ]);
    await scene.expectAtRest();
  });
});

describe("steer", () => {
  it.each(ways)("by %s: what the requester writes joins at the next round", async (way) => {
    await using scene = await openIn("steer", way);
    const turn = await looking(scene, "one");
    await write(scene, ["and two"], ["and three"]);
    await turn.see();
    expect(shown(scene.model.requests[1])).toEqual([
      "user one",
      "assistant [look]",
      "tool look 0 done",
      "user and two",
      "user and three",
    ]);
    expect(await scene.said()).toEqual(["You said: and three"]);
    expect(await scene.story()).toEqual([
      "message one",
      "assistant [look]",
      "tool look done",
      "message and two",
      "message and three",
      "assistant You said: and three",
    ]);
    expect(await scene.run()).toEqual({ type: "done" });
    await scene.expectAtRest();
  });

  it("someone else's message waits, and everything behind it too", async () => {
    await using scene = await openIn("steer");
    const turn = await looking(scene, "one");
    await write(scene, ["and two"], ["mine", bob], ["and three"]);
    await turn.see();
    expect(shown(scene.model.requests[1]).slice(3)).toEqual(["user and two"]);
    await scene.settle();
    expect(await scene.said()).toEqual([
      "You said: and two",
      "You said: mine",
      "You said: and three",
    ]);
    expect((await scene.story()).slice(2)).toEqual([
      "tool look done",
      "message and two",
      "assistant You said: and two",
      "message mine",
      "assistant You said: mine",
      "message and three",
      "assistant You said: and three",
    ]);
    await scene.expectAtRest();
  });

  it("what comes while the answer itself is written has its own turn", async () => {
    await using scene = await openIn("steer");
    const gate = scene.model.hold("one");
    await scene.say("one");
    const running = scene.run();
    await gate.waitUntilHeld();
    await write(scene, ["two"]);
    gate.release();
    await running;
    await scene.settle();
    expect(await scene.said()).toEqual(["You said: one", "You said: two"]);
    await scene.expectAtRest();
  });

  it("a reset, and what stands behind it, does not join", async () => {
    await using scene = await openIn("steer");
    const turn = await looking(scene, "one");
    await write(scene, ["and two"]);
    await scene.reset();
    await write(scene, ["three"]);
    await turn.see();
    await scene.settle();
    expect(await scene.said()).toEqual(["You said: and two", "You said: three"]);
    expect(shown(scene.model.requests.at(-1))).toEqual(["user three"]);
    await scene.expectAtRest();
  });

  it("a turn that has reached a limit takes nothing in", async () => {
    await using scene = await openIn("steer");
    scene.with({ policy: { ...defaultPolicy, maxModelCalls: 2 } });
    const turn = await looking(scene, "one");
    await write(scene, ["two"]);
    await turn.see();
    await scene.settle();
    expect(await scene.story()).toEqual([
      "message one",
      "assistant [look]",
      "tool look done",
      expect.stringMatching(/^assistant look said: look 0 done\n/),
      "end max-model-calls",
      "message two",
      "assistant You said: two",
    ]);
    await scene.expectAtRest();
  });

  it("/stop ends the turn with all that has joined it; what comes later is answered", async () => {
    await using scene = await openIn("steer");
    const turn = await looking(scene, "one");
    await write(scene, ["and two"]);
    const gate = scene.model.hold("and two", { at: "headers" });
    const seen = turn.see();
    await gate.waitUntilHeld();
    await scene.stop();
    await seen;
    gate.release();
    await scene.say("three");
    await scene.settle();
    expect((await scene.story()).slice(3)).toEqual([
      "message and two",
      "end cancelled",
      "message three",
      "assistant You said: three",
    ]);
    await scene.expectAtRest();
  });

  it("what waits when /stop comes is cancelled too, and is part of the history", async () => {
    await using scene = await openIn("steer");
    const turn = await looking(scene, "one");
    await write(scene, ["and two"]);
    await scene.stop();
    await turn.see();
    await scene.say("three");
    await scene.settle();
    expect(await scene.said()).toEqual(["You said: three"]);
    expect((await scene.story()).filter((line) => /^end|^mess/.test(line))).toEqual([
      "message one",
      "end cancelled",
      "message and two",
      "end cancelled",
      "message three",
    ]);
    await scene.expectAtRest();
  });

  it("a message from behind a stop that the worker has not heard of does not end with the turn", async () => {
    await using scene = await openIn("steer");
    const turn = await looking(scene, "one");
    await write(scene, ["and two"]);
    const { store } = scene.deps;
    const { inbox } = scene.parts;
    // The stop and what follows it come after the last word that the session had of the store.
    let told = false;
    const original: TurnStore = { ...store };
    Object.assign(store, {
      async waiting(session: Session) {
        if (!told) {
          told = true;
          await inbox.stop(scene.chat);
          await scene.say("three");
        }
        return await original.waiting(session);
      },
    });
    await turn.see();
    await scene.settle();
    expect(told).toBe(true);
    expect(await scene.said()).toEqual(["You said: three"]);
    await scene.expectAtRest();
  });
});

describe("interrupt", () => {
  it.each(ways)(
    "by %s: the requester's newer message ends the turn, and what was said is kept",
    async (way) => {
      await using scene = await openIn("interrupt", way);
      scene.model.reply({ text: ["One ", "two ", "three"] });
      const gate = scene.model.hold("count", { at: 2 });
      await scene.say("count");
      const running = scene.run();
      await gate.waitUntilHeld();
      await write(scene, ["never mind"]);
      expect(await running).toEqual({ type: "again" });
      await scene.model.waitForRequest(({ state }) => state === "aborted");
      gate.release();
      await scene.settle();
      expect(await scene.said()).toEqual(["One two ", "You said: never mind"]);
      expect(await scene.log()).toMatchObject([
        { kind: "message", text: "count" },
        { kind: "assistant", text: "One two ", partial: true },
        { kind: "end", reason: "superseded" },
        { kind: "message", text: "never mind" },
        { kind: "assistant", text: "You said: never mind" },
      ]);
      await scene.expectAtRest();
    },
  );

  it("someone else's message waits", async () => {
    await using scene = await openIn("interrupt");
    const gate = scene.model.hold("one");
    await scene.say("one");
    const running = scene.run();
    await gate.waitUntilHeld();
    await write(scene, ["mine", bob]);
    gate.release();
    await running;
    await scene.settle();
    expect(await scene.said()).toEqual(["You said: one", "You said: mine"]);
    await scene.expectAtRest();
  });

  it("of several newer messages the newest is answered, and the model reads all", async () => {
    await using scene = await openIn("interrupt");
    const gate = scene.model.hold("one", { at: "headers" });
    await scene.say("one");
    const running = scene.run();
    await gate.waitUntilHeld();
    await write(scene, ["two"], ["mine", bob], ["three"]);
    await running;
    gate.release();
    await scene.settle();
    expect(await scene.said()).toEqual(["You said: mine", "You said: three"]);
    expect(shown(scene.model.requests.at(-1))).toEqual([
      "user one",
      "user two",
      "user mine",
      "assistant You said: mine",
      "user three",
    ]);
    await scene.expectAtRest();
  });

  it("nothing is said of a turn of which nothing was shown", async () => {
    await using scene = await openIn("interrupt");
    const gate = scene.model.hold("one", { at: "headers" });
    await scene.say("one");
    const running = scene.run();
    await gate.waitUntilHeld();
    await write(scene, ["two"]);
    await running;
    gate.release();
    await scene.settle();
    expect(await scene.outbox()).toMatchObject([{ text: "You said: two" }]);
    await scene.expectAtRest();
  });

  it("a call that was running has an unknown outcome, and is not made again", async () => {
    await using scene = await openIn("interrupt");
    scene.model.when("pay", calls("pay"));
    const release = holdTool(scene, "pay");
    await scene.say("pay");
    const running = scene.run();
    await until(() => scene.runs.length === 1, "the payment");
    await write(scene, ["wait"]);
    await running;
    release();
    await scene.settle();
    expect(await scene.story()).toEqual([
      "message pay",
      "assistant [pay]",
      "tool pay outcome-unknown",
      "end superseded",
      "message wait",
      "assistant You said: wait",
    ]);
    expect(scene.runs).toHaveLength(1);
    await scene.expectAtRest();
  });

  it("a call that may be sent again is not said to have never run", async () => {
    await using scene = await openIn("interrupt");
    scene.model.when("send", calls("send", "set"));
    const release = holdTool(scene, "send");
    await scene.say("send");
    const running = scene.run();
    await until(() => scene.runs.length === 1, "the sending");
    await write(scene, ["wait"]);
    await running;
    release();
    await scene.settle();
    expect(
      (await scene.log()).flatMap((entry) =>
        entry.kind === "tool" ? [`${entry.name} ${entry.text}`] : [],
      ),
    ).toEqual([
      expect.stringMatching(/^send cancelled: .*not run to its end/),
      expect.stringMatching(/^set superseded: .*before it was run/),
    ]);
    await scene.expectAtRest();
  });

  it("news that no one brought are found by the next heartbeat", async () => {
    await using scene = await openIn("interrupt");
    scene.with({ heartbeatMs: 10 });
    const gate = scene.model.hold("one", { at: "headers" });
    await scene.say("one");
    const running = scene.run();
    await gate.waitUntilHeld();
    await scene.say("two");
    expect(await running).toEqual({ type: "again" });
    gate.release();
    await scene.settle();
    expect(await scene.said()).toEqual(["You said: two"]);
    await scene.expectAtRest();
  });
});

describe("collect", () => {
  it.each(ways)("by %s: what one person wrote meanwhile becomes one turn", async (way) => {
    await using scene = await openIn("collect", way);
    const turn = await looking(scene, "one");
    await write(scene, ["two"], ["three"], ["four"]);
    await turn.see();
    await scene.settle();
    expect(await scene.said()).toEqual(["look said: look 0 done", "You said: four"]);
    expect(shown(scene.model.requests.at(-1)).slice(-3)).toEqual([
      "user two",
      "user three",
      "user four",
    ]);
    await scene.expectAtRest();
  });

  it("another person's message ends the collection", async () => {
    await using scene = await openIn("collect");
    const turn = await looking(scene, "one");
    await write(scene, ["two"], ["three"], ["mine", bob], ["four"]);
    await turn.see();
    await scene.settle();
    expect((await scene.said()).slice(1)).toEqual([
      "You said: three",
      "You said: mine",
      "You said: four",
    ]);
    await scene.expectAtRest();
  });

  it("what /auto goes on with is collected with nothing", async () => {
    await using scene = await openIn("collect");
    scene.model.when(/turn \d of 2/, (_request, [step]) => ({
      text: step ?? "",
    }));
    const turn = await looking(scene, "one");
    await scene.say("two");
    await scene.auto("Count.", 2);
    await write(scene, ["three"]);
    await turn.see();
    await scene.settle();
    expect((await scene.said()).slice(1)).toEqual([
      "You said: two",
      "turn 1 of 2",
      "You said: three",
      "turn 2 of 2",
    ]);
    await scene.expectAtRest();
  });

  it("/stop ends the collected messages, and nothing that comes later", async () => {
    await using scene = await openIn("collect");
    const turn = await looking(scene, "one");
    await write(scene, ["two"], ["three"]);
    await scene.stop();
    await scene.say("four");
    await scene.say("five");
    await turn.see();
    await scene.settle();
    expect(await scene.said()).toEqual(["You said: five"]);
    expect(shown(scene.model.requests.at(-1)).slice(-2)).toEqual(["user four", "user five"]);
    await scene.expectAtRest();
  });
});

describe("the platform's request for a sample answer", () => {
  const sampleOf = { owner: "sample:x", name: "chef", hash: "h" };

  it.each([
    ["interrupt", ["zero", "one", "sample"], ["one", "sample"]],
    ["collect", ["one", "sample", "two"], ["one", "sample", "two"]],
  ] as const)("is no message of the person's, in the mode %s", async (mode, texts, answered) => {
    await using scene = await openIn(mode);
    for (const text of texts) await scene.say(text, text === "sample" ? { sampleOf } : {});
    await scene.settle();
    expect(await scene.said()).toEqual(answered.map((text) => `You said: ${text}`));
    await scene.expectAtRest();
  });

  it.each(["steer", "interrupt"] as const)(
    "leaves a running turn alone, in the mode %s",
    async (mode) => {
      await using scene = await openIn(mode);
      using stops = await listenForStops(scene.parts.store.redis);
      scene.with({ onNews: stops.onStop });
      const turn = await looking(scene, "one");
      await heard(scene, () => scene.say("sample", { sampleOf }));
      await turn.see();
      await scene.settle();
      expect(await scene.said()).toHaveLength(2);
      expect((await scene.log()).filter(({ kind }) => kind === "end")).toEqual([]);
      await scene.expectAtRest();
    },
  );
});
