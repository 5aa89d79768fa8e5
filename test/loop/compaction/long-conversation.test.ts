import { describe, expect, it } from "vitest";
import type { CompactionEntry, LogEntry } from "../../../src/core/history.ts";
import type { TraceRecord } from "../../../src/core/trace.ts";
import { estimateRequest } from "../../../src/loop/compaction/measure.ts";
import { openTurn } from "../../../src/loop/machine/open-turn.ts";
import { createToolbox } from "../../../src/loop/tools/toolbox.ts";
import { createModels, type ModelCatalogue } from "../../../src/models/create-models.ts";
import { loadTokenizer } from "../../../src/models/tokens.ts";
import { readHistory } from "../../../src/store/turns/history.ts";
import { createTurnStore } from "../../../src/store/turns/turn-store.ts";
import type { ModelRequest } from "../../emulators/model/model-request.ts";
import { OpenAiServer } from "../../emulators/model/openai-server.ts";
import { ScriptedModel } from "../../emulators/model/scripted-model.ts";
import type { Step } from "../../emulators/model/step.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import { asksForSummary, asksToCondense } from "./workshop.ts";
import { bob, calls, defaultContext, openScene, type Scene, type SceneOptions } from "../scene.ts";
import { testTools } from "../test-tools.ts";
import { localKey, modelsOf, openaiKey, openTwo } from "../model/two-providers.ts";

const redis = await testDatabase();

const windowTokens = 4_000;

const fact = "My cat is called Mika.";
const question = "What is my cat called?";

/** Sentences that no one needs to remember; about 12 tokens each. */
const filler = (what: string, count: number): string =>
  Array.from(
    { length: count },
    (_, place) => `This is the sentence number ${place + 1} of ${what}.`,
  ).join(" ");

const factsIn = (text: string): string[] => [
  ...new Set(text.match(/[^\n.]* is called \w+\./g) ?? []),
];

const asksAgent = ({ systemText }: ModelRequest): boolean =>
  systemText.startsWith("You compress the older part of a conversation");

const isCompaction = (request: ModelRequest): boolean =>
  asksForSummary(request) || asksToCondense(request) || asksAgent(request);

/** Remembers who is called what, and that something was said; nothing else. */
const summaryOf = (text: string): string =>
  ["user: they talked about numbers.", ...factsIn(text)].join("\n");

/**
 * What an agent does with its tools: looks, puts one summary in the place of all that it may,
 * verifies, and stops.
 */
function agentStep({ toolResults, messages }: ModelRequest): Step {
  const [result] = toolResults;
  if (result === undefined)
    return { toolCalls: [{ name: "get_compression_metadata", arguments: {} }] };
  if (result.name === "get_compression_metadata") {
    const page = JSON.parse(result.text) as {
      compressible: { fromSeq: number };
      segmentsMayEndAtSeq: number[];
    };
    const toSeq = page.segmentsMayEndAtSeq.at(-1);
    if (toSeq === undefined) return { text: "Nothing can be done." };
    const { fromSeq } = page.compressible;
    const given = { fromSeq, toSeq, summary: summaryOf(result.text) };
    return {
      toolCalls: [{ name: "compress_conversation_segment", arguments: given }],
    };
  }
  if (result.name === "compress_conversation_segment")
    return {
      toolCalls: [{ name: "verify_compression_target", arguments: {} }],
    };
  return { text: `Done after ${messages.length} messages.` };
}

/** Answers from what it is shown, and from nothing else. */
function answerTo(request: ModelRequest): Step {
  const { lastUserText, lastRole, messages } = request;
  if (asksAgent(request)) return agentStep(request);
  if (isCompaction(request)) return { text: summaryOf(lastUserText) };
  if (lastUserText === question && lastRole === "user") {
    const shown = messages.map(({ text }) => text).join("\n");
    const name = /cat is called (\w+)/.exec(shown)?.[1];
    return {
      text: name === undefined ? "I do not know." : `It is called ${name}.`,
    };
  }
  if (lastUserText.startsWith("Look") && lastRole === "user") return calls("look");
  return { text: filler(`the answer to ${lastUserText.slice(0, 12)}`, 3) };
}

interface Sizes {
  /** What the model's card says, in tokens, and what its server takes. */
  readonly window?: number;
  readonly serverWindow?: number;
}

/** A chat whose model has a small window, which its server enforces, too. */
async function openTalk(options: Partial<SceneOptions> & Sizes = {}) {
  const { window = windowTokens, serverWindow = window, ...more } = options;
  const scene = await openScene({
    redis,
    script: new ScriptedModel({ fallback: answerTo, keepRequests: 200 }),
    serves: [{ id: "gpt-4o-mini", contextWindow: serverWindow }],
    ...more,
  });
  const traces: TraceRecord[] = [];
  const given: number[] = [];
  const { store } = scene.deps;
  scene.with({
    models: modelsOf(
      { openai: scene.parts.server },
      { overrides: { [openaiKey]: { card: { contextWindow: window } } } },
    ),
    toolbox: createToolbox(
      testTools(scene.parts.effects).filter(({ name }) => ["look", "buy"].includes(name)),
    ),
    store: {
      ...store,
      async begin(chat) {
        const begun = await store.begin(chat);
        if (begun.type === "begun") given.push(begun.transcript.length);
        return begun;
      },
    },
    trace: { write: (record) => traces.push(record) },
    ...more.deps,
  });
  return {
    scene,
    /** Every model call, those of compactions included. */
    traces,
    /** How many entries of the history each session was given. */
    given,
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

const saidIn = (turn: number): string =>
  turn === 1
    ? `${fact} ${filler("turn 1", 2)}`
    : `${turn % 50 === 0 ? "Look at" : "Here is"} ${filler(`turn ${turn}`, 3)}`;

async function talk(scene: Scene, from: number, to: number): Promise<void> {
  for (let turn = from; turn <= to; turn += 1) {
    await scene.say(saidIn(turn));
    await scene.settle();
  }
}

async function ask(scene: Scene, text: string): Promise<string | undefined> {
  await scene.say(text);
  await scene.settle();
  return (await scene.said()).at(-1);
}

const compactionsIn = (log: readonly LogEntry[]): CompactionEntry[] =>
  log.filter((entry) => entry.kind === "compaction");

const shownTo = (request: ModelRequest | undefined): string =>
  (request?.messages ?? []).map(({ text }) => text).join("\n");

/** No request was larger than the window, as we count; the server counts for itself. */
async function expectWithinWindow(
  traces: readonly TraceRecord[],
  window = windowTokens,
): Promise<void> {
  const count = await loadTokenizer();
  const sizes = traces.map(({ request: { messages, tools } }) =>
    estimateRequest(messages, tools, count),
  );
  expect(Math.max(...sizes)).toBeLessThanOrEqual(window);
}

/**
 * Every compaction gained what it was made for, and none came before there was something to gain.
 */
function expectWorthwhile(compactions: readonly CompactionEntry[]): void {
  for (const { tokensBefore, tokensAfter } of compactions) {
    expect(tokensBefore).toBeGreaterThanOrEqual(0.7 * windowTokens);
    expect(tokensAfter).toBeLessThanOrEqual(0.4 * windowTokens);
  }
  for (const [index, { turn }] of compactions.entries())
    expect(turn - (compactions[index - 1]?.turn ?? 0)).toBeGreaterThan(10);
}

/** People read one quiet line for each compaction. */
async function expectOneLineEach(
  scene: Scene,
  compactions: readonly CompactionEntry[],
): Promise<void> {
  const lines = (await scene.outbox()).filter(({ kind }) => kind === "notice");
  expect(new Set(lines.map(({ id }) => id)).size).toBe(compactions.length);
  expect(lines).toHaveLength(compactions.length);
  for (const line of lines)
    expect(line).toMatchObject({
      silent: true,
      text: expect.stringMatching(/^I summarized the earlier part/),
    });
}

/** All that was ever said, as the raw history has it. */
async function wordsOf(scene: Scene): Promise<string[]> {
  const history = readHistory(scene.parts.store, scene.chat);
  const words: string[] = [];
  for await (const { entry } of history) if (entry.kind === "message") words.push(entry.text);
  return words;
}

const said = (turns: number): string[] =>
  Array.from({ length: turns }, (_, place) => saidIn(place + 1));

/** 400 turns take 15 s on a machine that has other work. */
const longMs = 150_000;

describe("a conversation of 800 messages", () => {
  it(
    "is compacted again and again, keeps every word, and knows what was said first",
    { timeout: longMs },
    async () => {
      await using talked = await openTalk();
      const { scene, traces, given } = talked;
      await talk(scene, 1, 400);
      const log = await scene.log();
      const compactions = compactionsIn(log);
      expect(compactions.length).toBeGreaterThan(4);
      expect(compactions.length).toBeLessThan(24);
      expectWorthwhile(compactions);
      await expectOneLineEach(scene, compactions);
      expect(compactions.every(({ strategy }) => strategy === "summarise")).toBe(true);
      // What a turn has to read does not grow with what was said before.
      expect(Math.max(...given)).toBeLessThan(150);

      // A worker that has read nothing yet sees what the one that was there from the beginning
      // sees.
      const cold = createTurnStore({
        store: scene.parts.store,
        leaseMs: 10_000,
        retentionMs: 86_400_000,
        openTurn,
      });
      scene.with({ store: cold });
      expect(await ask(scene, question)).toBe("It is called Mika.");
      const last = scene.model.requests.at(-1);
      expect(shownTo(last)).toContain("[Summary of the conversation so far");
      expect(shownTo(last)).not.toContain("of turn 1.");
      expect(last?.messages.length).toBeLessThan(150);

      expect(await wordsOf(scene)).toEqual([...said(400), question]);
      expect(log.filter(({ kind }) => kind === "assistant")).toHaveLength(408);
      await expectWithinWindow(traces);
      await scene.expectAtRest();
    },
  );
});

describe("the other strategies", () => {
  it("cutting asks no model, and keeps how it began", async () => {
    const context = { ...defaultContext, strategy: "truncate" } as const;
    await using talked = await openTalk({ deps: { context } });
    const { scene, traces } = talked;
    await talk(scene, 1, 60);
    const compactions = compactionsIn(await scene.log());
    expect(compactions.length).toBeGreaterThan(0);
    expect(
      compactions.every(({ strategy, model }) => strategy === "truncate" && model === undefined),
    ).toBe(true);
    expectWorthwhile(compactions);
    await expectOneLineEach(scene, compactions);
    expect(traces.every(({ purpose }) => purpose === "answer")).toBe(true);
    expect(await ask(scene, question)).toBe("It is called Mika.");
    expect(await wordsOf(scene)).toEqual([...said(60), question]);
    await expectWithinWindow(traces);
    await scene.expectAtRest();
  });

  it("an agent does it with its four tools, in a turn that no one sees", async () => {
    const context = { ...defaultContext, strategy: "agent" } as const;
    await using talked = await openTalk({ deps: { context } });
    const { scene, traces } = talked;
    await talk(scene, 1, 60);
    const compactions = compactionsIn(await scene.log());
    expect(compactions.length).toBeGreaterThan(0);
    expect(
      compactions.every(({ strategy, model }) => strategy === "agent" && model === openaiKey),
    ).toBe(true);
    expectWorthwhile(compactions);
    await expectOneLineEach(scene, compactions);
    expect(await ask(scene, question)).toBe("It is called Mika.");
    expect(await wordsOf(scene)).toEqual([...said(60), question]);
    expect(await scene.said()).toHaveLength(61);
    const used = traces
      .filter(({ purpose }) => purpose === "compaction")
      .flatMap(({ response }) => response.calls.map(({ name }) => name));
    expect(new Set(used)).toEqual(
      new Set([
        "get_compression_metadata",
        "compress_conversation_segment",
        "verify_compression_target",
      ]),
    );
    await expectWithinWindow(traces);
    await scene.expectAtRest();
  });
});

describe("by hand", () => {
  it("shortens what is there, however little, and asks nothing else", async () => {
    await using talked = await openTalk({ window: 100_000 });
    const { scene } = talked;
    await talk(scene, 1, 12);
    const before = scene.model.received;
    await scene.control("compact");
    await scene.settle();
    const [compaction, ...others] = compactionsIn(await scene.log());
    expect(others).toEqual([]);
    expect(compaction?.tokensAfter).toBeLessThan(compaction?.tokensBefore ?? 0);
    expect((await scene.outbox()).slice(12)).toEqual([
      {
        silent: true,
        kind: "message",
        v: 1,
        id: "turn-13",
        text: expect.stringMatching(/^I summarized the earlier part/),
      },
    ]);
    expect(scene.model.requests.slice(before).every(isCompaction)).toBe(true);
    expect(scene.model.received).toBe(before + 1);
    expect((await scene.story()).slice(-2)).toEqual(["compaction summarise", "end compacted"]);
    expect(await ask(scene, question)).toBe("It is called Mika.");
    expect(shownTo(scene.model.requests.at(-1))).not.toContain("of turn 1.");
    await scene.expectAtRest();
  });

  it("says that there is nothing to do, and asks no one", async () => {
    await using talked = await openTalk();
    const { scene } = talked;
    await scene.control("compact");
    await scene.settle();
    await talk(scene, 1, 2);
    await scene.control("compact", { messageId: "77", group: true });
    await scene.settle();
    expect(await scene.outbox()).toMatchObject([
      { kind: "message", text: "There's nothing to summarize yet." },
      { kind: "message" },
      { kind: "message" },
      {
        kind: "message",
        text: "There's nothing to summarize yet.",
        replyTo: "77",
      },
    ]);
    expect(scene.model.received).toBe(2);
    expect(compactionsIn(await scene.log())).toEqual([]);
    await scene.expectAtRest();
  });

  it("waits behind the turn that runs, and what comes behind it is answered after it", async () => {
    await using talked = await openTalk({ window: 100_000 });
    const { scene } = talked;
    await talk(scene, 1, 12);
    const gate = scene.model.hold("turn 13", { at: "headers" });
    await scene.say(saidIn(13));
    const running = scene.run();
    await gate.waitUntilHeld();
    await scene.control("compact");
    await scene.say(question);
    gate.release();
    await running;
    await scene.settle();
    expect((await scene.story()).slice(-6)).toEqual([
      `message ${saidIn(13)}`,
      expect.stringMatching(/^assistant/),
      "compaction summarise",
      "end compacted",
      `message ${question}`,
      "assistant It is called Mika.",
    ]);
    await scene.expectAtRest();
  });
});

describe("a request that the provider finds too long", () => {
  it("is made shorter, once, and asked again", async () => {
    await using talked = await openTalk({
      window: 100_000,
      serverWindow: windowTokens,
    });
    const { scene } = talked;
    let turn = 0;
    while (compactionsIn(await scene.log()).length === 0) {
      turn += 1;
      await talk(scene, turn, turn);
      expect(turn).toBeLessThan(100);
    }
    const answers = await scene.said();
    expect(answers).toHaveLength(turn);
    expect(answers.at(-1)).toContain("This is the sentence number 1");
    await expectOneLineEach(scene, compactionsIn(await scene.log()));
    const refused = scene.parts.server.hits.filter(({ status }) => status === 400);
    expect(refused).toHaveLength(1);
    expect(await ask(scene, question)).toBe("It is called Mika.");
    await scene.expectAtRest();
  });

  it("is suspected after a refusal without words, where much of the window is full", async () => {
    await using talked = await openTalk({});
    const { scene } = talked;
    await ask(scene, fact);
    await ask(scene, filler("a story", 170));
    const before = compactionsIn(await scene.log()).length;
    expect(before).toBe(0);
    scene.model.reply({ failure: { status: 413, body: "Payload Too Large" } });
    expect(await ask(scene, question)).toBe("It is called Mika.");
    expect(compactionsIn(await scene.log()).length).toBeGreaterThan(before);
    await scene.expectAtRest();
  });

  it("however short it is made ends with one sentence, and the chat goes on", async () => {
    await using talked = await openTalk({ window: 100_000 });
    const { scene } = talked;
    await talk(scene, 1, 12);
    const tooLong: Step = {
      failure: { status: 400, code: "context_length_exceeded" },
    };
    scene.model.when((request) => !isCompaction(request), tooLong);
    const sentence = await ask(scene, "Well?");
    expect(sentence).toMatch(/^Sorry, my instructions and tools alone are too long/);
    const compactions = compactionsIn(await scene.log());
    expect(compactions.length).toBeGreaterThan(0);
    expect(compactions.length).toBeLessThanOrEqual(5);
    await expectOneLineEach(scene, compactions);
    expect((await scene.story()).at(-1)).toBe("end model-failed");
    scene.model.when((request) => !isCompaction(request), answerTo);
    expect(await ask(scene, question)).toBe("It is called Mika.");
    await scene.expectAtRest();
  });

  it("with nothing to leave out ends with one sentence, and nothing is compacted", async () => {
    await using talked = await openTalk({
      window: 100_000,
      serverWindow: windowTokens,
    });
    const { scene } = talked;
    const sentence = await ask(scene, filler("one message", 1_000));
    expect(sentence).toMatch(/^Sorry, this request is too long/);
    expect(compactionsIn(await scene.log())).toEqual([]);
    expect(scene.parts.server.hits).toHaveLength(2);
    await scene.expectAtRest();
  });

  it("right behind a compaction that did not help: each has its own line", async () => {
    await using talked = await openTalk({ serverWindow: 1_500 });
    const { scene } = talked;
    // Another server, which takes more, had this conversation up to now.
    await using roomy = await OpenAiServer.start({
      model: scene.model,
      apiKey: "sk-a-very-secret-key",
    });
    const small = scene.deps.models;
    scene.with({ models: modelsOf({ openai: roomy }, {}) });
    await talk(scene, 1, 40);
    scene.with({ models: small });
    await ask(scene, question);
    const compactions = compactionsIn(await scene.log());
    await expectOneLineEach(scene, compactions);
    expect(compactions).toHaveLength(2);
    expect((await scene.said()).at(-1)).toBe("It is called Mika.");
    await scene.expectAtRest();
  });
});

describe("the window that counts", () => {
  it("is the server's own, from the first request of a worker on", async () => {
    // A server of this kind is presumed to have 8,192 tokens.
    await using server = await OpenAiServer.start({
      model: new ScriptedModel({ fallback: answerTo }),
      models: [{ id: "big", listing: { max_model_len: 60_000 } }],
    });
    await using talked = await openTalk({ window: 100_000 });
    const { scene } = talked;
    await talk(scene, 1, 4);
    await ask(scene, filler("one long message", 700));
    const fresh = () =>
      createModels({
        providers: {
          vllm: { type: "openai", baseUrl: server.baseUrl, preset: "vllm" },
        },
        tiers: { balanced: { models: [{ provider: "vllm", model: "big" }] } },
      });
    scene.with({ models: fresh() });
    expect(await ask(scene, question)).toBe("It is called Mika.");
    expect(compactionsIn(await scene.log())).toEqual([]);
    expect(server.violations).toEqual([]);
    await scene.expectAtRest();
  });

  it("is that of the model that takes over, when the first one fails", async () => {
    await using two = await openTwo({
      redis,
      script: new ScriptedModel({ fallback: answerTo }),
      catalogue: { tiers: { balanced: [openaiKey, localKey] } },
    });
    const { scene, openai, local } = two;
    local.when(() => true, answerTo);
    for (let turn = 1; turn <= 40; turn += 1) {
      const long = turn === 1 ? saidIn(1) : filler(`turn ${turn}`, 100);
      await ask(scene, long);
    }
    openai.when((request) => !isCompaction(request), {
      failure: { status: 401 },
    });
    expect(await ask(scene, question)).toBe("It is called Mika.");
    expect(compactionsIn(await scene.log())).toHaveLength(1);
    await two.expectAtRest();
  });
});

describe("an open turn", () => {
  it("is never compacted while a person is asked", async () => {
    await using talked = await openTalk();
    const { scene } = talked;
    await talk(scene, 1, 20);
    scene.model.reply({
      text: filler("a long plan", 120),
      toolCalls: calls("buy").toolCalls ?? [],
    });
    await scene.say("Buy it.");
    await scene.settle();
    expect((await scene.state())?.phase).toBe("waiting");
    await scene.control("compact");
    await scene.say("And mine?", { person: bob });
    await scene.settle();
    expect((await scene.state())?.phase).toBe("waiting");
    expect(compactionsIn(await scene.log())).toEqual([]);
    await scene.decide(0, "approved");
    await scene.settle();
    const story = await scene.story();
    expect(story.slice(story.indexOf("message Buy it."))).toEqual([
      "message Buy it.",
      expect.stringMatching(/^assistant .* \[buy\]$/),
      "tool buy done",
      "compaction summarise",
      expect.stringMatching(/^assistant/),
      "end compacted",
      "message And mine?",
      expect.stringMatching(/^assistant/),
    ]);
    await scene.expectAtRest();
  });

  it("of many rounds is compacted on the way, and what it is about stays before the model's eyes", async () => {
    await using talked = await openTalk({ window: 3_000 });
    const { scene, traces } = talked;
    const rounds = 12;
    let round = 0;
    scene.model.when(
      (request) => !isCompaction(request),
      () => {
        round += 1;
        return round > rounds
          ? { text: "I have seen it all." }
          : {
              toolCalls: [
                {
                  name: "look",
                  arguments: { label: filler(`round ${round}`, 10) },
                },
              ],
            };
      },
    );
    expect(await ask(scene, "Look at all of it, please.")).toBe("I have seen it all.");
    expect(scene.runs).toHaveLength(rounds);
    expect(compactionsIn(await scene.log()).length).toBeGreaterThan(0);
    for (const request of scene.model.requests.filter((each) => !isCompaction(each)))
      expect(shownTo(request)).toContain("Look at all of it, please.");
    await expectOneLineEach(scene, compactionsIn(await scene.log()));
    await expectWithinWindow(traces, 3_000);
    await scene.expectAtRest();
  });

  it("of a group is still one when a summary stands for its question", async () => {
    await using talked = await openTalk({ window: 3_000 });
    const { scene } = talked;
    let round = 0;
    scene.model.when(
      (request) => !isCompaction(request),
      () => {
        round += 1;
        if (round > 13) return { text: "Bought." };
        if (round > 12) return calls("buy");
        const label = filler(`round ${round}`, 10);
        return { toolCalls: [{ name: "look", arguments: { label } }] };
      },
    );
    await scene.say("Look, then buy.", { group: true });
    await scene.settle();
    expect(compactionsIn(await scene.log()).length).toBeGreaterThan(0);
    await scene.decide(0, "approved");
    await scene.settle();
    const last = scene.model.requests.at(-1);
    expect(shownTo(last)).toContain("is about, written by Ann");
    expect(last?.systemText).toContain("You are in a group on Telegram.");
    expect((await scene.outbox()).at(-1)).toMatchObject({
      text: "Bought.",
      replyTo: "1",
    });
    await scene.expectAtRest();
  });
});

/** A deployment whose model has less room than the conversation takes. */
const tooSmall = (scene: Scene): ModelCatalogue =>
  modelsOf(
    { openai: scene.parts.server },
    { overrides: { [openaiKey]: { card: { contextWindow: 2_000 } } } },
  );

/** A turn that asks for a summary, and gets none. */
async function shortening(scene: Scene, text: string, signal?: AbortSignal) {
  await talk(scene, 1, 20);
  const gate = scene.model.hold(isCompaction, { at: "headers" });
  await scene.say(text);
  const running = scene.run(signal, { models: tooSmall(scene) });
  await gate.waitUntilHeld();
  return { gate, running };
}

describe("a turn that ends while its view is shortened", () => {
  it("by /stop leaves the history as it was, and the next one goes on", async () => {
    await using talked = await openTalk();
    const { scene } = talked;
    const { gate, running } = await shortening(scene, "Well?");
    expect((await scene.state())?.phase).toBe("compacting");
    await scene.stop();
    await running;
    gate.release();
    expect((await scene.story()).slice(-2)).toEqual(["message Well?", "end cancelled"]);
    expect(await scene.notices()).toEqual([]);
    expect(await ask(scene, question)).toBe("It is called Mika.");
    await scene.expectAtRest();
  });

  it("by a newer message is left for that one", async () => {
    await using talked = await openTalk({ whileBusy: "interrupt" });
    const { scene } = talked;
    const { gate, running } = await shortening(scene, "Well?");
    await scene.say(question);
    scene.news();
    expect(await running).toEqual({ type: "again" });
    gate.release();
    await scene.settle();
    expect((await scene.said()).at(-1)).toBe("It is called Mika.");
    expect(await scene.story()).toContain("end superseded");
    expect(compactionsIn(await scene.log())).toEqual([]);
    await scene.expectAtRest();
  });

  it("by the end of its worker is taken up by the next, which shortens it once", async () => {
    await using talked = await openTalk();
    const { scene } = talked;
    const stopping = new AbortController();
    const { gate, running } = await shortening(scene, question, stopping.signal);
    stopping.abort();
    expect(await running).toEqual({ type: "again" });
    gate.release();
    await scene.settle({ models: tooSmall(scene) });
    const compactions = compactionsIn(await scene.log());
    expect(compactions).toHaveLength(1);
    await expectOneLineEach(scene, compactions);
    expect((await scene.said()).at(-1)).toBe("It is called Mika.");
    await scene.expectAtRest();
  });
});
