import { describe, expect, it } from "vitest";
import { z } from "zod";
import { chatKey } from "../../../src/core/chat.ts";
import type { ModelEvent } from "../../../src/core/model.ts";
import type { TurnStore } from "../../../src/core/ports.ts";
import type { ModelChain } from "../../../src/models/chain.ts";
import { defineTool } from "../../../src/tools/define-tool.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { card, generated } from "../../models/helpers.ts";
import {
  calls,
  beginWhenFree,
  bob,
  counted,
  defaultPolicy,
  openScene,
  quietDeps,
  until,
  type Scene,
  type SceneOptions,
  only,
} from "../scene.ts";

const redis = await testDatabase();
const open = (options: Partial<SceneOptions> = {}) => openScene({ redis, ...options });

/** A model that says something and then never ends, whatever its signal says. */
const deaf = (...events: ModelEvent[]): ModelChain => ({
  card,
  cards: [card],
  stream: generated(async function* () {
    yield* events;
    await new Promise<never>(() => undefined);
  }),
});

/** A tool of the scene that does not end before the test says so. */
function holdTool(scene: Scene, name: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  scene.parts.effects.gates.set(name, promise);
  return resolve;
}

describe("stop", () => {
  it("while the answer streams keeps what was said so far", async () => {
    await using scene = await open();
    scene.model.reply({ text: ["One ", "two ", "three"] });
    const gate = scene.model.hold("count", { at: 2 });
    await scene.say("count");
    const running = scene.run();
    await gate.waitUntilHeld();
    await scene.stop();
    expect(await running).toEqual({ type: "done" });
    await scene.model.waitForRequest(({ state }) => state === "aborted");
    expect(await scene.said()).toEqual(["One two "]);
    expect(await scene.log()).toMatchObject([
      { kind: "message" },
      {
        kind: "assistant",
        model: "openai/gpt-4o-mini",
        text: "One two ",
        partial: true,
      },
      { kind: "end", reason: "cancelled" },
    ]);
    await scene.expectAtRest();
    gate.release();
    await scene.say("go on");
    await scene.settle();
    expect(await scene.said()).toEqual(["One two ", "You said: go on"]);
  });

  it.each([
    ["only where it was seen", "telegram", { group: true }, true],
    ["only where it was seen in a direct chat", "discord", {}, true],
    [
      "always on a server: perhaps only who stopped it reads that",
      "discord",
      { group: true },
      undefined,
    ],
  ] as const)("sends what was said so far %s (%s)", async (_, platform, message, onlyIfSeen) => {
    const chat = chatKey({ platform, bot: "77", chat: `${Math.trunc(1e9 * Math.random())}` });
    await using scene = await open({ chat });
    scene.model.reply({ text: ["One ", "two ", "three"] });
    const gate = scene.model.hold("count", { at: 2 });
    await scene.say("count", message);
    const running = scene.run();
    await gate.waitUntilHeld();
    await scene.stop();
    await running;
    const [entry, ...others] = await scene.outbox();
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ text: "One two ", note: "(stopped)" });
    expect(entry?.kind === "message" && entry.onlyIfSeen).toBe(onlyIfSeen);
  });

  it("before anything was shown says nothing: the command has answered", async () => {
    await using scene = await open();
    const gate = scene.model.hold("count", { at: "headers" });
    await scene.say("count");
    const running = scene.run();
    await gate.waitUntilHeld();
    await scene.stop();
    await running;
    expect(await scene.outbox()).toEqual([]);
    await scene.expectAtRest();
  });

  it("by an admin wakes the delivery of its notice, also where nothing was shown", async () => {
    await using scene = await open();
    const found: string[] = [];
    scene.with({
      wakeDelivery: async () => {
        for (const { id } of await scene.outbox()) found.push(id);
      },
    });
    const gate = scene.model.hold("count", { at: "headers" });
    await scene.say("count");
    const running = scene.run();
    await gate.waitUntilHeld();
    const notice = { kind: "notice", v: 1, id: "stopped", text: "An admin stopped this." } as const;
    await scene.parts.inbox.stopTurn(scene.chat, { turn: 1, eventId: "s1", notice });
    scene.news();
    await running;
    expect(found).toEqual(["stopped"]);
  });

  it("also where the session itself opened the turn", async () => {
    await using scene = await open();
    const gate = scene.model.hold("album", { at: "headers" });
    await scene.say("album", { burst: "b" });
    const held = gate.waitUntilHeld().then(() => true);
    let running = scene.run();
    await until(async () => {
      if (await Promise.race([held, running.then(() => false)])) return true;
      running = scene.run();
      return false;
    }, "the burst's turn");
    await scene.stop();
    await running;
    expect(await scene.outbox()).toEqual([]);
    await scene.expectAtRest();
  });

  it("what was shown and said no more does not stand there as if it went on", async () => {
    await using scene = await open({ deps: { draftIntervalMs: () => 1 } });
    const release = holdTool(scene, "look");
    let shown = "";
    scene.with({
      store: {
        ...scene.deps.store,
        draft: (session, draft) => {
          shown = draft.text;
          return scene.parts.deps.store.draft(session, draft);
        },
      },
    });
    scene.model.reply(calls("look"));
    await scene.say("look");
    const running = scene.run();
    await until(() => shown.includes("Look"), "the tool's line");
    await scene.stop();
    await running;
    release();
    expect(await scene.said()).toEqual(["(stopped)"]);
    await scene.expectAtRest();
  });

  it.each([
    ["look", "cancelled"],
    ["send", "cancelled"],
    ["pay", "outcome-unknown"],
    ["heeds", "outcome-unknown"],
  ])("during %s: the call ends %s", async (name, failure) => {
    await using scene = await open();
    const release = holdTool(scene, "look");
    if (name !== "heeds") holdTool(scene, name);
    scene.model.reply(calls(name, "fly"));
    await scene.say("do it");
    const running = scene.run();
    await until(() => scene.runs.length === 1, "the tool");
    await scene.stop();
    expect(await running).toEqual({ type: "done" });
    release();
    expect(scene.model.received).toBe(1);
    expect(scene.parts.effects.runs[0]?.signal.aborted).toBe(true);
    expect(await scene.story()).toEqual([
      "message do it",
      `assistant [${name}] [fly]`,
      `tool ${name} ${failure}`,
      "tool fly unknown-tool",
      "end cancelled",
    ]);
    await scene.expectAtRest();
  });

  it("that comes with the claim keeps the call from running", async () => {
    await using scene = await open();
    scene.model.reply(calls("pay"));
    await scene.say("pay");
    const { store } = scene.deps;
    await scene.settle({
      store: {
        ...store,
        async commit(session, revision, commit) {
          const claims = commit.state?.calls.some(({ status }) => status === "started");
          if (claims) await scene.parts.inbox.stop(scene.chat);
          return store.commit(session, revision, commit);
        },
      },
    });
    expect(scene.runs).toEqual([]);
    // It is known that it did not run.
    expect(await scene.story()).toContain("tool pay cancelled");
    await scene.expectAtRest();
  });

  it("while it waits cancels what was asked, and the card says so", async () => {
    await using scene = await open();
    scene.model.reply({ ...calls("buy", "buy"), text: "Shall I?" });
    await scene.say("buy");
    await scene.settle();
    await scene.decide(0, "approved");
    await scene.stop();
    await scene.settle();
    expect(await scene.statuses()).toEqual(["approved", "cancelled"]);
    expect(scene.runs).toEqual([]);
    expect(await scene.said()).toEqual(["Shall I?"]);
    expect((await scene.outbox()).at(-1)).toMatchObject({
      kind: "cards-outcome",
    });
    await scene.expectAtRest();
  });

  it("while a call runs next to an open card closes the card", async () => {
    // On a slow machine people see the running call, and then that it was stopped.
    const defaults = { ...quietDeps.defaults, tools: "off" } as const;
    await using scene = await open({ deps: { defaults } });
    const release = holdTool(scene, "look");
    scene.model.reply({ ...calls("look", "buy"), text: "Shall I?" });
    await scene.say("buy");
    const running = scene.run();
    await until(() => scene.runs.length === 1, "the read");
    expect(await scene.statuses()).toEqual(["pending"]);
    await scene.stop();
    await running;
    release();
    expect(await scene.statuses()).toEqual(["cancelled"]);
    expect((await scene.outbox()).map(({ kind }) => kind)).toEqual([
      "message",
      "card",
      "resolution",
    ]);
    await scene.expectAtRest();
  });

  it("drops what waited, and nothing that came later", async () => {
    await using scene = await open();
    const gate = scene.model.hold("one", { at: "headers" });
    await scene.say("one");
    const running = scene.run();
    await gate.waitUntilHeld();
    await scene.say("two");
    await scene.say("three", { person: bob });
    await scene.stop();
    await scene.say("four");
    await running;
    gate.release();
    await scene.settle();
    expect(await scene.story()).toEqual([
      "message one",
      "end cancelled",
      "message two",
      "end cancelled",
      "message three",
      "end cancelled",
      "message four",
      "assistant You said: four",
    ]);
    expect(await scene.said()).toEqual(["You said: four"]);
    await scene.expectAtRest();
  });

  it("is heard with the next heartbeat when no one passed it on", async () => {
    await using scene = await open({ deps: { heartbeatMs: 5 } });
    const gate = scene.model.hold("count", { at: 1 });
    await scene.say("count");
    const running = scene.run();
    await gate.waitUntilHeld();
    await scene.parts.inbox.stop(scene.chat);
    expect(await running).toEqual({ type: "done" });
    gate.release();
    expect((await scene.story()).at(-1)).toBe("end cancelled");
  });

  it("of a turn whose worker died ends it without asking anybody", async () => {
    await using scene = await open({ leaseMs: 20 });
    await scene.say("one");
    await beginWhenFree(scene.deps.store, scene.chat);
    await scene.stop();
    await until(async () => (await scene.settle()).type === "done", "the lease");
    expect(scene.model.received).toBe(0);
    expect(await scene.story()).toEqual(["message one", "end cancelled"]);
    await scene.expectAtRest();
  });
});

describe("a deadline", () => {
  it("cuts off a model that thinks for too long", async () => {
    await using scene = await open();
    scene.with({ policy: { ...defaultPolicy, deadlineMs: 30 } });
    using _ = scene.model.hold("think", { at: "headers" });
    await scene.say("think");
    expect(await scene.run()).toEqual({ type: "done" });
    expect(await scene.said()).toEqual([expect.stringContaining("time limit of 0 seconds")]);
    expect((await scene.story()).at(-1)).toBe("end deadline");
    await scene.expectAtRest();
  });

  it("cuts off a tool, and closes what was asked beside it", async () => {
    await using scene = await open();
    scene.with({ policy: { ...defaultPolicy, deadlineMs: 300 } });
    const release = holdTool(scene, "pay");
    scene.model.reply({ ...calls("pay", "buy"), text: "Shall I?" });
    await scene.say("pay");
    expect(await scene.run()).toEqual({ type: "done" });
    release();
    expect(await scene.statuses()).toEqual(["cancelled"]);
    expect(await scene.story()).toEqual([
      "message pay",
      "assistant Shall I? [pay] [buy]",
      "tool pay outcome-unknown",
      "tool buy deadline",
      "end deadline",
    ]);
    // Two messages, two ids: the second must not be taken for the first.
    const answers = (await scene.outbox()).filter(({ kind }) => kind === "message");
    expect(answers.map(({ id }) => id)).toEqual(["turn-1", "turn-1-1"]);
    await scene.expectAtRest();
  });

  it("counts active time over all sessions, and no waiting", async () => {
    let nowMs = 0;
    const slow = defineTool({
      name: "slow",
      description: "Takes 30 s.",
      parameters: z.looseObject({}),
      effect: "once",
      confirm: "always",
      history: "action",
      run: () => {
        nowMs += 30_000;
        return Promise.resolve({ text: "slow but done" });
      },
    });
    await using scene = await open({ tools: [slow] });
    const model = scene.deps.models.chain("balanced");
    scene.with({
      clock: { monotonic: () => nowMs, wall: Date.now },
      policy: { ...defaultPolicy, deadlineMs: 100_000 },
      models: only({
        ...model,
        async stream(...asked) {
          nowMs += 40_000;
          await model.stream(...asked);
        },
      }),
    });
    scene.model.reply(calls("slow"), calls("look"), { text: "never asked" });
    await scene.say("buy");
    await scene.settle();
    expect((await scene.state())?.counters.activeMs).toBe(40_000);
    nowMs += 1_000_000;
    await scene.decide(0, "approved");
    await scene.settle();
    expect(scene.model.received).toBe(2);
    expect(await scene.said()).toEqual([expect.stringContaining("time limit of 100 seconds")]);
    expect((await scene.story()).at(-1)).toBe("end deadline");
    await scene.expectAtRest();
  });

  it("calls that run side by side share their time", async () => {
    await using scene = await open();
    let nowMs = 0;
    scene.with({ clock: { monotonic: () => nowMs, wall: Date.now } });
    const release = holdTool(scene, "look");
    scene.model.reply(calls("look", "look", "look", "buy"));
    await scene.say("look");
    const running = scene.run();
    await until(() => scene.runs.length === 3, "the reads");
    nowMs += 500;
    release();
    await running;
    expect((await scene.state())?.counters.activeMs).toBe(500);
  });
});

describe("what ignores its signal", () => {
  it("a model cannot hold up a stop", async () => {
    await using scene = await open();
    scene.with({
      models: only(deaf({ type: "text-delta", text: "One moment" })),
    });
    await scene.say("think");
    const running = scene.run();
    await until(async () => (await scene.hash("owner")) !== null, "the turn");
    await scene.stop();
    expect(await running).toEqual({ type: "done" });
    expect((await scene.story()).at(-1)).toBe("end cancelled");
    await scene.expectAtRest();
  });

  it("a model cannot hold up a shutdown", async () => {
    await using scene = await open();
    const stopping = new AbortController();
    await scene.say("think");
    const running = scene.run(stopping.signal, { models: only(deaf()) });
    await until(async () => (await scene.hash("owner")) !== null, "the turn");
    stopping.abort();
    expect(await running).toEqual({ type: "again" });
    await scene.settle();
    expect(await scene.said()).toEqual(["You said: think"]);
  });

  it("a model that goes on behind its end is not listened to", async () => {
    await using scene = await open();
    scene.with({
      models: only(
        deaf({ type: "text-delta", text: "That is all." }, { type: "finish", reason: "stop" }),
      ),
    });
    await scene.say("think");
    expect(await scene.run()).toEqual({ type: "done" });
    expect(await scene.said()).toEqual(["That is all."]);
  });

  it("a tool cannot hold up a stop", async () => {
    await using scene = await open();
    holdTool(scene, "look");
    scene.model.reply(calls("look"));
    await scene.say("look");
    const running = scene.run();
    await until(() => scene.runs.length === 1, "the tool");
    await scene.stop();
    expect(await running).toEqual({ type: "done" });
    await scene.expectAtRest();
  });
});

describe("shutdown", () => {
  it("mid-stream gives the turn back at once; another worker answers, once", async () => {
    await using scene = await open();
    const { store, counts } = counted(scene.deps.store);
    const stopping = new AbortController();
    scene.model.reply({ text: ["One ", "two"] }, { text: "One two three." });
    const gate = scene.model.hold("count", { at: 1 });
    await scene.say("count");
    const running = scene.run(stopping.signal, { store });
    await gate.waitUntilHeld();
    stopping.abort();
    expect(await running).toEqual({ type: "again" });
    gate.release();
    // What the lost stream has cost is written down.
    expect(counts).toEqual({ begin: 1, commit: 1, release: 1 });
    expect(await scene.hash("owner")).toBeNull();
    await scene.settle();
    expect(await scene.said()).toEqual(["One two three."]);
    await scene.expectAtRest();
  });

  it("that races with a finished answer does not lose it", async () => {
    await using scene = await open();
    const stopping = new AbortController();
    scene.model.reply({ text: "The answer." }, { text: "Another answer." });
    await scene.say("ask");
    // The trace is written between the answer's end and its being kept.
    const result = await scene.run(stopping.signal, {
      trace: { write: () => stopping.abort() },
    });
    expect(stopping.signal.aborted).toBe(true);
    expect(result).toEqual({ type: "done" });
    expect(await scene.said()).toEqual(["The answer."]);
    expect(scene.model.received).toBe(1);
    await scene.expectAtRest();
  });

  it("that races with a finished round keeps the round and its cards", async () => {
    await using scene = await open();
    const stopping = new AbortController();
    scene.model.reply({ ...calls("buy", "fly"), text: "Shall I?" }, { text: "Bought." });
    await scene.say("buy");
    const { store } = scene.deps;
    const result = await scene.run(stopping.signal, {
      store: {
        ...store,
        // Asked for while the answer is recorded: nothing of it is committed yet.
        newApprovalId(chat) {
          stopping.abort();
          return store.newApprovalId(chat);
        },
      },
    });
    expect(result).toEqual({ type: "again" });
    expect(await scene.statuses()).toEqual(["pending"]);
    await scene.settle();
    await scene.decide(0, "approved");
    await scene.settle();
    expect(scene.model.received).toBe(2);
    expect(scene.runs).toHaveLength(1);
    expect(await scene.said()).toEqual(["Shall I?", "Bought."]);
    await scene.expectAtRest();
  });

  it("lets a tool that is nearly done finish, and keeps its result", async () => {
    await using scene = await open();
    const stopping = new AbortController();
    const release = holdTool(scene, "pay");
    scene.model.reply(calls("pay"), { text: "Paid." });
    await scene.say("pay");
    const running = scene.run(stopping.signal);
    await until(() => scene.runs.length === 1, "the payment");
    stopping.abort();
    release();
    expect(await running).toEqual({ type: "again" });
    await scene.settle();
    expect(scene.runs).toHaveLength(1);
    expect(await scene.story()).toContain("tool pay done");
    expect(await scene.said()).toEqual(["Paid."]);
    await scene.expectAtRest();
  });

  it.each([
    ["pay", 1, "outcome-unknown"],
    ["look", 2, "done"],
    ["set", 2, "done"],
    ["send", 2, "done"],
  ])("leaves a %s that takes too long: run %i times, %s", async (name, times, end) => {
    await using scene = await open();
    const stopping = new AbortController();
    holdTool(scene, name);
    scene.model.reply(calls(name), { text: "Done." });
    await scene.say("go");
    const running = scene.run(stopping.signal);
    await until(() => scene.runs.length === 1, "the tool");
    stopping.abort();
    expect(await running).toEqual({ type: "again" });
    scene.parts.effects.gates.delete(name);
    await scene.settle();
    expect(scene.runs).toHaveLength(times);
    expect(new Set(scene.parts.effects.runs.map(({ key }) => key)).size).toBe(1);
    expect(await scene.story()).toContain(`tool ${name} ${end}`);
    expect(await scene.said()).toEqual(["Done."]);
    await scene.expectAtRest();
  });

  it("at the claim does not start what it could not finish", async () => {
    await using scene = await open();
    const stopping = new AbortController();
    const { store } = scene.deps;
    scene.model.reply(calls("pay"), { text: "Paid." });
    await scene.say("pay");
    const claiming: TurnStore = {
      ...store,
      commit(session, revision, commit) {
        stopping.abort();
        return store.commit(session, revision, commit);
      },
    };
    expect(await scene.run(stopping.signal, { store: claiming })).toEqual({
      type: "again",
    });
    expect(scene.runs).toEqual([]);
    await scene.settle();
    expect(scene.runs).toHaveLength(1);
    expect(await scene.story()).toContain("tool pay done");
  });

  it("when someone else has the chat already changes nothing and does not fail", async () => {
    await using scene = await open({ leaseMs: 20 });
    const stopping = new AbortController();
    const release = holdTool(scene, "look");
    scene.model.reply(calls("look"), { text: "Seen." });
    await scene.say("look");
    const running = scene.run(stopping.signal);
    await until(() => scene.runs.length === 1, "the tool");
    await beginWhenFree(scene.deps.store, scene.chat);
    const before = await scene.log();
    stopping.abort();
    release();
    expect(await running).toEqual({ type: "again" });
    expect(await scene.log()).toEqual(before);
  });
});

describe("another session takes over", () => {
  it.each(["the model", "a tool"])("while %s is busy: nothing more is written", async (what) => {
    await using scene = await open({ leaseMs: 20 });
    const gate = scene.model.hold("hello", { at: 1 });
    if (what === "a tool") scene.model.reply(calls("look"));
    const release = holdTool(scene, "look");
    await scene.say("hello");
    const running = scene.run();
    await gate.waitUntilHeld();
    if (what === "a tool") {
      gate.release();
      await until(() => scene.runs.length === 1, "the tool");
    }
    const taken = await beginWhenFree(scene.deps.store, scene.chat);
    expect(taken).toMatchObject({ type: "begun", deaths: 1 });
    const before = [await scene.log(), await scene.outbox()];
    release();
    gate.release();
    expect(await running).toEqual({ type: "done" });
    expect([await scene.log(), await scene.outbox()]).toEqual(before);
  });

  it("is heard with the heartbeat, and cuts the work short", async () => {
    await using scene = await open({ leaseMs: 20, deps: { heartbeatMs: 60 } });
    scene.model.reply(calls("look"));
    holdTool(scene, "look");
    await scene.say("hello");
    const running = scene.run();
    await until(() => scene.runs.length === 1, "the tool");
    await beginWhenFree(scene.deps.store, scene.chat);
    expect(await running).toEqual({ type: "done" });
    expect(scene.parts.effects.runs[0]?.signal.aborted).toBe(true);
  });
});
