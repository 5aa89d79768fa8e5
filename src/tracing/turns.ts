import type { ChatKey } from "../core/chat.ts";
import type { Session, TurnStore } from "../core/ports.ts";
import type { TraceSink } from "../core/trace.ts";
import { SessionSpans, type SeenEvent } from "./session.ts";
import type { Spans } from "./spans.ts";

/** A session that is worked on renews its lease every few seconds. Milliseconds. */
const silentMs = 60_000;

/**
 * Makes spans of turns from what passes the loop's ports: what `begin` found, the trace records of
 * model calls, the machine's events, and every commit.
 */
export class TurnSpans {
  readonly #spans: Spans;
  readonly #sessions = new Map<ChatKey, SessionSpans>();

  constructor(spans: Spans) {
    this.#spans = spans;
  }

  store(store: TurnStore): TurnStore {
    return {
      ...store,
      begin: async (chat) => {
        const begun = await store.begin(chat);
        if (begun.type !== "begun") return begun;
        this.#spans.attempt(() => {
          const before = this.#sessions.get(chat);
          // It threw, or another process has had the chat since.
          if (before?.isCommitting === false) before.end("fenced");
          this.#endSilent();
          this.#sessions.set(chat, new SessionSpans(this.#spans, begun));
        });
        return begun;
      },
      commit: async (session, revision, commit) => {
        const traced = this.#of(session);
        if (traced === undefined) return await store.commit(session, revision, commit);
        traced.isCommitting = true;
        const carrying = this.#spans.attempt(() => traced.carrying(commit)) ?? commit;
        const written = store.commit(session, revision, carrying);
        const outcome = await written.finally(() => (traced.isCommitting = false));
        if (outcome.type === "fenced") this.#end(traced, "fenced");
        if (outcome.type === "committed" && this.#spans.attempt(() => traced.committed(commit)))
          this.#forget(traced);
        return outcome;
      },
      heartbeat: async (session) => {
        const beat = await store.heartbeat(session);
        const traced = this.#of(session);
        if (traced) traced.heardMs = performance.now();
        if (beat === undefined && traced?.isCommitting === false) this.#end(traced, "fenced");
        return beat;
      },
      release: async (session) => {
        const isReleased = await store.release(session);
        this.#end(this.#of(session), isReleased ? "released" : "fenced");
        return isReleased;
      },
      erase: async (session, revision, erasure) => {
        this.#end(this.#of(session), "released");
        return await store.erase(session, revision, erasure);
      },
    };
  }

  /** Records model calls, then passes them on. */
  sink(next: TraceSink | undefined): TraceSink {
    return {
      write: (record) => {
        this.#spans.attempt(() => this.#sessions.get(record.chat)?.modelCalled(record));
        next?.write(record);
      },
    };
  }

  /** When calls start and settle: commits come later. */
  onEvent(chat: ChatKey, event: SeenEvent): void {
    this.#spans.attempt(() => this.#sessions.get(chat)?.onEvent(event));
  }

  #of({ chat, token }: Session): SessionSpans | undefined {
    const traced = this.#sessions.get(chat);
    return traced?.session.token === token ? traced : undefined;
  }

  #end(traced: SessionSpans | undefined, why: "fenced" | "released"): void {
    if (traced === undefined) return;
    this.#spans.attempt(() => traced.end(why));
    this.#forget(traced);
  }

  /** Sessions of turns that threw: another process may have the chat, so that none begins here again. */
  #endSilent(): void {
    const sinceMs = performance.now() - silentMs;
    for (const traced of this.#sessions.values())
      if (traced.heardMs < sinceMs && !traced.isCommitting) this.#end(traced, "fenced");
  }

  #forget(traced: SessionSpans): void {
    const { chat } = traced.session;
    if (this.#sessions.get(chat) === traced) this.#sessions.delete(chat);
  }
}
