import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { afterEach, expect, it, vi } from "vitest";
import { chatKeySchema } from "../../src/core/chat.ts";
import type { BegunTurn, Commit, TurnStore } from "../../src/core/ports.ts";
import type { TurnState } from "../../src/core/turn.ts";
import { createTracing } from "../../src/tracing/tracing.ts";

afterEach(() => {
  vi.useRealTimers();
});

const ann = chatKeySchema.parse("telegram:77:1");
const ben = chatKeySchema.parse("telegram:77:2");
const before = "00-11111111111111111111111111111111-2222222222222222-01";
const state = { turn: 2, calls: [], phase: "asking" } as unknown as TurnState;
const asked = {
  kind: "message",
  text: "hi",
  traceparent: before,
} as unknown as BegunTurn["transcript"][number];

/** The spans of turns in a store that finds the same for every chat. */
function traced(found: Partial<BegunTurn>, redact = (text: string) => text) {
  const failures: unknown[] = [];
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const { turns } = createTracing({
    tracer: provider.getTracer("test"),
    forceId: () => undefined,
    key: "k",
    redact,
    withContent: false,
    now: Date.now,
    failed: (error) => failures.push(error),
  });
  const store = turns.store({
    begin: (chat: string) =>
      Promise.resolve({
        type: "begun",
        session: { chat, token: chat },
        transcript: [asked],
        approvals: [],
        deaths: 0,
        ...found,
      }),
    commit: () => Promise.resolve({ type: "committed", revision: 1 }),
  } as unknown as TurnStore);
  return { store, failures, ended: () => exporter.getFinishedSpans() };
}

it("a turn that no message asked for is not part of the trace of the message before", async () => {
  const { store, ended } = traced({ state: undefined });
  const begun = (await store.begin(ann)) as BegunTurn;
  const opened = { state: { ...state, compactOnly: true } } as Partial<Commit> as Commit;
  await store.commit(begun.session, 1, opened);
  await store.commit(begun.session, 1, { release: {} } as Partial<Commit> as Commit);
  expect(ended().map(({ name }) => name)).toEqual(["invoke_agent parley"]);
  expect(ended()[0]?.parentSpanContext).toBeUndefined();
});

it("a turn that was under way goes on in the trace of its message", async () => {
  const { store, ended } = traced({ state });
  const begun = (await store.begin(ann)) as BegunTurn;
  await store.commit(begun.session, 1, { release: {} } as Partial<Commit> as Commit);
  expect(ended()[0]?.spanContext().traceId).toBe("1".repeat(32));
});

it.each([
  ["its state", { state: { ...state, persona: { owner: "file", name: "chef", hash: "h" } } }],
  ["its answer", { append: [{ kind: "assistant", persona: "chef" }] }],
  ["its end", { append: [{ kind: "end", persona: "chef" }] }],
])("a turn whose persona is chosen after it has begun names it, from %s", async (_, commit) => {
  const { store, ended } = traced({ state });
  const begun = (await store.begin(ann)) as BegunTurn;
  await store.commit(begun.session, 1, { ...commit, release: {} } as unknown as Commit);
  expect(ended()[0]?.attributes["parley.persona"]).toBe("chef");
});

it("a session that is heard of no more ends when another one begins", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const { store, ended } = traced({ state });
  await store.begin(ann);
  vi.advanceTimersByTime(59_000);
  await store.begin(ben);
  expect(ended()).toEqual([]);
  vi.advanceTimersByTime(2_000);
  await store.begin(ben);
  expect(ended().map(({ attributes }) => attributes["parley.session.outcome"])).toEqual([
    "fenced",
    "fenced",
  ]);
});

it.each([
  ["that its worker died", true, ["worker_lost", "released"]],
  ["nothing of a death that was told before", undefined, ["released"]],
] as const)("a resumed session says %s", async (_, isTakenOver, outcomes) => {
  const tracedSession = { spanId: "3".repeat(16), sinceMs: 1, atMs: 2 };
  const { store, ended } = traced({
    deaths: 1,
    state: { ...state, tracedSession },
    ...(isTakenOver && { isTakenOver }),
  });
  const begun = (await store.begin(ann)) as BegunTurn;
  await store.commit(begun.session, 1, { state, release: {} } as Partial<Commit> as Commit);
  expect(ended().map(({ attributes }) => attributes["parley.session.outcome"])).toEqual(outcomes);
});

it("what fails while spans are made fails alone", async () => {
  const { store, failures } = traced({ state }, () => {
    throw new Error("broken");
  });
  const begun = (await store.begin(ann)) as BegunTurn;
  const outcome = await store.commit(begun.session, 1, {
    release: {},
  } as Partial<Commit> as Commit);
  expect(outcome.type).toBe("committed");
  expect(failures).not.toEqual([]);
});
