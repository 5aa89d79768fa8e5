import { createHmac } from "node:crypto";
import type { ChatKey } from "../core/chat.ts";
import { ReceiptSpans, tracedOutbox } from "./mailboxes.ts";
import { Spans, type SpansOptions } from "./spans.ts";
import { TurnSpans } from "./turns.ts";
import type { ApprovalStore } from "../store/approvals/approvals.ts";
import type { Inbox } from "../store/turns/inbox.ts";
import type { OutboxStore } from "../store/turns/outbox.ts";

interface Mailboxes {
  readonly inbox: Inbox;
  readonly outbox: OutboxStore;
  readonly approvals: ApprovalStore;
}

/** What makes spans of what passes these ports. */
export interface Tracing {
  readonly turns: Pick<TurnSpans, "store" | "sink" | "onEvent">;
  readonly accept: ReceiptSpans["accept"];
  readonly mailboxes: (given: Mailboxes) => Mailboxes;
}

/** @param options.key by which chats are named; see `readTracingKey`. */
export function createTracing({
  key,
  ...options
}: Omit<SpansOptions, "conversationOf"> & { readonly key: string }): Tracing {
  const spans = new Spans({ ...options, conversationOf: namer(key) });
  const receipts = new ReceiptSpans(spans);
  return {
    turns: new TurnSpans(spans),
    accept: (accept) => receipts.accept(accept),
    mailboxes: ({ inbox, outbox, approvals }) => ({
      inbox: receipts.inbox(inbox),
      outbox: tracedOutbox(spans, outbox),
      approvals: receipts.approvals(approvals),
    }),
  };
}

const maxNames = 10_000;

/** A platform's ids are few enough to be tried one by one: only a key hides them. */
function namer(key: string): (chat: ChatKey) => string {
  const names = new Map<ChatKey, string>();
  return (chat) => {
    const known = names.get(chat);
    if (known !== undefined) return known;
    const name = createHmac("sha256", key).update(chat).digest("hex").slice(0, 16);
    if (names.size >= maxNames) names.clear();
    names.set(chat, name);
    return name;
  };
}
