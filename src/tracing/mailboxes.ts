import { SpanKind } from "@opentelemetry/api";
import { chatKey, parseChatKey, type ChatKey } from "../core/chat.ts";
import type { Accept } from "../core/inbound.ts";
import type { OutboxEntry } from "../core/outbox.ts";
import type { ApprovalStore } from "../store/approvals/approvals.ts";
import type { Inbox } from "../store/turns/inbox.ts";
import type { OutboxStore } from "../store/turns/outbox.ts";
import type { Receipt } from "../store/turns/receipt.ts";
import type { SpanEnd, Spans } from "./spans.ts";
import { traceparentOf } from "./traceparent.ts";

/** Spans of what comes in: a message that is kept, and a decision. */
export class ReceiptSpans {
  readonly #spans: Spans;
  /** When an event that is being accepted arrived, by chat and event. */
  readonly #arrived = new Map<string, number>();

  constructor(spans: Spans) {
    this.#spans = spans;
  }

  accept(accept: Accept): Accept {
    return async (inbound) => {
      const key = keyOf(chatKey(inbound.address), inbound.id);
      this.#arrived.set(key, this.#spans.now());
      try {
        return await accept(inbound);
      } finally {
        this.#arrived.delete(key);
      }
    };
  }

  inbox(inbox: Inbox): Inbox {
    return {
      ...inbox,
      append: async (chat, entry) => {
        // Only a message begins a trace: other entries are part of its turn, or no turn's.
        if (entry.kind !== "message") return await inbox.append(chat, entry);
        const startMs = this.#arrived.get(keyOf(chat, entry.id)) ?? this.#spans.now();
        const span = this.#spans.start(`receive ${parseChatKey(chat).platform}`, {
          kind: SpanKind.CONSUMER,
          startMs,
          attributes: this.#messaging(chat, "receive"),
        });
        const traceparent = traceparentOf(span.spanContext());
        const ingested = await inbox.append(chat, { ...entry, traceparent });
        // The first delivery has its span.
        if (ingested !== "duplicate")
          this.#spans.end(span, {
            endMs: this.#spans.now(),
            ...(ingested === "full" ? { error: { type: "inbox_full" } } : {}),
          });
        return ingested;
      },
    };
  }

  approvals(approvals: ApprovalStore): ApprovalStore {
    return {
      ...approvals,
      decide: async (view, decision) => {
        const { traceparent, tool } = view.approval;
        if (traceparent === undefined) return await approvals.decide(view, decision);
        const startMs = this.#spans.now();
        const chat = chatKey(parseChatKey(view.approval.chat));
        const told = <Entry extends OutboxEntry | undefined>(entry: Entry): Entry =>
          entry && { ...entry, traceparent };
        const { toldFirst } = decision;
        const decided = await approvals.decide(view, {
          ...decision,
          told: told(decision.told),
          toldExpired: told(decision.toldExpired),
          ...(toldFirst === undefined ? {} : { toldFirst: told(toldFirst) }),
        });
        if (decided.type === "decided" || decided.type === "counted")
          this.#spans.record(`decide ${tool}`, {
            kind: SpanKind.CONSUMER,
            startMs,
            endMs: this.#spans.now(),
            parent: traceparent,
            attributes: {
              ...this.#messaging(chat, "receive"),
              "gen_ai.tool.name": tool,
              "parley.approval.status": decided.type === "decided" ? decided.status : "counted",
            },
          });
        return decided;
      },
    };
  }

  #messaging(chat: ChatKey, operation: "receive" | "send") {
    return messaging(this.#spans, chat, operation);
  }
}

const keyOf = (chat: ChatKey, eventId: string): string => `${chat} ${eventId}`;

const messaging = (spans: Spans, chat: ChatKey, operation: "receive" | "send") => ({
  "messaging.system": parseChatKey(chat).platform,
  "messaging.operation.name": operation,
  "messaging.operation.type": operation,
  "gen_ai.conversation.id": spans.conversationOf(chat),
});

/** What one taking of an outbox sends. */
interface Sending {
  readonly entries: ReadonlyMap<string, OutboxEntry>;
  sinceMs: number;
}

/** A span for each attempt at an entry of a traced turn, from the receipts that are written. */
export function tracedOutbox(spans: Spans, outbox: OutboxStore): OutboxStore {
  const sendings = new Map<string, Sending>();
  return {
    ...outbox,
    async open(chat) {
      const opened = await outbox.open(chat);
      if (opened.type !== "open") return opened;
      const traced = opened.entries.flatMap(({ id, entry }) =>
        entry?.traceparent === undefined ? [] : [[id, entry] as const],
      );
      if (traced.length > 0)
        sendings.set(opened.session.token, { entries: new Map(traced), sinceMs: spans.now() });
      return opened;
    },
    async write(session, receipt) {
      const written = await outbox.write(session, receipt);
      const sending = sendings.get(session.token);
      if (sending === undefined) return written;
      const entry = sending.entries.get(receipt.id);
      const end = entry && endOf(receipt, written?.isDead ?? false);
      if (entry && end) {
        const endMs = spans.now();
        spans.record(`send ${parseChatKey(session.chat).platform}`, {
          kind: SpanKind.PRODUCER,
          startMs: sending.sinceMs,
          endMs,
          parent: entry.traceparent,
          attributes: {
            ...messaging(spans, session.chat, "send"),
            "parley.outbox.kind": entry.kind,
            "parley.delivery.outcome": end.outcome,
          },
          ...(end.error === undefined ? {} : { error: end.error }),
        });
        sending.sinceMs = endMs;
      }
      if (written === undefined || receipt.release !== undefined) sendings.delete(session.token);
      return written;
    },
  };
}

/** How an attempt ended, by its receipt; undefined: it goes on, or was none. */
function endOf(
  { finished, failed, dead, fields }: Receipt,
  isDead: boolean,
): ({ readonly outcome: string } & Pick<SpanEnd, "error">) | undefined {
  const error = dead && { type: dead.why, message: dead.cause };
  if (finished) {
    const outcome = "refused" in fields ? "refused" : "sent";
    return error === undefined ? { outcome } : { outcome: error.type, error };
  }
  if (failed === undefined) return undefined;
  return isDead
    ? { outcome: "given-up", ...(error && { error }) }
    : { outcome: "retry", ...(error && { error: { ...error, type: "not-delivered-yet" } }) };
}
