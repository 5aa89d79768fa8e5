import { describe, expect, it } from "vitest";
import type { ErrorReport } from "../../../src/core/error-report.ts";
import type { MessageEntry } from "../../../src/core/history.ts";
import type { ModelEvent, ModelFailureKind } from "../../../src/core/model.ts";
import { modelFailureKinds } from "../../../src/core/model.ts";
import type { ModelChain } from "../../../src/models/chain.ts";
import { card, generated } from "../../models/helpers.ts";
import type { Failure, Step } from "../../emulators/model/step.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { counted, defaultPolicy, openScene, type SceneOptions, only } from "../scene.ts";
import { localKey, openTwo } from "./two-providers.ts";

const redis = await testDatabase();
const open = (options: Partial<SceneOptions> = {}) => openScene({ redis, ...options });

/** A model whose streams are these, one after the other. */
function listed(...streams: (readonly ModelEvent[])[]): ModelChain {
  return {
    card,
    cards: [card],
    stream: generated(() => streams.shift() ?? []),
  };
}

const failing = (kind: ModelFailureKind): ModelEvent => ({
  type: "failure",
  failure: { kind, message: "what the server said" },
});

const words: Record<ModelFailureKind, RegExp> = {
  "rate-limited": /too busy/,
  overloaded: /having problems/,
  timeout: /too long/,
  network: /can't reach/,
  // There is no conversation that could be left out.
  "context-overflow": /shorten the prompt or the tools/,
  auth: /key/,
  "invalid-request": /rejected my request/,
  refused: /declined/,
  "no-credit": /out of credit/,
  moderated: /content filter/,
  "unknown-model": /isn't available/,
  "broken-call": /made a mistake/,
};

describe("a model that fails", () => {
  it.each(modelFailureKinds)("%s: one sentence, with an id", async (kind) => {
    await using scene = await open();
    const { store, counts } = counted(scene.deps.store);
    scene.with({ store, models: only(listed([failing(kind)])) });
    await scene.say("a private question");
    expect(await scene.run()).toEqual({ type: "done" });
    const [said = ""] = await scene.said();
    expect(said).toMatch(/^Sorry, /);
    expect(said).toContain("error-id-1");
    expect(said).toMatch(words[kind]);
    expect(scene.logged("error")).toContain("error-id-1");
    expect(scene.logged("error")).toContain(kind);
    expect(scene.logged("error")).toContain("what the server said");
    expect(scene.logged("info")).not.toContain("private question");
    expect((await scene.story()).at(-1)).toBe("end model-failed");
    expect(counts).toEqual({ begin: 1, commit: 1, release: 0 });
    await scene.expectAtRest();
  });

  it.each<[string, Partial<MessageEntry>, boolean]>([
    ["an owner in private", { role: "owner" }, true],
    ["an owner in a group", { role: "owner", group: true }, false],
    ["an admin", { role: "admin" }, false],
    ["a member", { role: "member" }, false],
  ])("explains itself to %s: %j → %s", async (_who, message, isExplained) => {
    const noted: ErrorReport[] = [];
    await using scene = await open({ deps: { noteError: (report) => void noted.push(report) } });
    scene.with({ models: only(listed([failing("network")])) });
    await scene.say("a private question", message);
    await scene.run();
    const [said = ""] = await scene.said();
    expect(said).toContain("error-id-1");
    expect(said.includes("Cause: what the server said")).toBe(isExplained);
    expect(said.includes("ollama serve")).toBe(isExplained);
    expect(noted).toEqual([
      {
        v: 1,
        id: "error-id-1",
        atMs: expect.any(Number) as number,
        kind: "network",
        chat: scene.chat,
        turn: 1,
        model: card.id,
        cause: "what the server said",
      },
    ]);
  });

  it.each<[string, Partial<MessageEntry>, boolean, string | undefined]>([
    ["a member reads that the owner was told", { role: "member" }, true, "I've told my owner."],
    ["so does a group", { role: "owner", group: true }, true, "I've told my owner."],
    ["or whom to tell", { role: "member" }, false, "Please tell the person who runs me."],
    ["an owner reads the cause alone", { role: "owner" }, true, undefined],
  ])("%s", async (_what, message, isTold, expected) => {
    const failed: unknown[] = [];
    await using scene = await open({
      deps: {
        modelWatch: {
          failed: (given) => {
            failed.push(given);
            return Promise.resolve(isTold);
          },
          answered: () => undefined,
        },
      },
    });
    scene.with({ models: only(listed([failing("auth")])) });
    await scene.say("a private question", message);
    await scene.run();
    const [said = ""] = await scene.said();
    expect(said).toContain("error-id-1");
    for (const next of ["I've told my owner.", "Please tell the person who runs me."])
      expect(said.includes(next)).toBe(next === expected);
    const isOwners = message.role === "owner" && message.group !== true;
    const { chat } = scene;
    expect(failed).toEqual([
      expect.objectContaining({ model: card.id, chat, isOwners, isReplaced: false }),
    ]);
  });

  it("says when to try again, where the server said so", async () => {
    const noted: ErrorReport[] = [];
    await using scene = await open({ deps: { noteError: (report) => void noted.push(report) } });
    const failure: ModelEvent = {
      type: "failure",
      failure: { kind: "rate-limited", message: "slow down", retryAfterMs: 600_000 },
    };
    scene.with({ models: only(listed([failure])) });
    await scene.say("a private question", { role: "member" });
    await scene.run();
    expect(await scene.said()).toEqual([
      expect.stringContaining("Please try again in about 10 minutes."),
    ]);
    expect(noted[0]?.retryAfterMs).toBe(600_000);
  });

  it("shows and keeps no secret of its cause, not even a part", async () => {
    const noted: ErrorReport[] = [];
    const secret = "a-very-secret-key";
    const redact = (text: string) => text.replaceAll(secret, "[hidden]");
    await using scene = await open({
      deps: { redact, noteError: (report) => void noted.push(report) },
    });
    const message = `${"x".repeat(290)} ${secret}, and ${secret}`;
    const failure: ModelEvent = { type: "failure", failure: { kind: "network", message } };
    scene.with({ models: only(listed([failure])) });
    await scene.say("a private question", { role: "owner" });
    await scene.run();
    const [said = ""] = await scene.said();
    expect(said).toContain("Cause: xxx");
    expect(said).not.toContain("a-very");
    expect(noted[0]?.cause).toContain("[hidden]");
    expect(noted[0]?.cause).not.toContain("a-very");
  });

  it.each<[string, Failure, RegExp]>([
    ["a server error", { status: 500 }, /having problems/],
    ["a wrong key", { status: 401 }, /key/],
    ["a refusal", { status: 400, message: "no" }, /rejected my request/],
    [
      "a prompt that is too long",
      { status: 400, code: "context_length_exceeded" },
      /shorten the prompt or the tools/,
    ],
    ["no connection", "cut-before-headers", /can't reach/],
    ["no stream", "empty", /can't reach/],
  ])("on the wire, %s", async (_what, failure, expected) => {
    await using scene = await open();
    const step: Step = { failure };
    scene.model.reply(...Array.from({ length: 8 }, () => step));
    await scene.say("a private question");
    await scene.run();
    expect(await scene.said()).toEqual([expect.stringMatching(expected)]);
    expect(await scene.said()).toEqual([expect.stringContaining("error-id-1")]);
    expect(scene.logged("info")).not.toContain("private question");
    expect(scene.logged("debug")).not.toContain("sk-a-very-secret-key");
    await scene.expectAtRest();
  });

  it("says which part is too long: the prompt and the tools, or the question", async () => {
    await using scene = await open();
    const long = "A sentence that nobody needs. ".repeat(2_000);
    const refused: Step = {
      failure: { status: 400, code: "context_length_exceeded" },
    };
    scene.model.reply(...Array.from({ length: 6 }, () => refused));
    await scene.say("hi");
    await scene.settle();
    expect((await scene.said()).at(-1)).toMatch(/^(?!.*\/new).*the prompt or/);
    await scene.say(long);
    await scene.settle();
    expect((await scene.said()).at(-1)).toMatch(/^(?!.*\/new).*split it/);
  });

  it("says so too where we find that the prompt can't fit, before anything is sent", async () => {
    await using two = await openTwo({
      redis,
      catalogue: {
        tiers: { balanced: [localKey] },
        overrides: { [localKey]: { card: { contextWindow: 500 } } },
      },
      deps: { systemPrompt: "Follow this rule as well. ".repeat(200) },
    });
    await two.scene.say("hi");
    await two.scene.settle();
    expect(await two.scene.said()).toEqual([
      expect.stringMatching(/^(?!.*\/new).*shorten the prompt or the tools/),
    ]);
    expect(two.local.received).toBe(0);
    await two.expectAtRest();
  });

  it("is forgotten: the next turn hears that nothing was answered, not of the apology", async () => {
    await using scene = await open();
    scene.model.reply({ failure: { status: 401 } });
    await scene.say("one");
    await scene.settle();
    await scene.say("two");
    await scene.settle();
    expect(scene.model.requests.at(-1)?.messages.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^You are Parley\./),
      "one",
      "(I could not answer this.)",
      "two",
    ]);
    expect((await scene.said()).at(-1)).toBe("You said: two");
    await scene.expectAtRest();
  });

  it("after a tool ran: the call keeps its result, and there is one sentence", async () => {
    await using scene = await open();
    scene.model.reply(
      { toolCalls: [{ name: "pay", arguments: { label: "1" } }] },
      { failure: { status: 401 } },
    );
    await scene.say("pay");
    await scene.settle();
    expect(scene.runs).toHaveLength(1);
    expect(await scene.story()).toEqual([
      "message pay",
      "assistant [pay]",
      "tool pay done",
      "end model-failed",
    ]);
    expect(await scene.said()).toHaveLength(1);
    await scene.expectAtRest();
  });
});

describe("a gateway in front of the only model", () => {
  it.each([408, 504, 503, 524])("that answers %d once delays the answer", async (status) => {
    await using scene = await open();
    scene.model.reply({ failure: { status } }, { text: "Here I am." });
    await scene.say("hello");
    await scene.settle();
    expect(await scene.said()).toEqual(["Here I am."]);
    expect(scene.model.requests).toHaveLength(2);
  });
});

describe("an answer of nothing", () => {
  it.each([
    ["no text", { text: "" }],
    ["blanks", { text: [" \n "] }],
    ["only thoughts", { reasoning: "Hm.", text: "" }],
  ] satisfies [string, Step][])("%s: a sentence with an id", async (_what, step) => {
    await using scene = await open();
    scene.model.reply(step, step);
    await scene.say("hello");
    await scene.run();
    expect(await scene.said()).toEqual([
      "Sorry, I got no answer. Please try again. (error error-id-1)",
    ]);
    expect(scene.logged("error")).toContain("error-id-1");
    expect((await scene.story()).at(-1)).toBe("end model-failed");
    await scene.expectAtRest();
    await scene.say("again");
    await scene.settle();
    expect((await scene.said()).at(-1)).toBe("You said: again");
    await scene.expectAtRest();
  });

  it("that was filtered says that the model declined", async () => {
    await using scene = await open();
    scene.model.reply({ text: "", finish: "content_filter" });
    await scene.say("hello");
    await scene.run();
    expect(await scene.said()).toEqual([expect.stringContaining("declined to answer")]);
    await scene.expectAtRest();
  });
});

describe("a stream that breaks", () => {
  it.each<[string, Step]>([
    ["in the text", { text: ["One ", "two ", "three"], failure: "cut" }],
    ["in the thoughts", { reasoning: "Hm, let me see.", text: "x", failure: "cut" }],
    ["with an error", { text: ["One ", "two"], failure: "late-error" }],
  ])("%s is asked again: one answer", async (_what, step) => {
    await using scene = await open();
    scene.model.reply(step, { text: "One two three." });
    await scene.say("count");
    await scene.run();
    expect(scene.model.received).toBe(2);
    expect(await scene.said()).toEqual(["One two three."]);
    expect(await scene.story()).toEqual(["message count", "assistant One two three."]);
    expect(await scene.hash("usage:modelCalls")).toBe("2");
    await scene.expectAtRest();
  });

  it("again and again ends with a sentence", async () => {
    await using scene = await open();
    const step: Step = { text: ["One ", "two"], failure: "cut" };
    scene.model.reply(step, step, step, { text: "never asked" });
    await scene.say("count");
    await scene.run();
    expect(scene.model.received).toBe(3);
    expect(await scene.said()).toEqual([expect.stringContaining("error-id-1")]);
    await scene.expectAtRest();
  });

  it("counts each attempt: the limit of model calls holds", async () => {
    await using scene = await open();
    scene.with({ policy: { ...defaultPolicy, maxModelCalls: 2 } });
    const step: Step = { text: ["One ", "two"], failure: "cut" };
    scene.model.reply(step, step, { text: "never asked" });
    await scene.say("count");
    await scene.run();
    expect(scene.model.received).toBe(2);
    expect(await scene.said()).toEqual([expect.stringContaining("limit of 2 steps")]);
    await scene.expectAtRest();
  });

  it("in a call runs nothing of it", async () => {
    await using scene = await open();
    scene.model.reply(
      {
        text: "Paying. ",
        toolCalls: [{ name: "pay", arguments: { label: "much" } }],
        failure: "cut",
        failAfterChunks: 2,
      },
      { text: "I did not pay." },
    );
    await scene.say("pay");
    await scene.run();
    expect(scene.runs).toEqual([]);
    expect(await scene.said()).toEqual(["I did not pay."]);
    await scene.expectAtRest();
  });
});

describe("a turn that fails every time", () => {
  it("is given up after three deaths, with one sentence, and the chat goes on", async () => {
    await using scene = await open({ leaseMs: 15 });
    let attempts = 0;
    const broken: ModelChain = {
      card,
      cards: [card],
      stream() {
        attempts += 1;
        throw new TypeError("a defect of ours");
      },
    };
    await scene.say("hello");
    await scene.say("and now?");
    const { store, counts } = counted(scene.deps.store);
    scene.with({ store });
    for (;;) {
      const outcome = await scene
        .run(undefined, { models: only(broken) })
        .catch((error: unknown) => error);
      if (outcome instanceof TypeError) continue;
      if (await scene.outbox().then(({ length }) => length > 0)) break;
      expect(outcome).toMatchObject({ type: "later" });
      expect(counts.begin).toBeLessThan(100_000);
    }
    expect(attempts).toBe(3);
    expect(await scene.said()).toEqual([
      expect.stringMatching(/^Sorry, I tried this three times.* \(error error-id-1\)$/),
    ]);
    expect(scene.logged("error")).toMatch(
      /"errorId":"error-id-1".*"deaths":3.*keeps killing its worker/,
    );
    expect(await scene.story()).toEqual(["message hello", "end poisoned"]);
    await scene.settle();
    expect((await scene.said()).at(-1)).toBe("You said: and now?");
    await scene.expectAtRest();
  });
});
