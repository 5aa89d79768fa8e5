import { describe, expect, it } from "vitest";
import type { ScriptedModel } from "../emulators/model/scripted-model.ts";
import { card, generated } from "../models/helpers.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import {
  ann,
  calls,
  bob,
  counted,
  defaultPolicy,
  openScene,
  until,
  type SceneOptions,
  only,
} from "./scene.ts";

const redis = await testDatabase();
const open = (options: Partial<SceneOptions> = {}) => openScene({ redis, ...options });

/** The text that the model got back for each call of the last round. */
const resultsOf = (model: ScriptedModel): string[] =>
  (model.requests.at(-1)?.toolResults ?? []).map(({ text }) => text);

describe("a plain answer", () => {
  it("costs one begin and one commit", async () => {
    await using scene = await open();
    const { store, counts } = counted(scene.deps.store);
    scene.with({ store }).model.reply({ text: "Hello, Ann." });
    await scene.say("hello");
    expect(await scene.run()).toEqual({ type: "done" });
    expect(counts).toEqual({ begin: 1, commit: 1, release: 0 });
    expect(await scene.outbox()).toEqual([
      { kind: "message", v: 1, id: "turn-1", text: "Hello, Ann." },
    ]);
    expect(await scene.story()).toEqual(["message hello", "assistant Hello, Ann."]);
    expect(await scene.hash("usage:turns")).toBe("1");
    expect(await scene.hash("usage:modelCalls")).toBe("1");
    expect(Number(await scene.hash("usage:inputTokens"))).toBeGreaterThan(0);
    await scene.expectAtRest();
  });

  it("is exactly the model's, and goes on a reply in a group", async () => {
    await using scene = await open();
    const text = "  **Bold**\n\n```\ncode\n``` <b> & 😀\n";
    scene.model.reply({ text: [text] });
    await scene.say("hello", { group: true });
    await scene.run();
    // There it is known whose share of the bot's pace it takes.
    expect(await scene.outbox()).toMatchObject([{ text, replyTo: "1", person: ann.id }]);
    expect(scene.model.requests[0]?.lastUserText).toBe("Ann: hello");
  });

  it("follows what was said before", async () => {
    await using scene = await open();
    await scene.say("one");
    await scene.settle();
    await scene.say("two");
    await scene.settle();
    expect(scene.model.requests[1]?.messages.map(({ role, text }) => [role, text])).toEqual([
      ["system", expect.stringMatching(/^You are Parley\./)],
      ["user", "one"],
      ["assistant", "You said: one"],
      ["user", "two"],
    ]);
    await scene.expectAtRest();
  });

  it("comes once per message, in order, one turn per run", async () => {
    await using scene = await open();
    for (const text of ["one", "two", "three"]) await scene.say(text);
    expect(await scene.run()).toEqual({ type: "again" });
    expect(await scene.said()).toEqual(["You said: one"]);
    await scene.settle();
    expect(await scene.said()).toEqual(["You said: one", "You said: two", "You said: three"]);
  });

  it("nothing waits: nothing is done", async () => {
    await using scene = await open();
    expect(await scene.run()).toEqual({ type: "done" });
    expect(scene.model.received).toBe(0);
  });

  it("someone else works on it: look again when the lease ends", async () => {
    await using scene = await open();
    await scene.say("hello");
    const gate = scene.model.hold("hello");
    const first = scene.run();
    await gate.waitUntilHeld();
    expect(await scene.run()).toMatchObject({ type: "later" });
    gate.release();
    await first;
    expect(await scene.said()).toEqual(["You said: hello"]);
  });
});

describe("tools", () => {
  it("a round costs two commits more", async () => {
    await using scene = await open();
    const { store, counts } = counted(scene.deps.store);
    scene.with({ store }).model.reply({ ...calls("look"), text: "Let me see." }, { text: "Seen." });
    await scene.say("look");
    await scene.run();
    expect(counts).toEqual({ begin: 1, commit: 3, release: 0 });
    expect(scene.runs).toEqual(['look {"label":"0"}']);
    expect(resultsOf(scene.model)).toEqual(["look 0 done"]);
    expect(await scene.said()).toEqual(["Seen."]);
    expect(await scene.story()).toEqual([
      "message look",
      "assistant Let me see. [look]",
      "tool look done",
      "assistant Seen.",
    ]);
    await scene.expectAtRest();
  });

  it("reads run side by side, in one commit, answered in the order asked", async () => {
    await using scene = await open();
    const { store, counts } = counted(scene.deps.store);
    const gate = Promise.withResolvers<void>();
    scene.parts.effects.gates.set("look", gate.promise);
    scene.with({ store }).model.reply(calls("look", "big", "look"), { text: "Seen." });
    await scene.say("look");
    const running = scene.run();
    await until(() => scene.runs.length === 3, "all reads to run");
    gate.resolve();
    await running;
    expect(counts).toEqual({ begin: 1, commit: 3, release: 0 });
    expect(scene.model.requests[1]?.toolResults.map(({ name }) => name)).toEqual([
      "look",
      "big",
      "look",
    ]);
    await scene.expectAtRest();
  });

  it("what has effects runs one after another, reads first", async () => {
    await using scene = await open();
    const gate = Promise.withResolvers<void>();
    scene.parts.effects.gates.set("pay", gate.promise);
    scene.model.reply(calls("pay", "send", "look", "pay"), { text: "Done." });
    await scene.say("pay");
    const running = scene.run();
    await until(() => scene.runs.length === 2, "the first payment");
    expect(scene.runs.map((run) => run.split(" ")[0])).toEqual(["look", "pay"]);
    gate.resolve();
    await running;
    expect(scene.runs.map((run) => run.split(" ")[0])).toEqual(["look", "pay", "send", "pay"]);
    expect(resultsOf(scene.model)).toEqual([
      "pay 0 done",
      "send 1 done",
      "look 2 done",
      "pay 3 done",
    ]);
  });

  it("keys are of the call, one for each", async () => {
    await using scene = await open();
    scene.model.reply(calls("send", "send"), calls("send"), { text: "Sent." });
    await scene.say("send");
    await scene.run();
    expect(scene.parts.effects.runs.map(({ key }) => key)).toEqual([
      `${scene.chat}/1.1.0`,
      `${scene.chat}/1.1.1`,
      `${scene.chat}/1.2.0`,
    ]);
  });

  it("a provider that reuses its ids, or has none, loses no result", async () => {
    await using scene = await open();
    scene.model.reply(
      { ...calls("look", "look"), quirks: ["no-ids"] },
      { ...calls("look"), quirks: ["reused-ids"] },
      { ...calls("look"), quirks: ["reused-ids"] },
      { text: "Seen." },
    );
    await scene.say("look");
    await scene.run();
    expect(await scene.said()).toEqual(["Seen."]);
    await scene.expectAtRest();
  });

  it.each([
    ["broken JSON", "look", '{"label": "a', /^invalid-arguments: .*"a$/],
    ["a wrong shape", "look", '{"label": 5}', /^invalid-arguments: label/],
    ["a list", "look", "[1]", /^invalid-arguments: .*\[1\]$/],
    ["an unknown tool", "fly", "{}", /^unknown-tool: .*"fly".*look/],
    ["a bad name", "fly to!", "{}", /^unknown-tool: /],
  ])("%s goes back to the model, and nothing runs", async (_what, name, given, expected) => {
    await using scene = await open();
    scene.model.reply({ toolCalls: [{ name, arguments: given }] }, { text: "I see." });
    await scene.say("do it");
    await scene.run();
    expect(scene.runs).toEqual([]);
    expect(resultsOf(scene.model)[0]).toMatch(expected);
    expect(await scene.said()).toEqual(["I see."]);
    expect(scene.parts.server.violations).toEqual([]);
    expect(await scene.state()).toBeUndefined();
  });

  it.each([
    ["throws", /^tool-error: the disk/, "tool-error"],
    ["hangs", /^timeout: /, "timeout"],
    ["hangs_once", /^outcome-unknown: /, "outcome-unknown"],
  ])("one that %s does not end the turn", async (name, text, failure) => {
    await using scene = await open();
    scene.model.reply(calls(name), { text: "Sorry." });
    await scene.say("do it");
    await scene.run();
    expect(resultsOf(scene.model)[0]).toMatch(text);
    expect(await scene.story()).toContain(`tool ${name} ${failure}`);
    expect(await scene.said()).toEqual(["Sorry."]);
    await scene.expectAtRest();
  });

  it("one that runs out of time is told so", async () => {
    await using scene = await open();
    scene.model.reply(calls("hangs"), { text: "Sorry." });
    await scene.say("do it");
    await scene.run();
    const [run] = scene.parts.effects.runs;
    expect(run?.signal.reason).toBe("timeout");
  });

  it("what a tool says of the world stays out of the log", async () => {
    await using scene = await open();
    scene.model.reply(calls("throws"), { text: "Sorry." });
    await scene.say("a private question");
    await scene.run();
    expect(scene.logged("debug")).toContain("Ann's secret");
    expect(scene.logged("info")).toContain("a tool failed");
    expect(scene.logged("info")).not.toContain("Ann's secret");
    expect(scene.logged("info")).not.toContain("private question");
  });

  it("a megabyte is cut to the tool's cap, and says so", async () => {
    await using scene = await open();
    scene.model.reply(calls("big"), { text: "Big." });
    await scene.say("big");
    await scene.run();
    const [result = ""] = resultsOf(scene.model);
    expect(result.length).toBeLessThan(16_200);
    expect(result).toMatch(
      /^x{16000}\n\[cut: 16000 of 1000000 characters so far; read on with read_more .*"offset":16000\}\]$/,
    );
    expect(await scene.state()).toBeUndefined();
  });
});

describe("limits", () => {
  it("the last model call has no tools and says what it can", async () => {
    await using scene = await open();
    scene.with({ policy: { ...defaultPolicy, maxModelCalls: 3 } });
    scene.model.reply(calls("look"), calls("look"), {
      text: "That is all I have.",
    });
    await scene.say("look on");
    await scene.run();
    expect(scene.model.requests.map(({ mayCallTools }) => mayCallTools)).toEqual([
      true,
      true,
      false,
    ]);
    expect(await scene.said()).toEqual(["That is all I have."]);
    expect((await scene.story()).at(-1)).toBe("end max-model-calls");
    await scene.expectAtRest();
  });

  it("calls in an answer that may have none are not run", async () => {
    await using scene = await open();
    scene.with({ policy: { ...defaultPolicy, maxModelCalls: 1 } });
    scene.model.reply({ ...calls("pay"), text: "Paying now." });
    await scene.say("pay");
    await scene.run();
    expect(scene.runs).toEqual([]);
    expect(await scene.said()).toEqual(["Paying now."]);
    await scene.expectAtRest();
  });

  it("not even where the provider passes them on", async () => {
    await using scene = await open();
    scene.with({
      policy: { ...defaultPolicy, maxModelCalls: 1 },
      models: only({
        card,
        cards: [card],
        stream: generated(function* () {
          yield { type: "text-delta", text: "Paying now." };
          for (const name of ["pay", "buy", "fly"])
            yield { type: "tool-call", id: "", name, arguments: "{}" };
          yield { type: "finish", reason: "tool-calls" };
        }),
      }),
    });
    await scene.say("pay");
    await scene.run();
    expect(scene.runs).toEqual([]);
    expect((await scene.outbox()).map(({ kind }) => kind)).toEqual(["message"]);
    expect(await scene.story()).toEqual([
      "message pay",
      "assistant Paying now.",
      "end max-model-calls",
    ]);
    await scene.expectAtRest();
  });

  it("where the last answer is nothing but calls, a sentence names the limit", async () => {
    await using scene = await open();
    scene.with({ policy: { ...defaultPolicy, maxModelCalls: 1 } });
    scene.model.reply(calls("pay"));
    await scene.say("pay");
    await scene.run();
    expect(scene.runs).toEqual([]);
    expect(await scene.said()).toEqual([
      'I stopped here because I reached the limit of 1 step. Say "go on" to continue.',
    ]);
    await scene.expectAtRest();
  });

  it("executions beyond the limit are refused, and the turn is closed", async () => {
    await using scene = await open();
    scene.with({ policy: { ...defaultPolicy, maxToolExecutions: 2 } });
    scene.model.reply(calls("look", "pay", "pay"), { text: "Some of it." });
    await scene.say("all of it");
    await scene.run();
    expect(scene.runs).toHaveLength(2);
    expect(resultsOf(scene.model).map((text) => text.split(":")[0])).toEqual([
      "look 0 done",
      "pay 1 done",
      "limit-reached",
    ]);
    expect(scene.model.requests[1]?.mayCallTools).toBe(false);
    expect(await scene.story()).toEqual(expect.arrayContaining(["end max-tool-executions"]));
    await scene.expectAtRest();
  });

  it("none at all means that no tool ever runs", async () => {
    await using scene = await open();
    scene.with({ policy: { ...defaultPolicy, maxToolExecutions: 0 } });
    scene.model.reply(calls("look"), { text: "No." });
    await scene.say("look");
    await scene.run();
    expect(scene.runs).toEqual([]);
    expect(await scene.said()).toEqual(["No."]);
  });

  it("a tool failure stops the turn where the operator wants it", async () => {
    await using scene = await open();
    scene.with({
      policy: {
        ...defaultPolicy,
        stopOn: { ...defaultPolicy.stopOn, toolFailure: true },
      },
    });
    scene.model.reply(calls("throws"), { text: "It failed." });
    await scene.say("do it");
    await scene.run();
    expect(scene.model.requests[1]?.mayCallTools).toBe(false);
    expect((await scene.story()).at(-1)).toBe("end tool-failure");
  });

  it("a denied tool stops the turn where the operator wants it", async () => {
    await using scene = await open();
    scene.with({
      toolPolicy: () => ({ type: "deny" }),
      policy: {
        ...defaultPolicy,
        stopOn: { ...defaultPolicy.stopOn, policyDenied: true },
      },
    });
    scene.model.reply(calls("look"), { text: "I may not." });
    await scene.say("look");
    await scene.run();
    expect(scene.runs).toEqual([]);
    expect(resultsOf(scene.model)[0]).toMatch(/^policy-denied: /);
    expect((await scene.story()).at(-1)).toBe("end policy-denied");
  });
});

describe("what waits in an idle chat", () => {
  const piece = { burst: "album-1" };

  it("pieces of one burst are one turn, and the next message another", async () => {
    await using scene = await open();
    await scene.say("one", piece);
    await scene.say("two", piece);
    await scene.say("three", { atMs: Date.now() + 3_000 });
    await until(async () => (await scene.settle()).type === "done", "the burst");
    expect(scene.model.requests.map(({ lastUserText }) => lastUserText)).toEqual(["two", "three"]);
    expect(await scene.said()).toHaveLength(2);
    expect(await scene.story()).toEqual([
      "message one",
      "message two",
      "assistant You said: two",
      "message three",
      "assistant You said: three",
    ]);
    await scene.expectAtRest();
  });

  it("another person's piece with the same key is another turn", async () => {
    await using scene = await open();
    await scene.say("one", piece);
    await scene.say("two", { ...piece, person: bob });
    await until(async () => (await scene.settle()).type === "done", "the burst");
    expect(await scene.said()).toHaveLength(2);
  });

  it("behind a reset the model sees nothing of what was before", async () => {
    await using scene = await open();
    await scene.say("one");
    await scene.settle();
    await scene.reset();
    await scene.say("two");
    await scene.settle();
    expect(scene.model.requests[1]?.messages.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^You are Parley\./),
      "two",
    ]);
    expect(await scene.story()).toEqual([
      "message one",
      "assistant You said: one",
      "reset",
      "message two",
      "assistant You said: two",
    ]);
    // Another worker, which has read nothing yet, sees the same.
    await scene.say("three");
    await scene.settle();
    expect(scene.model.requests[2]?.messages.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^You are Parley\./),
      "two",
      "You said: two",
      "three",
    ]);
    await scene.expectAtRest();
  });
});

const piece = (letter: string): string => letter.repeat(4_000);

describe("long pieces of text", () => {
  it("that follow each other closely are one turn, with the short last one", async () => {
    await using scene = await open();
    const atMs = Date.now();
    await scene.say(piece("a"), { burst: "paste", atMs });
    await scene.say(piece("b"), { burst: "paste", atMs: atMs + 300 });
    await scene.say("c", { atMs: atMs + 600 });
    await scene.settle();
    expect(scene.model.received).toBe(1);
  });

  it("that are minutes apart are turns of their own", async () => {
    await using scene = await open();
    const atMs = Date.now() - 540_000;
    await scene.say(piece("a"), { burst: "paste", atMs });
    await scene.say(piece("b"), { burst: "paste", atMs: atMs + 500_000 });
    await scene.say("c", { atMs: atMs + 540_000 });
    await until(async () => {
      await scene.settle();
      return scene.model.received === 3;
    });
  });
});
