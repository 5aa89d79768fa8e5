import { createHmac } from "node:crypto";
import type { ChatKey } from "../core/chat.ts";
import { tracedApprovals, tracedInbox, tracedOutbox } from "./mailboxes.ts";
import { remembered } from "./remembered.ts";
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
  readonly mailboxes: (given: Mailboxes) => Mailboxes;
}

/** @param options.key by which chats are named; see `readTracingKey`. */
export function createTracing({
  key,
  ...options
}: Omit<SpansOptions, "conversationOf"> & { readonly key: string }): Tracing {
  // A platform's ids are few enough to be tried one by one: only a key hides them.
  const conversationOf = remembered(10_000, (chat: ChatKey) =>
    createHmac("sha256", key).update(chat).digest("hex").slice(0, 16),
  );
  const spans = new Spans({ ...options, conversationOf });
  return {
    turns: new TurnSpans(spans),
    mailboxes: ({ inbox, outbox, approvals }) => ({
      inbox: tracedInbox(spans, inbox),
      outbox: tracedOutbox(spans, outbox),
      approvals: tracedApprovals(spans, approvals),
    }),
  };
}
