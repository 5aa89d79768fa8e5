import { SpanKind, type Span, type SpanContext } from "@opentelemetry/api";
import { parseChatKey } from "../core/chat.ts";
import type { BegunTurn, Commit, Session } from "../core/ports.ts";
import type { TraceRecord } from "../core/trace.ts";
import { journalKey, type Call, type TurnState } from "../core/turn.ts";
import { recordChat } from "./chat-span.ts";
import type { SpanEnd, Spans, SpanStart } from "./spans.ts";
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
  ended?: Pick<SpanEnd, "endMs" | "error">;
}

/** Outcomes that are an error of ours or of a model, not a person's wish or a limit. */
const failures: ReadonlySet<string> = new Set(["model-failed", "poisoned", "tool-failure"]);

/**
 * The spans of one session of a worker with a chat: `begun` (no turn is open yet) `→ open` (it has a
 * span) `→ over`. A turn that waits for a person, or whose worker ended, has several, in one trace.
 * Its commits carry the trace's context on: in the state, the outbox and the approvals.
 */
export class SessionSpans {
  /** If the commit under way releases the chat, being without a lease is no loss. */
  isCommitting = false;
  /** When its lease was renewed last; monotonic milliseconds. */
  heardMs = performance.now();
  readonly #spans: Spans;
  readonly #begun: BegunTurn;
  readonly #sinceMs: number;
  readonly #calls = new Map<number, RunningCall>();
  /** The turn's, by name: known only after the store has opened the turn. */
  #persona: string | undefined;
  #open:
    | {
        readonly span: Span;
        /** The span that all of the turn's sessions are below: the message's receipt. */
        readonly parent: string | undefined;
        /** The session's own. */
        readonly own: string;
        /** The id of the session's span that it links to. */
        readonly after: string | undefined;
      }
    | undefined;

  constructor(spans: Spans, begun: BegunTurn) {
    this.#spans = spans;
    this.#begun = begun;
    this.#sinceMs = spans.options.now();
    if (begun.state !== undefined) this.#start(begun.state, []);
  }

  get session(): Session {
    return this.#begun.session;
  }

  modelCalled(record: TraceRecord): void {
    this.#persona ??= record.persona;
    if (this.#open) recordChat(this.#spans, this.#open.span.spanContext(), record);
  }

  onEvent({ type, index = -1, indexes = [], status, failure }: SeenEvent): void {
    const nowMs = this.#spans.options.now();
    const calls = this.#calls;
    if (type === "calls-started") for (const each of indexes) calls.set(each, { startMs: nowMs });
    if (type === "calls-withdrawn") for (const each of indexes) calls.delete(each);
    const running = type === "call-settled" ? calls.get(index) : undefined;
    if (running === undefined) return;
    const isFailed = status !== "done" && failure !== undefined;
    running.ended = { endMs: nowMs, error: isFailed ? { type: failure } : undefined };
  }

  /** The commit with the trace's context in what it stores. */
  carrying(commit: Commit): Commit {
    const { state, append = [], outbox, ask } = commit;
    for (const entry of append)
      if (entry.kind === "assistant" || entry.kind === "end") this.#persona ??= entry.persona;
    this.#persona ??= state?.persona?.name;
    if (state !== undefined && this.#open === undefined)
      this.#start(
        state,
        append.flatMap((entry) => (entry.kind === "message" ? (entry.traceparent ?? []) : [])),
      );
    if (this.#open === undefined) return commit;
    const { span, own, parent, after } = this.#open;
    const { spanId } = span.spanContext();
    const atMs = this.#spans.options.now();
    const tracedSession = { spanId, sinceMs: this.#sinceMs, atMs, ...(after && { after }) };
    return {
      ...commit,
      state: state && { ...state, traceparent: parent ?? own, tracedSession },
      ...(outbox && { outbox: outbox.map((entry) => ({ ...entry, traceparent: own })) }),
      ...(ask && { ask: ask.map((approval) => ({ ...approval, traceparent: own })) }),
    };
  }

  /** Returns whether the session is over. */
  committed({ state, release, append = [], journal = {}, ask = [], usage }: Commit): boolean {
    for (const [index, running] of this.#calls) {
      const call = state?.calls.find((each) => each.index === index);
      if (call?.status === "started") running.call = call;
      if (running.ended === undefined) continue;
      const entry = append.find((each) => each.kind === "tool" && each.index === index);
      const kept = state && journal[journalKey(state.turn, state.round, index)];
      this.#settled(running, entry?.kind === "tool" ? entry.text : kept?.text);
      this.#calls.delete(index);
    }
    for (const { tool } of this.#open ? ask : [])
      this.#event("approval asked", { "gen_ai.tool.name": tool });
    if (state !== undefined && release === undefined) return false;
    const end = append.findLast((entry) => entry.kind === "end");
    const reason = end?.kind === "end" ? end.reason : "answered";
    if (state === undefined) this.end(reason, usage);
    else this.end(state.phase === "waiting" ? "waiting" : "released");
    return true;
  }

  /**
   * @param why the reason of the turn's end; where only the session ends, `waiting`, `released` or
   * `fenced`
   */
  end(why: string, usage?: Commit["usage"]): void {
    if (this.#open === undefined) return;
    for (const running of this.#calls.values()) {
      running.ended = { error: { type: "interrupted" } };
      this.#settled(running);
    }
    this.#spans.end(this.#open.span, {
      attributes: {
        "parley.session.outcome": why,
        "parley.persona": this.#persona,
        "gen_ai.usage.input_tokens": usage?.inputTokens,
        "gen_ai.usage.output_tokens": usage?.outputTokens,
      },
      error: failures.has(why) ? { type: why } : undefined,
    });
    this.#open = undefined;
  }

  /** @param joined the contexts of all messages that the turn answers. */
  #start(state: TurnState, joined: readonly string[]): void {
    const { transcript, deaths, approvals, isTakenOver } = this.#begun;
    // A version that doesn't know the field may have worked on the turn; the history keeps it.
    const isResumed = this.#begun.state !== undefined && !state.compactOnly;
    const asked = isResumed ? transcript.findLast((entry) => entry.kind === "message") : undefined;
    const parent = state.traceparent ?? asked?.traceparent ?? joined[0];
    const last = state.tracedSession;
    if (last && isTakenOver && state.phase !== "waiting") this.#recordLost(state, parent, last);
    const common = this.#startOf(state, parent, last?.spanId);
    const others = joined.filter((each) => each !== parent).map(spanContextOf);
    const span = this.#spans.start("invoke_agent parley", {
      ...common,
      startMs: this.#sinceMs,
      links: [...common.links, ...others],
      attributes: { ...common.attributes, "parley.turn.deaths": deaths > 0 ? deaths : undefined },
    });
    this.#open = { span, parent, own: traceparentOf(span.spanContext()), after: last?.spanId };
    for (const { status, approval } of approvals)
      if (status !== "pending")
        this.#event("approval decided", {
          "gen_ai.tool.name": approval.tool,
          "parley.approval.status": status,
        });
  }

  /** What sessions of one turn have in common. */
  #startOf({ turn, persona }: TurnState, parent: string | undefined, after: string | undefined) {
    const { chat } = this.session;
    return {
      kind: SpanKind.INTERNAL,
      parent,
      links: [sessionIn(parent, after)],
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "parley",
        "gen_ai.conversation.id": this.#spans.options.conversationOf(chat),
        "parley.platform": parseChatKey(chat).platform,
        "parley.turn": turn,
        "parley.persona": persona?.name,
      },
    };
  }

  /** What a worker that died could not report itself, from what it had committed. */
  #recordLost(
    state: TurnState,
    parent: string | undefined,
    { spanId, sinceMs, atMs, after }: NonNullable<TurnState["tracedSession"]>,
  ): void {
    const message = "its worker was lost; the times are those of its last commit and its successor";
    const end = { endMs: this.#sinceMs, error: { type: "worker_lost", message } };
    const common = this.#startOf(state, parent, after);
    const attributes = { ...common.attributes, "parley.session.outcome": "worker_lost" };
    const session = { ...common, ...end, startMs: sinceMs, spanId, attributes };
    const lost = this.#spans.record("invoke_agent parley", session);
    const within = { ...end, startMs: atMs, parent: lost.spanContext() };
    if (state.modelCallOpen)
      this.#spans.record("chat", {
        ...within,
        kind: SpanKind.CLIENT,
        attributes: { "gen_ai.operation.name": "chat" },
      });
    for (const call of state.calls) if (call.status === "started") this.#recordCall(call, within);
  }

  #settled({ startMs, call, ended }: RunningCall, result?: string): void {
    if (this.#open && call)
      this.#recordCall(call, { ...ended, startMs, parent: this.#open.span.spanContext() }, result);
  }

  #recordCall(
    { name, wireId, effect, arguments: given }: Call,
    span: Omit<SpanStart & SpanEnd, "kind" | "attributes">,
    result?: string,
  ): void {
    const { conversationOf, withContent } = this.#spans.options;
    this.#spans.record(`execute_tool ${name}`, {
      ...span,
      kind: SpanKind.INTERNAL,
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": name,
        "gen_ai.tool.type": "function",
        "gen_ai.tool.call.id": wireId,
        "gen_ai.conversation.id": conversationOf(this.session.chat),
        "parley.tool.effect": effect,
        "gen_ai.tool.call.arguments": withContent ? given : undefined,
        "gen_ai.tool.call.result": withContent ? result : undefined,
      },
    });
  }

  #event(name: string, attributes: SpanStart["attributes"]): void {
    if (this.#open) this.#spans.event(this.#open.span, name, attributes);
  }
}

/** Another session of the same trace. */
function sessionIn(parent: string | undefined, spanId?: string): SpanContext | undefined {
  const context = spanContextOf(parent);
  return context && spanId !== undefined ? { ...context, spanId } : undefined;
}
