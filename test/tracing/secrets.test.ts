import { afterEach, expect, it, vi } from "vitest";
import type { ApprovalView } from "../../src/core/approval.ts";
import { chatKeySchema, type ChatKey } from "../../src/core/chat.ts";
import type { MessageEntry } from "../../src/core/history.ts";
import type { OutboxEntry } from "../../src/core/outbox.ts";
import type { BegunTurn, Commit, TurnStore } from "../../src/core/ports.ts";
import { journalKey, type Call, type TurnState } from "../../src/core/turn.ts";
import { createRedactor } from "../../src/logging/redactor.ts";
import type { ApprovalStore } from "../../src/store/approvals/approvals.ts";
import type { Inbox } from "../../src/store/turns/inbox.ts";
import type { OutboxStore } from "../../src/store/turns/outbox.ts";
import { startSdk } from "../../src/tracing/start-sdk.ts";
import { createTracing, type Tracing } from "../../src/tracing/tracing.ts";
import { OtlpReceiver } from "../support/tracing/otlp-receiver.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

const wanted = 10_000;
/** Every chat's id begins with it. */
const chatMark = "770019876500";
const turns = 300;
/** Receipt, wait, decision, a lost session with its three calls, the last one with its three, sends. */
const spansPerTurn = 1 + 1 + 1 + 4 + 4 + 2;

/** Which of them are secrets of the settings: in all places of a turn, one after the other. */
const knownEvery = 99;
const known = Array.from(
  { length: wanted / knownEvery + 2 },
  (_, at) => `zq${hex(at * knownEvery)}zq"known\n`,
);
const shapes = ["sk-", "ghp_", "Bearer A1", "password=", "https://ann:"];

/** Each has a mark of its own. */
function secret(index: number): string {
  if (index % knownEvery === 0) return known[index / knownEvery] ?? "";
  const shape = shapes[(index + Math.floor(index / 5)) % shapes.length] ?? "";
  return `${shape}zq${hex(index)}zqAbCdEf0123456789abcd${shape.startsWith("https") ? "@host" : ""}`;
}

function hex(index: number): string {
  return index.toString(16).padStart(8, "0");
}

const told = (text: string) => ({ v: 1, kind: "notice", id: "n", text }) as const;

/** The stores behind the spans: they keep what is written, for the next to find. */
class Stores {
  state: TurnState | undefined;
  message: MessageEntry | undefined;
  begun: Partial<BegunTurn> = {};
  outbox: readonly OutboxEntry[] = [];

  readonly turns = {
    begin: (chat: ChatKey) =>
      Promise.resolve({
        type: "begun",
        session: { chat, token: "t" },
        state: this.state,
        transcript: this.message === undefined ? [] : [this.message],
        approvals: [],
        deaths: 0,
        ...this.begun,
      } as Partial<BegunTurn> as BegunTurn),
    commit: (_session: unknown, _revision: number, { state, outbox = [] }: Commit) => {
      this.state = state;
      this.outbox = outbox;
      const written = {
        type: "committed",
        revision: 1,
        stopAt: 0,
        again: false,
        waiting: 0,
      } as const;
      return Promise.resolve(written);
    },
    release: () => Promise.resolve(true),
  } as Partial<TurnStore> as TurnStore;

  readonly mailboxes = {
    inbox: {
      append: (_chat: ChatKey, entry) => {
        this.message = entry as MessageEntry;
        return Promise.resolve("accepted");
      },
    } as Partial<Inbox> as Inbox,
    approvals: {
      decide: () => Promise.resolve({ type: "decided", status: "approved" }),
    } as Partial<ApprovalStore> as ApprovalStore,
    outbox: {
      open: (chat: ChatKey) =>
        Promise.resolve({
          type: "open",
          session: { chat, token: "o" },
          interrupted: undefined,
          doubtAgeMs: 0,
          isTakenOver: false,
          draft: undefined,
          entries: this.outbox.map((entry) => ({ id: entry.id, entry, ledger: new Map() })),
        }),
      write: (_session, { finished }) => Promise.resolve({ hasMore: false, isDead: !!finished }),
    } as Partial<OutboxStore> as OutboxStore,
  };
}

/** Everything that makes a span, once, with secrets in every text: a wait, a lost worker, failures. */
async function playTurn(tracing: Tracing, chat: ChatKey, plant: () => string): Promise<void> {
  const stores = new Stores();
  const { inbox, approvals, outbox } = tracing.mailboxes(stores.mailboxes);
  const store = tracing.turns.store(stores.turns);
  const sink = tracing.turns.sink(undefined);
  const person = { id: plant(), name: plant() };
  const message = {
    kind: "message",
    v: 1,
    id: plant(),
    person,
    text: plant(),
    atMs: Date.now(),
  } as const;
  await inbox.append(chat, message);
  const callOf = (index: number): Call => ({
    index,
    wireId: plant(),
    name: `tool ${plant()}`,
    arguments: JSON.stringify({ given: plant() }),
    status: "started",
    effect: "once",
  });
  const calls = [callOf(0), callOf(1)];
  const state = { phase: "acting", turn: 1, round: 1, calls, modelCallOpen: true };
  const running = { ...state, traceparent: stores.message?.traceparent } as unknown as TurnState;
  const approval = {
    id: "a",
    chat,
    tool: `tool ${plant()}`,
  } as unknown as ApprovalView["approval"];

  // The first session waits for a person, the second one's worker is lost.
  const first = await store.begin(chat);
  if (first.type !== "begun") throw new Error(first.type);
  stores.begun = {
    deaths: 1,
    isTakenOver: true,
    approvals: [{ approval, status: "denied", reason: plant() }],
  };
  await store.commit(first.session, 1, {
    turn: 1,
    append: [stores.message ?? message],
    state: { ...running, phase: "waiting" },
    ask: [approval],
    outbox: [told(plant())],
    release: {},
  });
  const asked = { ...approval, traceparent: stores.outbox[0]?.traceparent };
  await approvals.decide(
    { approval: asked, status: "pending" },
    {
      status: "denied",
      decidedBy: plant(),
      reason: plant(),
      told: told(plant()),
      toldExpired: told(plant()),
    },
  );
  if (stores.state) stores.state = { ...stores.state, phase: "acting" };
  const { session } = (await store.begin(chat)) as BegunTurn;
  sink.write({
    v: 1,
    chat,
    turn: 1,
    call: 1,
    purpose: "answer",
    atMs: Date.now(),
    tier: plant(),
    model: `openai/${plant()}`,
    why: plant(),
    request: {
      messages: [{ role: "user", text: `the harmless question ${plant()} and more` }],
      tools: [],
      toolChoice: "auto",
      options: {},
    },
    diagnostics: [],
    response: {
      text: `answer ${plant()}`,
      reasoning: plant(),
      calls: [{ index: 0, wireId: plant(), name: plant(), arguments: plant() }],
      finish: "stop",
    },
    attempts: [{ model: `openai/${plant()}`, failure: "network" }],
    timing: { totalMs: 5 },
  });
  tracing.turns.onEvent(chat, { type: "calls-started", indexes: [0, 1] });
  tracing.turns.onEvent(chat, {
    type: "call-settled",
    index: 0,
    status: "failed",
    failure: "denied",
  });
  await store.commit(session, 2, {
    turn: 1,
    state: running,
    journal: { [journalKey(1, 1, 0)]: { v: 1, text: `it said ${plant()}` } },
    outbox: [told(plant())],
  });
  tracing.turns.onEvent(chat, { type: "call-settled", index: 1, status: "done" });
  await store.commit(session, 3, {
    turn: 1,
    state: undefined,
    append: [
      { kind: "tool", v: 1, turn: 1, round: 1, index: 1, name: plant(), text: plant() },
      { kind: "end", v: 1, turn: 1, reason: "model-failed", text: plant() },
    ],
    outbox: [told(plant())],
  });
  const opened = await outbox.open(chat);
  if (opened.type !== "open") throw new Error(opened.type);
  const dead = () => ({ why: "refused", cause: `it said ${plant()}`, doubtful: false }) as const;
  const failed = { counter: "tries", atLeast: 5, forMs: 1 } as const;
  await outbox.write(opened.session, { id: "n", fields: {}, failed, dead: dead() });
  await outbox.write(opened.session, {
    id: "n",
    fields: {},
    finished: true,
    dead: dead(),
    release: {},
  });
}

it.each([false, true])(
  "exports none of 10,000 planted secrets and no chat, with content: %s",
  { timeout: 120_000 },
  async (withContent) => {
    await using receiver = await OtlpReceiver.start();
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.url);
    vi.stubEnv("OTEL_BSP_MAX_QUEUE_SIZE", "10000");
    vi.stubEnv("OTEL_BSP_SCHEDULE_DELAY", "50");
    const lost: string[] = [];
    const sdk = await startSdk({ role: "worker", lost: (_, cause) => lost.push(cause) });
    const tracing = createTracing({
      ...sdk,
      redact: createRedactor(known),
      key: "key",
      withContent,
      now: Date.now,
      failed: (error) => {
        throw error;
      },
    });
    let planted = 0;
    const plant = () => secret(planted++);
    for (let turn = 0; turn < turns; turn += 1) {
      await playTurn(tracing, chatKeySchema.parse(`telegram:1:${chatMark}${turn}`), plant);
      if (turn % 10 === 0) await new Promise(setImmediate);
    }
    expect(planted).toBeGreaterThanOrEqual(wanted);
    const expected = turns * spansPerTurn;
    await receiver.waitFor(() => receiver.spans.length >= expected, "last span");
    await sdk.flush();
    expect([...receiver.problems, ...lost]).toEqual([]);
    expect(receiver.spans).toHaveLength(expected);
    const sent = receiver.bodies.join();
    expect(sent).toContain("[redacted]");
    expect(sent.includes("the harmless question")).toBe(withContent);
    expect(sent.includes("it said [redacted]")).toBe(true);
    expect(sent.match(/zq[0-9a-f]{8}zq/g) ?? []).toEqual([]);
    expect(sent.includes(chatMark)).toBe(false);
  },
);
