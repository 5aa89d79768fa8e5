import { SpanKind } from "@opentelemetry/api";
import { chatKey, parseChatKey, type ChatKey } from "../core/chat.ts";
import type { OutboxEntry } from "../core/outbox.ts";
import type { ApprovalStore } from "../store/approvals/approvals.ts";
import type { Inbox } from "../store/turns/inbox.ts";
import type { OutboxStore } from "../store/turns/outbox.ts";
import type { Receipt } from "../store/turns/receipt.ts";
import type { SpanEnd, Spans } from "./spans.ts";
import { traceparentOf } from "./traceparent.ts";

/** A span for each message that is kept, from its arrival on. It begins the trace. */
export function tracedInbox(spans: Spans, inbox: Inbox): Inbox {
  return {
    ...inbox,
    append: async (chat, entry) => {
      // Other entries are part of a message's turn, or of none.
      if (entry.kind !== "message") return await inbox.append(chat, entry);
      const span = spans.attempt(() =>
        spans.start(`receive ${parseChatKey(chat).platform}`, {
          kind: SpanKind.CONSUMER,
          startMs: entry.atMs,
          attributes: messaging(spans, chat, "receive"),
        }),
      );
      if (span === undefined) return await inbox.append(chat, entry);
      const traceparent = traceparentOf(span.spanContext());
      const ingested = await inbox.append(chat, { ...entry, traceparent });
      const error = ingested === "full" ? { type: "inbox_full" } : undefined;
      // The first delivery has its span.
      if (ingested !== "duplicate") spans.attempt(() => spans.end(span, { error }));
      return ingested;
    },
  };
}

/** A span for each decision on an approval of a traced turn. */
export function tracedApprovals(spans: Spans, approvals: ApprovalStore): ApprovalStore {
  return {
    ...approvals,
    decide: async (view, decision) => {
      const { traceparent, tool, chat } = view.approval;
      if (traceparent === undefined) return await approvals.decide(view, decision);
      const startMs = spans.options.now();
      const { told, toldExpired, toldFirst } = decision;
      const decided = await approvals.decide(view, {
        ...decision,
        told: { ...told, traceparent },
        toldExpired: { ...toldExpired, traceparent },
        ...(toldFirst && { toldFirst: { ...toldFirst, traceparent } }),
      });
      if (decided.type === "decided" || decided.type === "counted")
        spans.attempt(() =>
          spans.record(`decide ${tool}`, {
            kind: SpanKind.CONSUMER,
            startMs,
            parent: traceparent,
            attributes: {
              ...messaging(spans, chatKey(parseChatKey(chat)), "receive"),
              "gen_ai.tool.name": tool,
              "parley.approval.status": decided.type === "decided" ? decided.status : "counted",
            },
          }),
        );
      return decided;
    },
  };
}

const messaging = (spans: Spans, chat: ChatKey, operation: "receive" | "send") => ({
  "messaging.system": parseChatKey(chat).platform,
  "messaging.operation.name": operation,
  "messaging.operation.type": operation,
  "gen_ai.conversation.id": spans.options.conversationOf(chat),
});

interface Sending {
  readonly token: string;
  readonly entries: ReadonlyMap<string, OutboxEntry>;
  sinceMs: number;
}

/** A span for each attempt at an entry of a traced turn, from the receipts that are written. */
export function tracedOutbox(spans: Spans, outbox: OutboxStore): OutboxStore {
  /** The traced entries of those that are open, and the end of the attempt before. */
  const sendings = new Map<ChatKey, Sending>();
  return {
    ...outbox,
    async open(chat) {
      const opened = await outbox.open(chat);
      if (opened.type !== "open") return opened;
      const entries = new Map(
        opened.entries.flatMap(({ id, entry }) => (entry?.traceparent ? [[id, entry]] : [])),
      );
      const sinceMs = spans.options.now();
      const { token } = opened.session;
      if (entries.size > 0) sendings.set(chat, { token, entries, sinceMs });
      else sendings.delete(chat);
      return opened;
    },
    async write(session, receipt) {
      const written = await outbox.write(session, receipt);
      const open = sendings.get(session.chat);
      const sending = open?.token === session.token ? open : undefined;
      const entry = sending?.entries.get(receipt.id);
      const end = endOf(receipt, written?.isDead ?? false);
      if (sending && entry && end) {
        const endMs = spans.options.now();
        spans.attempt(() =>
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
            error: end.error,
          }),
        );
        sending.sinceMs = endMs;
      }
      const isOver = written === undefined || receipt.release !== undefined;
      if (isOver && sending) sendings.delete(session.chat);
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
  if (finished)
    return { outcome: error?.type ?? ("refused" in fields ? "refused" : "sent"), error };
  if (failed === undefined) return undefined;
  if (isDead) return { outcome: "given-up", error };
  return { outcome: "retry", error: error && { ...error, type: "not-delivered-yet" } };
}
