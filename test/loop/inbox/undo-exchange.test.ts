import { describe, expect, it } from "vitest";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { looking, shown, write } from "../busy.ts";
import { ann, bob, calls, openScene, type Scene, type SceneOptions } from "../scene.ts";
import { MemoryBudget } from "../compaction/memory-budget.ts";
import { localKey, openTwo } from "../model/two-providers.ts";

const redis = await testDatabase();
const open = (options: Partial<SceneOptions> = {}) => openScene({ redis, ...options });

const undone = "Undone. I've dropped your last message and everything after it.";
const nothing = (what: "undo" | "retry") => `There's nothing to ${what}.`;

async function exchange(scene: Scene, ...texts: string[]): Promise<void> {
  for (const text of texts) {
    await scene.say(text);
    await scene.settle();
  }
}

async function undo(scene: Scene): Promise<void> {
  await scene.control("undo");
  await scene.settle();
}

async function retry(scene: Scene): Promise<void> {
  await scene.control("retry");
  await scene.settle();
}

/** What the model sees of the conversation before a new message. */
async function seen(scene: Scene): Promise<string[]> {
  await exchange(scene, "What do you see?");
  const all = shown(scene.model.requests.at(-1));
  expect(all.at(-1)).toBe("user What do you see?");
  return all.slice(0, -1);
}

describe("/undo", () => {
  it("takes the last exchange out of the view, and leaves the history as it is", async () => {
    await using scene = await open();
    await exchange(scene, "one", "two");
    await undo(scene);
    expect(await scene.notices()).toEqual([undone]);
    expect(await scene.story()).toEqual([
      "message one",
      "assistant You said: one",
      "message two",
      "assistant You said: two",
      "undo",
    ]);
    expect(await scene.state()).toBeUndefined();
    expect(await seen(scene)).toEqual(["user one", "assistant You said: one"]);
    await scene.expectAtRest();
  });

  it("again and again takes one exchange after the other, until nothing is left", async () => {
    await using scene = await open();
    await exchange(scene, "one", "two", "three");
    for (let times = 0; times < 5; times += 1) await undo(scene);
    expect(await scene.notices()).toEqual([
      undone,
      undone,
      undone,
      nothing("undo"),
      nothing("undo"),
    ]);
    expect(await seen(scene)).toEqual([]);
    await undo(scene);
    expect((await scene.notices()).at(-1)).toBe(undone);
    expect(await seen(scene)).toEqual([]);
    await scene.expectAtRest();
  });

  it("between exchanges takes back the newest that is still seen", async () => {
    await using scene = await open();
    await exchange(scene, "one", "two");
    await undo(scene);
    await exchange(scene, "three");
    await undo(scene);
    await undo(scene);
    expect(await seen(scene)).toEqual([]);
    await scene.expectAtRest();
  });

  it("tells people and the model what stays done", async () => {
    await using scene = await open();
    scene.model.reply(
      {
        toolCalls: [
          { name: "look", arguments: { label: "a" } },
          { name: "pay", arguments: { label: "b" } },
          { name: "fly", arguments: {} },
        ],
      },
      { toolCalls: [{ name: "hangs_once", arguments: { label: "c" } }] },
      { text: "Paid, I think." },
    );
    await exchange(scene, "pay");
    await undo(scene);
    expect(await scene.notices()).toEqual([`${undone} This can't be undone: Pay, Hangs once.`]);
    const [told = "", ...others] = await seen(scene);
    expect(others).toEqual([]);
    expect(told).toMatch(/^user \[From the platform: a person took back/);
    expect(told).toContain('pay, with:\n> {"label":"b"}');
    expect(told).toContain('hangs_once, which ended with outcome-unknown, with:\n> {"label":"c"}');
    expect(told).not.toMatch(/look|fly|Paid/);
    expect(scene.runs).toHaveLength(3);
    await scene.expectAtRest();
  });

  it("what was taken back in several steps is told in each", async () => {
    await using scene = await open();
    scene.model.when("pay", calls("pay"));
    scene.model.when("send", calls("send"));
    await exchange(scene, "pay", "send");
    await undo(scene);
    await undo(scene);
    const told = (await seen(scene)).join("\n");
    expect(told).toContain("pay, with:");
    expect(told).not.toContain("assistant");
    await scene.expectAtRest();
  });

  it("of a turn that others joined takes all of it back", async () => {
    await using scene = await open({ whileBusy: "steer" });
    await exchange(scene, "before");
    const turn = await looking(scene, "one");
    await write(scene, ["and two"]);
    await turn.see();
    await scene.settle();
    await undo(scene);
    expect(await seen(scene)).toEqual(["user before", "assistant You said: before"]);
    await scene.expectAtRest();
  });

  it("of a burst takes all of its pieces back", async () => {
    await using scene = await open({ whileBusy: "collect" });
    await exchange(scene, "before");
    const turn = await looking(scene, "one");
    await write(scene, ["two"], ["three"]);
    await turn.see();
    await scene.settle();
    await undo(scene);
    expect((await seen(scene)).slice(2)).toEqual([
      "user one",
      "assistant [look]",
      "tool look 0 done",
      "assistant look said: look 0 done",
    ]);
    await scene.expectAtRest();
  });

  it("ends what runs, and takes it back", async () => {
    await using scene = await open();
    await exchange(scene, "before");
    const gate = scene.model.hold("one");
    await scene.say("one");
    const running = scene.run();
    await gate.waitUntilHeld();
    await scene.control("undo");
    await running;
    gate.release();
    await scene.settle();
    expect(await seen(scene)).toEqual(["user before", "assistant You said: before"]);
    await scene.expectAtRest();
  });

  it("while a person is asked takes the question back, and the card says so", async () => {
    await using scene = await open();
    scene.model.when("buy", calls("buy"));
    await exchange(scene, "buy");
    expect((await scene.state())?.phase).toBe("waiting");
    await undo(scene);
    expect(await scene.statuses()).toEqual(["cancelled"]);
    expect(await scene.notices()).toEqual([undone]);
    expect(await seen(scene)).toEqual([]);
    expect(scene.runs).toEqual([]);
    await scene.expectAtRest();
  });

  it("what waits behind it is answered without what it took back", async () => {
    await using scene = await open();
    await exchange(scene, "one", "two");
    await scene.control("undo");
    await scene.say("three", { person: bob });
    await scene.settle();
    expect((await scene.said()).at(-1)).toBe("You said: three");
    expect(shown(scene.model.requests.at(-1))).toEqual([
      "user one",
      "assistant You said: one",
      "user three",
    ]);
    expect((await scene.story()).slice(-3)).toEqual([
      "undo",
      "message three",
      "assistant You said: three",
    ]);
    await scene.expectAtRest();
  });

  it("twice at once takes two exchanges back: the second does not stop the first", async () => {
    await using scene = await open();
    await exchange(scene, "one", "two", "three");
    await scene.control("undo");
    await scene.control("undo");
    await scene.settle();
    expect(await scene.notices()).toEqual([undone, undone]);
    expect(await seen(scene)).toEqual(["user one", "assistant You said: one"]);
    await scene.control("undo");
    await scene.control("retry");
    await scene.settle();
    expect((await scene.said()).at(-1)).toBe("You said: one");
    await scene.expectAtRest();
  });

  it("finds nothing in a new chat, nor behind a reset", async () => {
    await using scene = await open();
    await undo(scene);
    await exchange(scene, "one");
    await scene.reset();
    await scene.control("undo", { messageId: "9", group: true });
    await scene.settle();
    expect(await scene.outbox()).toMatchObject([
      { kind: "notice", text: nothing("undo"), silent: true },
      { kind: "message" },
      { kind: "notice", text: nothing("undo"), replyTo: "9" },
    ]);
    await scene.expectAtRest();
  });

  it("finds nothing behind a compaction, but what came after it", async () => {
    await using scene = await open();
    for (let turn = 1; turn <= 12; turn += 1)
      await exchange(scene, `turn ${turn} ${"word ".repeat(200)}`);
    await scene.control("compact");
    await scene.settle();
    const kept = (await scene.log()).findLast((entry) => entry.kind === "compaction");
    if (kept === undefined) throw new Error("expected a compaction");
    const left = (await scene.log())
      .slice(kept.toSeq + 1)
      .filter(({ kind }) => kind === "message").length;
    expect(left).toBeGreaterThan(0);
    for (let times = 0; times < left; times += 1) await undo(scene);
    expect(await scene.notices()).toEqual(Array.from({ length: left }, () => undone));
    await undo(scene);
    expect((await scene.notices()).at(-1)).toBe(nothing("undo"));
    const [summary = "", ...others] = await seen(scene);
    expect(others).toEqual([]);
    expect(summary).toMatch(/^user \[Summary of the conversation so far/);
    await scene.expectAtRest();
  });
});

describe("/retry", () => {
  it("asks the last message again, as if it had not been answered", async () => {
    await using scene = await open();
    await exchange(scene, "one");
    scene.model.reply({ text: "Bad answer." }, { text: "Good answer." });
    await exchange(scene, "two");
    await retry(scene);
    expect(await scene.said()).toEqual(["You said: one", "Bad answer.", "Good answer."]);
    expect(shown(scene.model.requests.at(-1))).toEqual([
      "user one",
      "assistant You said: one",
      "user two",
    ]);
    expect(await scene.story()).toEqual([
      "message one",
      "assistant You said: one",
      "message two",
      "assistant Bad answer.",
      "undo",
      "message two",
      "assistant Good answer.",
    ]);
    expect(await scene.notices()).toEqual([]);
    expect((await seen(scene)).slice(2)).toEqual(["user two", "assistant Good answer."]);
    await scene.expectAtRest();
  });

  it("several times repeats the same message, and undo takes the last answer back with it", async () => {
    await using scene = await open();
    await exchange(scene, "one", "two");
    await retry(scene);
    await retry(scene);
    expect(shown(scene.model.requests.at(-1))).toEqual([
      "user one",
      "assistant You said: one",
      "user two",
    ]);
    await undo(scene);
    expect(await seen(scene)).toEqual(["user one", "assistant You said: one"]);
    await scene.expectAtRest();
  });

  it("tells the model what the first attempt has done", async () => {
    await using scene = await open();
    scene.model.reply(calls("pay"), { text: "Paid." }, { text: "I had paid." });
    await exchange(scene, "pay");
    await retry(scene);
    const [told, message, ...others] = shown(scene.model.requests.at(-1));
    expect(told).toContain('pay, with:\n> {"label":"0"}');
    expect(message).toBe("user pay");
    expect(others).toEqual([]);
    expect(scene.runs).toHaveLength(1);
    await scene.expectAtRest();
  });

  it("answers after a failure of the model, and after /stop", async () => {
    await using scene = await open();
    scene.model.reply({ failure: { status: 401 } });
    await exchange(scene, "one");
    await retry(scene);
    expect((await scene.said()).at(-1)).toBe("You said: one");
    const gate = scene.model.hold("two", { at: "headers" });
    await scene.say("two");
    const running = scene.run();
    await gate.waitUntilHeld();
    await scene.stop();
    await running;
    gate.release();
    await retry(scene);
    expect((await scene.said()).at(-1)).toBe("You said: two");
    await scene.expectAtRest();
  });

  it("ends what runs, and starts it again", async () => {
    await using scene = await open();
    const gate = scene.model.hold("one");
    await scene.say("one");
    const running = scene.run();
    await gate.waitUntilHeld();
    await scene.control("retry");
    await running;
    gate.release();
    await scene.settle();
    expect((await scene.said()).at(-1)).toBe("You said: one");
    expect(shown(scene.model.requests.at(-1))).toEqual(["user one"]);
    await scene.expectAtRest();
  });

  it("of several messages that were one turn asks all again", async () => {
    await using scene = await open({ whileBusy: "collect" });
    const turn = await looking(scene, "one");
    await write(scene, ["two"], ["three"]);
    await turn.see();
    await scene.settle();
    await retry(scene);
    expect(shown(scene.model.requests.at(-1)).slice(-2)).toEqual(["user two", "user three"]);
    expect((await scene.said()).at(-1)).toBe("You said: three");
    await scene.expectAtRest();
  });

  it("of a turn that others joined asks all that its person wrote again", async () => {
    await using scene = await open({ whileBusy: "steer" });
    const turn = await looking(scene, "one");
    await write(scene, ["and two"]);
    await turn.see();
    await scene.settle();
    await retry(scene);
    expect(shown(scene.model.requests.at(-1))).toEqual(["user one", "user and two"]);
    expect((await scene.said()).at(-1)).toBe("You said: and two");
    await scene.expectAtRest();
  });

  it("uses what the person prefers by now, and is asked by the person who wants it again", async () => {
    await using two = await openTwo({ redis });
    const { scene, local } = two;
    await scene.say("one", { group: true });
    await scene.settle();
    await scene.control("retry", {
      person: bob,
      preference: { model: localKey },
    });
    await scene.settle();
    expect(local.requests.map(({ lastUserText }) => lastUserText)).toEqual(["Bob: one"]);
    const [first, second] = await scene.outbox();
    expect(second).toMatchObject({ kind: "message", replyTo: "1" });
    expect(second?.id).not.toBe(first?.id);
    expect(await scene.log()).toMatchObject([
      { kind: "message", person: ann },
      { kind: "assistant" },
      { kind: "undo" },
      { kind: "message", person: bob, preference: { model: localKey } },
      { kind: "assistant", model: localKey },
    ]);
    await two.expectAtRest();
  });

  it("finds nothing in a new chat, nor where all was taken back", async () => {
    await using scene = await open();
    await retry(scene);
    await exchange(scene, "one");
    await undo(scene);
    await retry(scene);
    expect(await scene.notices()).toEqual([nothing("retry"), undone, nothing("retry")]);
    expect(scene.model.received).toBe(1);
    await scene.expectAtRest();
  });
});

describe("an exchange that is not plain", () => {
  it("is the one that ran, not what waited behind it", async () => {
    await using scene = await open();
    const turn = await looking(scene, "one");
    await scene.say("two", { person: bob });
    await scene.control("undo");
    await turn.see();
    await scene.settle();
    expect(await scene.notices()).toEqual([undone]);
    expect(await seen(scene)).toEqual([]);
    await scene.expectAtRest();
  });

  it("is asked again by the person who wants that, with all that joined it", async () => {
    await using scene = await open();
    scene.with({
      defaults: { whileBusy: "steer", tools: "full", thinking: false },
    });
    const turn = await looking(scene, "one");
    await write(scene, ["and two"]);
    await turn.see();
    scene.model.when(/two$/, { text: "Both." });
    await scene.control("retry", { person: bob });
    await scene.settle();
    expect((await scene.said()).at(-1)).toBe("Both.");
    const again = (await scene.log()).filter((entry) => entry.kind === "message");
    expect(again.slice(2)).toMatchObject([
      { text: "one", person: bob },
      { text: "and two", person: bob },
    ]);
    await scene.expectAtRest();
  });

  it("is asked again in the role of the person who wants that, and paid for by them", async () => {
    await using scene = await open();
    const paid: unknown[] = [];
    const budget = new MemoryBudget();
    scene.with({
      budget: budget.but({
        settle(spender, id, took) {
          paid.push([spender.person.id, spender.role]);
          return budget.settle(spender, id, took);
        },
      }),
    });
    await scene.say("one", { role: "admin" });
    await scene.settle();
    await scene.control("retry", { person: bob, role: "member" });
    await scene.settle();
    // As an older version wrote it: no one's role is taken for theirs.
    await scene.control("retry", { person: bob });
    await scene.settle();
    expect(paid).toEqual([
      [ann.id, "admin"],
      [bob.id, "member"],
      [bob.id, undefined],
    ]);
    await scene.expectAtRest();
  });

  it("of someone else is named so", async () => {
    await using scene = await open();
    await exchange(scene, "one");
    await scene.control("undo", { person: bob });
    await scene.settle();
    expect(await scene.notices()).toEqual([
      "Undone. I've dropped Ann's last message and everything after it.",
    ]);
  });

  it("is not one that was stopped before, and not what the same stop has dropped", async () => {
    await using scene = await open();
    const turn = await looking(scene, "one");
    await scene.stop();
    await turn.see();
    await scene.settle();
    await scene.say("two");
    await scene.control("retry");
    await scene.settle();
    const texts = async () =>
      (await scene.log()).flatMap((entry) => (entry.kind === "message" ? [entry.text] : []));
    expect(await texts()).toEqual(["one", "two", "two"]);
    const next = await looking(scene, "three");
    await scene.say("four");
    await scene.control("retry");
    await next.see();
    await scene.settle();
    expect((await texts()).slice(3)).toEqual(["three", "four", "three"]);
    await scene.expectAtRest();
  });

  it("is another one for each of two in a row", async () => {
    await using scene = await open();
    await exchange(scene, "zero");
    const turn = await looking(scene, "one");
    await scene.control("undo");
    await scene.say("two");
    await scene.control("undo");
    await turn.see();
    await scene.settle();
    expect(await seen(scene)).toEqual(["user zero", "assistant You said: zero"]);
    await scene.expectAtRest();
  });
});

describe("of someone who is no admin of the group", () => {
  const byBob = { person: bob, ownOnly: true, group: true } as const;
  const control = async (scene: Scene, name: "undo" | "retry") => {
    await scene.control(name, byBob);
    await scene.settle();
  };

  it.each([
    ["undo", "Only Ann or an admin can undo that message."],
    ["retry", "Only Ann or an admin can retry that message."],
  ] as const)("/%s leaves another's exchange alone", async (name, refusal) => {
    await using scene = await open();
    await scene.say("bob's", { person: bob });
    await scene.settle();
    await exchange(scene, "ann's");
    const before = await scene.story();
    await control(scene, name);
    expect(await scene.notices()).toEqual([refusal]);
    const told = (await scene.outbox()).find(({ kind }) => kind === "notice");
    expect(told).toMatchObject({ patient: true, person: bob.id });
    expect(await scene.story()).toEqual(before);
  });

  it.each(["undo", "retry"] as const)("/%s takes back their own", async (name) => {
    await using scene = await open();
    await exchange(scene, "ann's");
    await scene.say("bob's", { person: bob });
    await scene.settle();
    await control(scene, name);
    expect(await scene.story()).toContain("undo");
    expect((await scene.notices()).join()).not.toContain("Only");
  });
});

it("a message that its author has stopped is not answered, and what others wrote is", async () => {
  await using scene = await open();
  await scene.say("ann's", { burst: "album" });
  await scene.say("bob's", { person: bob });
  await scene.say("ann's second");
  await scene.parts.inbox.stop(scene.chat, undefined, bob.id);
  await scene.settle();
  expect(await scene.story()).toEqual([
    "message ann's",
    "assistant You said: ann's",
    "message bob's",
    expect.stringMatching(/^end cancelled/),
    "message ann's second",
    "assistant You said: ann's second",
  ]);
  const stored = (await scene.log()).find(
    (entry) => entry.kind === "message" && entry.text === "bob's",
  );
  expect(stored).not.toHaveProperty("stopped");
  await scene.expectAtRest();
});
