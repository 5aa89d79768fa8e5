import { SpanKind, type Attributes, type Span, type SpanContext } from "@opentelemetry/api";
import { parseChatKey, type ChatKey } from "../core/chat.ts";
import type { BegunTurn, Commit, Session, TurnStore } from "../core/ports.ts";
import type { TraceSink } from "../core/trace.ts";
import { journalKey, type Call, type TurnState } from "../core/turn.ts";
import { recordChat } from "./chat-span.ts";
import type { Spans } from "./spans.ts";
import { spanContextOf, traceparentOf } from "./traceparent.ts";

/** What the machine's events say of calls; others are of no interest here. */
export interface SeenEvent {
  readonly type: string;
  readonly index?: number;
  readonly indexes?: readonly number[];
  readonly status?: string;
  readonly failure?: string | undefined;
}

interface RunningCall {
  readonly startMs: number;
  call?: Call;
  ended?: { readonly atMs: number; readonly error: string | undefined };
}

/**
 * One session of a worker with a chat: `begun` (no turn is open yet) `→ open` (it has a span)
 * `→ over`. A turn that waits for a person, or whose worker ended, has several, in one trace.
 */
interface Watched {
  readonly begun: BegunTurn;
  readonly sinceMs: number;
  readonly calls: Map<number, RunningCall>;
  /** A commit is under way: if it releases the chat, being without a lease is no loss. */
  isCommitting?: boolean;
  open?: {
    readonly span: Span;
    /** The span that all of the turn's sessions are below: the message's receipt. */
    readonly parent: string | undefined;
    /** The session's own. */
    readonly own: string;
    /** The id of the session's span that it links to. */
    readonly after: string | undefined;
  };
}

/** Outcomes that are an error of ours or of a model, not a person's wish or a limit. */
const failures: ReadonlySet<string> = new Set(["model-failed", "poisoned", "tool-failure"]);

/**
 * Makes spans of turns from what passes the loop's ports: what `begin` found, the trace records of
 * model calls, the machine's events, and every commit. A commit also carries the trace's context on:
 * in the state, the outbox and the approvals.
 */
export class TurnSpans {
  readonly #spans: Spans;
  readonly #watched = new Map<ChatKey, Watched>();

  constructor(spans: Spans) {
    this.#spans = spans;
  }

  store(store: TurnStore): TurnStore {
    return {
      ...store,
      begin: async (chat) => {
        const begun = await store.begin(chat);
        if (begun.type === "begun") this.#begin(begun);
        return begun;
      },
      commit: async (session, revision, commit) => {
        const watched = this.#of(session);
        if (watched === undefined) return await store.commit(session, revision, commit);
        watched.isCommitting = true;
        const written = store.commit(session, revision, this.#carrying(watched, commit));
        const outcome = await written.finally(() => (watched.isCommitting = false));
        if (outcome.type === "fenced") this.#end(watched, { why: "fenced" });
        if (outcome.type === "committed") this.#committed(watched, commit);
        return outcome;
      },
      heartbeat: async (session) => {
        const beat = await store.heartbeat(session);
        const watched = this.#of(session);
        if (beat === undefined && watched && !watched.isCommitting)
          this.#end(watched, { why: "fenced" });
        return beat;
      },
      release: async (session) => {
        const isReleased = await store.release(session);
        const watched = this.#of(session);
        if (watched) this.#end(watched, { why: isReleased ? "released" : "fenced" });
        return isReleased;
      },
      erase: async (session, revision, erasure) => {
        const watched = this.#of(session);
        if (watched) this.#end(watched, { why: "released" });
        return await store.erase(session, revision, erasure);
      },
    };
  }

  /** Records model calls, then passes them on. */
  sink(next: TraceSink | undefined): TraceSink {
    return {
      write: (record) => {
        const open = this.#watched.get(record.chat)?.open;
        if (open) recordChat(this.#spans, open.own, record);
        next?.write(record);
      },
    };
  }

  /** When calls start and settle: commits come later. */
  onEvent(chat: ChatKey, { type, index, indexes = [], status, failure }: SeenEvent): void {
    const calls = this.#watched.get(chat)?.calls;
    if (calls === undefined) return;
    const atMs = this.#spans.now();
    if (type === "calls-started") for (const each of indexes) calls.set(each, { startMs: atMs });
    if (type === "calls-withdrawn") for (const each of indexes) calls.delete(each);
    const running = type === "call-settled" && index !== undefined ? calls.get(index) : undefined;
    if (running) running.ended = { atMs, error: status === "done" ? undefined : failure };
  }

  #of({ chat, token }: Session): Watched | undefined {
    const watched = this.#watched.get(chat);
    return watched?.begun.session.token === token ? watched : undefined;
  }

  #begin(begun: BegunTurn): void {
    const { chat } = begun.session;
    const before = this.#watched.get(chat);
    // It threw, or another process has had the chat since.
    if (before && !before.isCommitting) this.#end(before, { why: "fenced" });
    const watched = { begun, sinceMs: this.#spans.now(), calls: new Map() };
    this.#watched.set(chat, watched);
    if (begun.state !== undefined) this.#open(watched, begun.state, []);
  }

  /** @param joined the contexts of other messages that the turn answers. */
  #open(watched: Watched, state: TurnState, joined: readonly string[]): void {
    const { begun, sinceMs } = watched;
    const { chat } = begun.session;
    const { turn, tracedSession: last } = state;
    // A version that doesn't know the field may have worked on the turn; the history keeps it.
    const parent =
      state.traceparent ??
      begun.transcript.findLast((entry) => entry.kind === "message")?.traceparent;
    const isLost = last !== undefined && begun.deaths > 0 && state.phase !== "waiting";
    if (isLost) this.#recordLost(watched, { state, last, parent });
    const span = this.#spans.start("invoke_agent parley", {
      kind: SpanKind.INTERNAL,
      startMs: sinceMs,
      parent,
      links: [sessionIn(parent, last?.spanId), ...joined.map(spanContextOf)],
      attributes: {
        ...this.#agent(chat, turn),
        ...(begun.deaths > 0 ? { "parley.turn.deaths": begun.deaths } : {}),
      },
    });
    watched.open = { span, parent, own: traceparentOf(span.spanContext()), after: last?.spanId };
    for (const { status, approval } of begun.approvals)
      if (status !== "pending")
        this.#spans.event(span, "approval decided", {
          "gen_ai.tool.name": approval.tool,
          "parley.approval.status": status,
        });
  }

  #agent(chat: ChatKey, turn: number): Attributes {
    return {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": "parley",
      "gen_ai.conversation.id": this.#spans.conversationOf(chat),
      "parley.platform": parseChatKey(chat).platform,
      "parley.turn": turn,
    };
  }

  /** What a worker that died could not report itself, from what it had committed. */
  #recordLost(
    { begun, sinceMs }: Watched,
    {
      state,
      last,
      parent,
    }: {
      readonly state: TurnState;
      readonly last: NonNullable<TurnState["tracedSession"]>;
      readonly parent: string | undefined;
    },
  ): void {
    const { chat } = begun.session;
    const message = "its worker was lost; the times are those of its last commit and its successor";
    const error = { type: "worker_lost", message };
    const lost = this.#spans.record("invoke_agent parley", {
      kind: SpanKind.INTERNAL,
      startMs: last.sinceMs,
      endMs: sinceMs,
      parent,
      spanId: last.spanId,
      links: [sessionIn(parent, last.after)],
      attributes: {
        ...this.#agent(chat, state.turn),
        "parley.session.outcome": "worker_lost",
      },
      error,
    });
    const within = {
      startMs: last.atMs,
      endMs: sinceMs,
      parent: traceparentOf(lost.spanContext()),
      error,
    };
    if (state.modelCallOpen)
      this.#spans.record("chat", {
        ...within,
        kind: SpanKind.CLIENT,
        attributes: { "gen_ai.operation.name": "chat" },
      });
    for (const call of state.calls)
      if (call.status === "started")
        this.#spans.record(`execute_tool ${call.name}`, {
          ...within,
          kind: SpanKind.INTERNAL,
          attributes: this.#toolOf(chat, call),
        });
  }

  #toolOf(chat: ChatKey, { name, wireId, effect }: Call): Attributes {
    return {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": name,
      "gen_ai.tool.type": "function",
      "gen_ai.tool.call.id": wireId,
      "gen_ai.conversation.id": this.#spans.conversationOf(chat),
      "parley.tool.effect": effect,
    };
  }

  /** The commit with the trace's context in what it stores. */
  #carrying(watched: Watched, commit: Commit): Commit {
    const { state, append = [], outbox, ask } = commit;
    if (state !== undefined && watched.open === undefined) {
      const contexts = append.flatMap((entry) =>
        entry.kind === "message" && entry.traceparent !== undefined ? [entry.traceparent] : [],
      );
      this.#open(
        watched,
        state,
        contexts.filter((each) => each !== state.traceparent),
      );
    }
    const { open } = watched;
    if (open === undefined) return commit;
    const { span, own, parent, after } = open;
    const traceparent = parent ?? own;
    const tracedSession = {
      spanId: span.spanContext().spanId,
      ...(after === undefined ? {} : { after }),
      sinceMs: watched.sinceMs,
      atMs: this.#spans.now(),
    };
    return {
      ...commit,
      state: state && { ...state, traceparent, tracedSession },
      ...(outbox === undefined
        ? {}
        : { outbox: outbox.map((entry) => ({ ...entry, traceparent: own })) }),
      ...(ask === undefined
        ? {}
        : { ask: ask.map((approval) => ({ ...approval, traceparent: own })) }),
    };
  }

  #committed(watched: Watched, commit: Commit): void {
    const { state, release, append = [] } = commit;
    for (const [index, running] of watched.calls) {
      const call = state?.calls.find((each) => each.index === index);
      if (call?.status === "started") running.call = call;
      if (running.ended === undefined) continue;
      const toolEntry = append.find((entry) => entry.kind === "tool" && entry.index === index);
      this.#recordCall(watched, running, {
        atMs: running.ended.atMs,
        error: running.ended.error,
        result:
          toolEntry?.kind === "tool"
            ? toolEntry.text
            : call && state && commit.journal?.[journalKey(state.turn, state.round, index)]?.text,
      });
      watched.calls.delete(index);
    }
    for (const { tool } of commit.ask ?? [])
      if (watched.open)
        this.#spans.event(watched.open.span, "approval asked", { "gen_ai.tool.name": tool });
    if (state !== undefined) {
      if (release !== undefined)
        this.#end(watched, { why: state.phase === "waiting" ? "waiting" : "released" });
      return;
    }
    const end = append.findLast((entry) => entry.kind === "end");
    this.#end(watched, { why: end?.kind === "end" ? end.reason : "answered", usage: commit.usage });
  }

  #recordCall(
    { open, begun }: Watched,
    { startMs, call }: RunningCall,
    {
      atMs,
      error,
      result,
    }: { atMs: number; error: string | undefined; result?: string | undefined },
  ): void {
    if (open === undefined || call === undefined) return;
    const { withContent } = this.#spans;
    this.#spans.record(`execute_tool ${call.name}`, {
      kind: SpanKind.INTERNAL,
      startMs,
      endMs: atMs,
      parent: open.own,
      attributes: {
        ...this.#toolOf(begun.session.chat, call),
        ...(withContent ? { "gen_ai.tool.call.arguments": call.arguments } : {}),
        ...(withContent && result !== undefined ? { "gen_ai.tool.call.result": result } : {}),
      },
      ...(error === undefined ? {} : { error: { type: error } }),
    });
  }

  /**
   * @param end.why the reason of the turn's end; where only the session ends, `waiting`, `released`
   * or `fenced`
   */
  #end(
    watched: Watched,
    { why, usage }: { readonly why: string; readonly usage?: Commit["usage"] },
  ): void {
    const { begun, open, calls } = watched;
    if (this.#watched.get(begun.session.chat) === watched) this.#watched.delete(begun.session.chat);
    if (open === undefined) return;
    const endMs = this.#spans.now();
    for (const running of calls.values())
      this.#recordCall(watched, running, { atMs: endMs, error: "interrupted" });
    delete watched.open;
    this.#spans.end(open.span, {
      endMs,
      attributes: {
        "parley.session.outcome": why,
        ...(usage === undefined
          ? {}
          : {
              "gen_ai.usage.input_tokens": usage.inputTokens,
              "gen_ai.usage.output_tokens": usage.outputTokens,
            }),
      },
      ...(failures.has(why) ? { error: { type: why } } : {}),
    });
  }
}

/** Another session of the same trace. */
function sessionIn(
  parent: string | undefined,
  spanId: string | undefined,
): SpanContext | undefined {
  const context = spanContextOf(parent);
  return context && spanId !== undefined ? { ...context, spanId } : undefined;
}
