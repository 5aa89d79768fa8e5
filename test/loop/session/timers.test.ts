import pino from "pino";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chatKey } from "../../../src/core/chat.ts";
import type { ModelEvent } from "../../../src/core/model.ts";
import type { Draft } from "../../../src/core/outbox.ts";
import type { BegunTurn, Commit, TurnStore } from "../../../src/core/ports.ts";
import type { LoopDeps } from "../../../src/loop/deps.ts";
import { openTurn } from "../../../src/loop/machine/open-turn.ts";
import { runTurn } from "../../../src/loop/run-turn.ts";
import { createToolbox } from "../../../src/loop/tools/toolbox.ts";
import { TurnSession } from "../../../src/loop/session/turn-session.ts";
import { card, generated } from "../../models/helpers.ts";
import { ann, asDeclared, only, quietDeps } from "../scene.ts";
import { testTools, type Effects } from "../test-tools.ts";

const chat = chatKey({ platform: "console", bot: "c", chat: "1" });
const message = {
  kind: "message",
  v: 1,
  id: "m1",
  person: ann,
  text: "hello",
  atMs: 0,
} as const;

const begun: BegunTurn = {
  type: "begun",
  session: { chat, token: "t" },
  revision: 1,
  state: openTurn(1, message),
  inbox: [],
  stopAt: 0,
  transcript: [message],
  viewStart: 0,
  settings: {},
  notes: [],
  todos: [],
  facts: [],
  summaries: [],
  journal: new Map(),
  approvals: [],
  deaths: 0,
  opened: true,
};

/** A store that takes everything, and what it was given. */
function stubStore() {
  const commits: Commit[] = [];
  const drafts: Draft[] = [];
  let revision = 1;
  const store: TurnStore = {
    begin: () => Promise.resolve(begun),
    commit: (_session, _revision, commit) => {
      commits.push(commit);
      revision += 1;
      return Promise.resolve({
        type: "committed",
        revision,
        stopAt: 0,
        again: false,
        waiting: 0,
      });
    },
    heartbeat: () => Promise.resolve({ stopAt: 0, waiting: 0 }),
    waiting: () => Promise.resolve([]),
    lookBack: () => Promise.resolve(undefined),
    draft: (_session, draft) => {
      drafts.push(draft);
      return Promise.resolve(true);
    },
    release: () => Promise.resolve(true),
    newApprovalId: () => `s1-${commits.length}`,
    history: async function* () {
      // No one erases here.
    },
    overwrite: () => Promise.resolve(false),
    erase: () => Promise.resolve({ type: "fenced" }),
  };
  return { store, commits, drafts };
}

function stubDeps(store: TurnStore, more: Partial<LoopDeps> = {}): LoopDeps {
  const effects: Effects = { runs: [], gates: new Map() };
  return {
    ...quietDeps,
    recall: undefined,
    personas: undefined,
    systemPrompt: "",
    store,
    models: modelOf([
      { type: "text-delta", text: "Hello." },
      { type: "finish", reason: "stop" },
    ]),
    compactor: {
      check: () => Promise.resolve(undefined),
      compact: () => Promise.resolve({ type: "aborted" }),
    },
    toolbox: createToolbox(testTools(effects)),
    watched: () => Promise.resolve(undefined),
    kept: {
      keep: () => Promise.reject(new Error("nothing is kept here")),
      read: () => Promise.resolve(undefined),
    },
    toolPolicy: asDeclared,
    approvalTtlMs: 60_000,
    canReach: () => Promise.resolve(false),
    timeoutMs: 120_000,
    heartbeatMs: 2_000,
    draftIntervalMs: () => 1_000,
    wakeDelivery: () => Promise.resolve(),
    onNews: () => ({ [Symbol.dispose]: () => undefined }),
    clock: { monotonic: () => performance.now(), wall: Date.now },
    newErrorId: () => "e1",
    redact: (text) => text,
    noteError: () => undefined,
    modelWatch: { failed: () => Promise.resolve(false), answered: () => undefined },
    logFileOnce: () => undefined,
    log: pino({ level: "silent" }),
    ...more,
  };
}

/** A model that says these, `delayMs` apart. */
function modelOf(events: readonly ModelEvent[], delayMs = 0): LoopDeps["models"] {
  return only({
    card,
    cards: [card],
    stream: generated(async function* () {
      for (const event of events) {
        if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
        yield event;
      }
    }),
  });
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const call = (name: string): ModelEvent => ({
  type: "tool-call",
  id: "",
  name,
  arguments: "{}",
});

describe("no timer outlives its turn", () => {
  const finish: ModelEvent = { type: "finish", reason: "tool-calls" };

  it.each<[string, readonly ModelEvent[], Partial<LoopDeps>?]>([
    ["a plain answer", [{ type: "text-delta", text: "Hi" }, finish]],
    ["a failure", [{ type: "failure", failure: { kind: "auth", message: "" } }]],
    ["an approval", [call("buy"), finish]],
    ["tools until the limit", [call("look"), finish]],
    ["a tool that hangs", [call("hangs"), finish]],
    [
      "a wake-up that fails",
      [{ type: "text-delta", text: "Hi" }, finish],
      { wakeDelivery: () => Promise.reject(new Error("no queue")) },
    ],
  ])("after %s", async (_what, events, deps = {}) => {
    const { store } = stubStore();
    const running = runTurn(
      stubDeps(store, { models: modelOf(events), ...deps }),
      chat,
      new AbortController().signal,
    );
    await vi.advanceTimersByTimeAsync(5_000);
    await running;
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(["commit", "draft", "heartbeat"] as const)("when the store's %s fails", async (name) => {
    const { store } = stubStore();
    const events = [
      { type: "text-delta", text: "x".repeat(40) },
      { type: "text-delta", text: "y" },
      { type: "finish", reason: "stop" },
    ] as const;
    const running = runTurn(
      stubDeps(
        { ...store, [name]: () => Promise.reject(new Error("gone")) },
        { models: modelOf(events, 5_000) },
      ),
      chat,
      new AbortController().signal,
    ).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(20_000);
    const outcome = await running;
    if (name === "commit") expect(outcome).toBeInstanceOf(Error);
    else expect(outcome).toEqual({ type: "done" });
    expect(vi.getTimerCount()).toBe(0);
  });
});

const deltas = (...texts: string[]): ModelEvent[] => [
  ...texts.map((text): ModelEvent => ({ type: "text-delta", text })),
  { type: "finish", reason: "stop" },
];

describe("the draft", () => {
  it("grows at the chat's pace, newest text only, and never when nothing changed", async () => {
    const { store, drafts } = stubStore();
    const words = Array.from({ length: 30 }, (_, index) => `word ${index} `);
    const running = runTurn(
      stubDeps(store, { models: modelOf(deltas(...words), 200) }),
      chat,
      new AbortController().signal,
    );
    await vi.advanceTimersByTimeAsync(10_000);
    await running;
    const texts = drafts.map(({ text }) => text);
    expect(texts.length).toBeLessThanOrEqual(8);
    expect(new Set(texts).size).toBe(texts.length);
    for (const [index, { text, generation }] of drafts.entries()) {
      expect(words.join("").startsWith(text)).toBe(true);
      expect(generation).toBe(index + 1);
    }
  });

  it("is not written for an answer that is ready at once", async () => {
    const { store, drafts, commits } = stubStore();
    await runTurn(stubDeps(store), chat, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(drafts).toEqual([]);
    expect(commits).toHaveLength(1);
  });

  it("is kept alive while nothing comes, so that people see someone work", async () => {
    const { store, drafts } = stubStore();
    const running = runTurn(
      stubDeps(store, { models: modelOf(deltas("at last"), 12_000) }),
      chat,
      new AbortController().signal,
    );
    await vi.advanceTimersByTimeAsync(9_999);
    expect(drafts.length).toBeGreaterThanOrEqual(2);
    expect(new Set(drafts.map(({ text }) => text))).toEqual(new Set([""]));
    await vi.advanceTimersByTimeAsync(20_000);
    await running;
  });

  it("says that a model is silent for 10 s, and how to stop it, until its first word", async () => {
    const { store, drafts } = stubStore();
    const running = runTurn(
      stubDeps(store, { models: modelOf(deltas("So", " much"), 12_000) }),
      chat,
      new AbortController().signal,
    );
    await vi.advanceTimersByTimeAsync(11_999);
    expect(drafts.at(-1)?.text).toMatch(/hasn't said anything yet.*\/stop/);
    await vi.advanceTimersByTimeAsync(11_999);
    expect(drafts.at(-1)?.text).toBe("So");
    await vi.advanceTimersByTimeAsync(20_000);
    await running;
  });

  it("leaves no such line behind where a model calls a tool without a word", async () => {
    const { store, drafts } = stubStore();
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const events: ModelEvent[] = [call("look"), { type: "finish", reason: "tool-calls" }];
    const { defaults } = quietDeps;
    const running = runTurn(
      stubDeps(store, {
        models: modelOf(events, 12_000),
        toolbox: createToolbox(testTools({ runs: [], gates: new Map([["look", gate]]) })),
        defaults: { ...defaults, tools: "off" },
      }),
      chat,
      new AbortController().signal,
    );
    await vi.advanceTimersByTimeAsync(30_000);
    expect(drafts.map(({ text }) => text)).toContainEqual(
      expect.stringContaining("hasn't said anything"),
    );
    expect(drafts.at(-1)?.text).toBe("…");
    release();
    await vi.advanceTimersByTimeAsync(600_000);
    await running;
  });

  it("goes on in a message of its own once a person was asked", async () => {
    const { store, drafts, commits } = stubStore();
    const { promise: gate, resolve: release } = Promise.withResolvers<void>();
    const effects: Effects = { runs: [], gates: new Map([["look", gate]]) };
    const said = "I will look and then buy, if that is all right.";
    const events: ModelEvent[] = [
      { type: "text-delta", text: said },
      { type: "tool-call", id: "", name: "look", arguments: "{}" },
      { type: "tool-call", id: "", name: "buy", arguments: "{}" },
      { type: "finish", reason: "tool-calls" },
    ];
    const running = runTurn(
      stubDeps(store, {
        models: modelOf(events, 1_000),
        toolbox: createToolbox(testTools(effects)),
      }),
      chat,
      new AbortController().signal,
    );
    await vi.advanceTimersByTimeAsync(10_000);
    release();
    await running;
    const posted = commits.flatMap(({ outbox = [] }) => outbox);
    expect(posted.map(({ kind, id }) => [kind, id])).toEqual([
      ["message", "turn-1"],
      ["card", "card-s1-0"],
    ]);
    const shown = drafts.filter(({ text }) => text !== "").map(({ id, text }) => `${id} ${text}`);
    expect([...new Set(shown)]).toEqual([
      `turn-1 ${said}`,
      'turn-1-1 ⚙ Look `{"label":""}` …',
      'turn-1-1 ⚙ Look `{"label":""}` ✓',
    ]);
  });
});

describe("a session", () => {
  const approval = {
    v: 1,
    id: "s1-a",
    chat,
    turn: 1,
    round: 1,
    index: 0,
    tool: "buy",
    arguments: "{}",
    digest: "d",
    requester: ann,
    approvers: "requester",
    expiresAtMs: 1,
  } as const;

  it("takes back what it has not asked yet, and closes what it has", async () => {
    const { store, commits } = stubStore();
    using session = new TurnSession(stubDeps(store), begun, new AbortController().signal);
    session.ask([approval], {});
    session.close(approval, "cancelled", "Not run.");
    await session.commit();
    expect(commits[0]).toMatchObject({ ask: [], close: [], outbox: [] });
    session.ask([approval], {});
    await session.commit();
    session.close(approval, "cancelled", "Not run.");
    session.close(approval, "cancelled", "Not run.");
    await session.commit();
    expect(commits[1]).toMatchObject({
      ask: [{ id: "s1-a" }],
      outbox: [{ kind: "card" }],
    });
    expect(commits[2]).toMatchObject({
      ask: [],
      close: [{ id: "s1-a", status: "cancelled" }],
      outbox: [{ kind: "resolution", of: "card-s1-a", text: "Not run." }],
    });
    expect(session.pendingApprovals).toEqual([]);
  });
});
