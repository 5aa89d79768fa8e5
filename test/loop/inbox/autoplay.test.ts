import { describe, expect, it } from "vitest";
import { chatKeys } from "../../../src/store/keys.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { looking, shown, write } from "../busy.ts";
import { bob, calls, openScene, type Scene, type SceneOptions } from "../scene.ts";

const redis = await testDatabase();

const step = /This is turn (\d+) of (\d+)\./;

/** Says which turn it is, and that it is done with the one that is given. */
async function open(
  options: Partial<SceneOptions> & { readonly doneAt?: number } = {},
): Promise<Scene> {
  const { doneAt = Infinity, ...rest } = options;
  const scene = await openScene({ redis, ...rest });
  scene.model.when(step, (_request, [, turn]) => ({
    text: `Step ${turn}.${Number(turn) >= doneAt ? "\n\n**DONE**" : ""}`,
  }));
  return scene;
}

const turnsOf = async (scene: Scene): Promise<string[]> =>
  (await scene.story()).map((line) => {
    const [, turn, of] = step.exec(line) ?? [];
    return turn === undefined ? line : `turn ${turn} of ${of}`;
  });

describe("/auto", () => {
  it("goes on by itself until the model says that it is done", async () => {
    await using scene = await open({ doneAt: 3 });
    await scene.auto("Count to three.", 10);
    await scene.settle();
    expect(await turnsOf(scene)).toEqual([
      "turn 1 of 10",
      "assistant Step 1.",
      "turn 2 of 10",
      "assistant Step 2.",
      "turn 3 of 10",
      "assistant Step 3.\n\n**DONE**",
    ]);
    expect(await scene.outbox()).toMatchObject([
      { kind: "message", text: "Step 1." },
      { kind: "message", text: "Step 2." },
      { kind: "message" },
      {
        kind: "notice",
        text: "Goal reached, after 3 steps.",
        silent: true,
      },
    ]);
    for (const request of scene.model.requests)
      expect(request.lastUserText).toContain("Count to three.");
    expect(await scene.hash("usage:turns")).toBe("3");
    await scene.expectAtRest();
  });

  it("ends at its limit, and says so", async () => {
    await using scene = await open();
    await scene.auto("Count.", 2);
    await scene.settle();
    expect(await scene.said()).toEqual(["Step 1.", "Step 2."]);
    expect(await scene.notices()).toEqual([
      "That was the limit of 2 steps. Send /auto again to continue.",
    ]);
    expect(scene.model.requests.at(-1)?.lastUserText).toContain("This is the last turn");
    await scene.expectAtRest();
  });

  it("of a group answers the person who began it, with their preference", async () => {
    await using scene = await open();
    await scene.auto("Count.", 2, {
      group: true,
      messageId: "77",
      preference: { tier: "smart" },
    });
    await scene.settle();
    expect(await scene.outbox()).toMatchObject([
      { kind: "message", replyTo: "77" },
      { kind: "message", replyTo: "77" },
      { kind: "notice", replyTo: "77" },
    ]);
    expect(await scene.log()).toMatchObject([
      { preference: { tier: "smart" } },
      {},
      { group: true, preference: { tier: "smart" }, person: { name: "Ann" } },
      {},
    ]);
    await scene.expectAtRest();
  });

  it("ends when a turn fails", async () => {
    await using scene = await open();
    scene.model.when(/turn 2 of/, { failure: { status: 401 } });
    await scene.auto("Count.", 5);
    await scene.settle();
    expect(await scene.said()).toEqual(["Step 1.", expect.stringMatching(/^Sorry, /)]);
    expect(await scene.notices()).toEqual(["I've stopped working on the goal, after 2 steps."]);
    await scene.expectAtRest();
  });

  it("ends when a turn reaches a limit", async () => {
    await using scene = await open();
    await scene.set("maxTokens", "2");
    scene.model.when(/turn 1 of/, calls("look"));
    await scene.auto("Count.", 5);
    await scene.settle();
    expect(await scene.said()).toEqual([
      "I stopped here because I reached the limit of 2 tokens for one answer.",
    ]);
    expect(await scene.notices()).toEqual(["I've stopped working on the goal, after 1 step."]);
    await scene.expectAtRest();
  });

  it("is ended by /stop, without a further word", async () => {
    await using scene = await open();
    const gate = scene.model.hold(/turn 2 of/, { at: "headers" });
    await scene.auto("Count.", 5);
    const running = scene.settle();
    await gate.waitUntilHeld();
    await scene.stop();
    await running;
    gate.release();
    await scene.settle();
    expect(await scene.said()).toEqual(["Step 1."]);
    expect(await scene.notices()).toEqual([]);
    expect((await scene.story()).at(-1)).toBe("end cancelled");
    await scene.expectAtRest();
  });

  it("goes no further when the stop comes after the last word, before it is written", async () => {
    await using scene = await open();
    const { store } = scene.deps;
    scene.with({
      store: {
        ...store,
        async commit(session, revision, commit) {
          if (commit.enqueue?.length) await scene.parts.inbox.stop(scene.chat);
          return await store.commit(session, revision, commit);
        },
      },
    });
    await scene.auto("Count.", 5);
    await scene.settle();
    // What was said was said, and nothing follows from it.
    expect(await scene.said()).toEqual(["Step 1."]);
    expect(scene.model.received).toBe(1);
    await scene.say("one");
    await scene.settle();
    expect((await scene.said()).at(-1)).toBe("You said: one");
    await scene.expectAtRest();
  });

  it("is ended by a stop between two turns", async () => {
    await using scene = await open();
    await scene.auto("Count.", 5);
    expect(await scene.run()).toEqual({ type: "again" });
    await scene.stop();
    await scene.settle();
    expect(await turnsOf(scene)).toEqual([
      "turn 1 of 5",
      "assistant Step 1.",
      "turn 2 of 5",
      "end cancelled",
    ]);
    expect(await scene.said()).toEqual(["Step 1."]);
    await scene.expectAtRest();
  });

  it("waits for a decision, and goes on behind it", async () => {
    await using scene = await open({ doneAt: 3 });
    scene.model.when(
      (request) => request.lastRole === "user" && request.lastUserText.includes("turn 2"),
      calls("buy"),
    );
    await scene.auto("Buy it.", 5);
    await scene.settle();
    expect((await scene.state())?.phase).toBe("waiting");
    expect((await scene.state())?.auto).toMatchObject({ step: 2, of: 5 });
    await scene.decide(0, "approved");
    await scene.settle();
    expect(scene.runs).toHaveLength(1);
    expect(await scene.said()).toEqual(["Step 1.", "buy said: buy 0 done", "Step 3.\n\n**DONE**"]);
    await scene.expectAtRest();
  });

  it("ends when its question is refused, and when its requester writes instead of deciding", async () => {
    await using scene = await open();
    scene.model.when(
      (request) => request.lastRole === "user" && step.test(request.lastUserText),
      calls("buy"),
    );
    await scene.auto("Buy it.", 5);
    await scene.settle();
    await scene.decide(0, "denied");
    await scene.settle();
    expect(await scene.notices()).toEqual(["I've stopped working on the goal, after 1 step."]);
    await scene.auto("Buy it.", 5);
    await scene.settle();
    await scene.say("never mind");
    await scene.settle();
    expect(await scene.notices()).toEqual([
      "I've stopped working on the goal, after 1 step.",
      "I've stopped working on the goal, after 1 step.",
    ]);
    expect((await scene.said()).at(-1)).toBe("You said: never mind");
    expect(scene.runs).toEqual([]);
    await scene.expectAtRest();
  });

  it("lets people in between: what waits is answered before it goes on", async () => {
    await using scene = await open({ doneAt: 3 });
    const gate = scene.model.hold(/turn 1 of/, { at: "headers" });
    await scene.auto("Count.", 5);
    const running = scene.run();
    await gate.waitUntilHeld();
    await scene.say("Are you there?");
    await scene.say("And I?", { person: bob });
    gate.release();
    await running;
    await scene.settle();
    expect(await scene.said()).toEqual([
      "Step 1.",
      "You said: Are you there?",
      "You said: And I?",
      "Step 2.",
      "Step 3.\n\n**DONE**",
    ]);
    await scene.expectAtRest();
  });

  it("in the mode steer takes what its requester writes into the turn, and goes on", async () => {
    await using scene = await open({ doneAt: 2, whileBusy: "steer" });
    const turn = await looking(scene, "Begin.", {
      auto: { goal: "Count.", step: 1, of: 5 },
    });
    await write(scene, ["Only even numbers."]);
    await turn.see();
    expect(shown(scene.model.requests[1]).at(-1)).toBe("user Only even numbers.");
    await scene.settle();
    await scene.expectAtRest();
  });

  it("in the mode interrupt is ended by what its requester writes", async () => {
    await using scene = await open({ whileBusy: "interrupt" });
    const gate = scene.model.hold(/turn 2 of/, { at: "headers" });
    await scene.auto("Count.", 5);
    const running = scene.settle();
    await gate.waitUntilHeld();
    await write(scene, ["Enough."]);
    await scene.model.waitForRequest(({ state }) => state === "aborted");
    gate.release();
    await running;
    expect(await scene.said()).toEqual(["Step 1.", "You said: Enough."]);
    expect(await scene.notices()).toEqual(["I've stopped working on the goal, after 2 steps."]);
    await scene.expectAtRest();
  });

  it("goes on in several chats, each by itself", async () => {
    await using first = await open({ doneAt: 3 });
    await using second = await open();
    await first.auto("Count to three.", 10);
    await second.auto("Count.", 4);
    await Promise.all([first.settle(), second.settle()]);
    expect(await first.notices()).toEqual(["Goal reached, after 3 steps."]);
    expect(await second.notices()).toEqual([
      "That was the limit of 4 steps. Send /auto again to continue.",
    ]);
    expect(await second.said()).toHaveLength(4);
    await first.expectAtRest();
    await second.expectAtRest();
  });

  it("a full inbox does not end it", async () => {
    await using scene = await open({ doneAt: 2 });
    const gate = scene.model.hold(/turn 1 of/, { at: "headers" });
    await scene.auto("Count.", 5);
    const running = scene.run();
    await gate.waitUntilHeld();
    for (let count = 1; count <= 20; count += 1) await scene.say(`${count}`);
    gate.release();
    await running;
    const { inbox } = chatKeys(scene.chat);
    expect(await scene.parts.store.redis.llen(inbox)).toBe(21);
    await scene.settle();
    expect((await scene.said()).at(-1)).toBe("Step 2.\n\n**DONE**");
    expect(await scene.said()).toHaveLength(22);
    await scene.expectAtRest();
  });

  it("is not taken up again by /retry: that is one answer, as for any message", async () => {
    await using scene = await open();
    await scene.auto("Count.", 2);
    await scene.settle();
    await scene.control("retry");
    await scene.settle();
    expect(await scene.said()).toEqual(["Step 1.", "Step 2.", "Step 2."]);
    expect(await scene.notices()).toHaveLength(1);
    await scene.expectAtRest();
  });
});
