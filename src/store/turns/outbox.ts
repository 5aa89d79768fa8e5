import { randomUUID } from "node:crypto";
import type { ChatKey } from "../../core/chat.ts";
import { PermanentError } from "../../core/errors.ts";
import { draftSchema, outboxEntrySchema, type Draft, type OutboxEntry } from "../../core/outbox.ts";
import type { ApprovalView } from "../../core/approval.ts";
import { readApproval } from "../approvals/approval-view.ts";
import { copyIn, createRelayedCards } from "../approvals/relayed-cards.ts";
import { approvalKey, chatKeys } from "../keys.ts";
import { createDeadChats, type DeadChats } from "./dead-chats.ts";
import { writeReceipt, type DeliverySession, type Receipt, type Written } from "./receipt.ts";
import { countLeftOut, type LeftOutEdit } from "./left-out.ts";
import { list, number, pairs, text, texts, type Reply, type Store } from "../redis/redis.ts";
import { parseStored } from "../stored.ts";

/** Entries that one session sends before it lets others have their turn. */
const window = 20;

/** The sent chunks of one entry: the platform's message ids. */
export type Ledger = ReadonlyMap<string, string>;

export interface OpenedOutbox {
  readonly type: "open";
  readonly session: DeliverySession;
  /**
   * The entry or draft that a dead owner was sending: its next chunk may already have been sent.
   */
  readonly interrupted: string | undefined;
  /** How long ago that may have been, at most. Milliseconds. */
  readonly doubtAgeMs: number;
  /** The last owner stopped renewing its lease. */
  readonly isTakenOver: boolean;
  readonly entries: readonly OpenedEntry[];
  readonly draft: { readonly draft: Draft; readonly ledger: Ledger } | undefined;
}

export type OpenedEntry =
  | {
      readonly id: string;
      readonly entry: OutboxEntry;
      readonly ledger: Ledger;
    }
  /** The stored value is not a valid entry. */
  | {
      readonly id: string;
      readonly entry?: never;
      readonly problem: PermanentError;
    };

export interface OutboxStore {
  open(
    chat: ChatKey,
  ): Promise<
    | OpenedOutbox
    | { readonly type: "nothing" }
    | { readonly type: "later"; readonly againInMs: number }
  >;
  /** Undefined when the session is fenced. */
  write(session: DeliverySession, receipt: Receipt): Promise<Written | undefined>;
  /**
   * The platform's id of the message that an entry replaces; undefined when that was never sent.
   */
  lastMessageOf(
    chat: ChatKey,
    entry: OutboxEntry & { kind: "resolution" | "cards-outcome" },
  ): Promise<string | undefined>;
  /**
   * How many messages an edit of their notice is to show; undefined: they are no longer counted; `shown`: an
   * earlier edit has shown as many.
   */
  countLeftOut(of: string, edit: LeftOutEdit): Promise<number | "shown" | undefined>;
  /** Whether a card was sent when all its calls had been decided. */
  wasFinal(chat: ChatKey, of: string): Promise<boolean>;
  /**
   * The approvals of a card in their current state, in the card's order; undefined for erased ones.
   */
  asked(
    entry: Pick<OutboxEntry & { kind: "cards" }, "approvals">,
  ): Promise<readonly (ApprovalView | undefined)[]>;
}

/** @param leaseMs no longer than BullMQ's lock; must outlast one request to a platform. */
export function createOutboxStore(
  store: Store,
  leaseMs: number,
  deadChats: Pick<DeadChats, "mark"> = createDeadChats(store),
): OutboxStore {
  const relayed = createRelayedCards(store);
  const write: OutboxStore["write"] = async (session, receipt) => {
    const written = await writeReceipt(store, leaseMs, session, receipt);
    const { copy } = receipt;
    // Until its ledger expires that knows the message, too.
    if (written && copy)
      await relayed.sent(copy.approvalId, session.chat, copy.messageId).catch(() => undefined);
    if (written?.life === undefined) return written;
    const { life } = written;
    const stops = receipt.dead?.isChatDead === true;
    await deadChats
      .mark(session.chat, { isDead: life !== "alive", stops, isNews: life === "died" })
      // A schedule's next slot finds a dead chat, and the next delivery one that is alive again.
      .catch(() => undefined);
    return written;
  };
  return {
    async open(chat) {
      const keys = chatKeys(chat);
      const token = randomUUID();
      const reply = list(
        await store.run(
          "open",
          [keys.state, keys.outbox, keys.draft, keys.wake],
          [token, leaseMs, window, `out:${chat}`, keys.sentPrefix],
        ),
      );
      const type = text(reply[0]);
      if (type === "nothing") return { type };
      if (type === "later") return { type, againInMs: number(reply[1]) };
      const session = { chat, token };
      try {
        return readOpened(session, reply);
      } catch (error) {
        // An unreadable entry, e.g. a newer version's, must not wait for the lease.
        await write(session, { id: "", fields: {}, release: {} });
        throw error;
      }
    },
    write,
    async lastMessageOf(chat, entry) {
      const { of } = entry;
      const isCopy = entry.kind === "cards-outcome" && entry.heading !== undefined;
      const ledger = await store.redis.hgetall(`${chatKeys(chat).sentPrefix}${of}`);
      const last = ledger[`m${Number(ledger["done"] ?? 0) - 1}`];
      const approval = entry.kind === "resolution" ? entry.card?.approvalId : entry.approvals[0];
      // An approval's record knows the message in its own chat.
      if (approval === undefined) return last;
      // The same for a copy: the record of copies knows its message.
      if (isCopy) return (await copyIn(store, approval, chat)) ?? last;
      // A card may be sent again, e.g. in a reopened terminal, and wait for longer than ledgers are
      // kept: the approval's own record knows its newest message.
      return (await store.redis.hget(approvalKey(approval), "card")) ?? last;
    },
    countLeftOut: (of, edit) => countLeftOut(store, of, edit),
    async wasFinal(chat, of) {
      return (await store.redis.hexists(`${chatKeys(chat).sentPrefix}${of}`, "final")) === 1;
    },
    async asked({ approvals }) {
      return await Promise.all(approvals.map((id) => readApproval(store, id)));
    },
  };
}

function readOpened(session: DeliverySession, reply: readonly Reply[]): OpenedOutbox {
  const keys = chatKeys(session.chat);
  const ledgers = list(reply[3]);
  const draft = text(reply[4]);
  return {
    type: "open",
    session,
    interrupted: text(reply[1]) || undefined,
    doubtAgeMs: number(reply[6]),
    isTakenOver: number(reply[7]) === 1,
    entries: texts(reply[2]).map((stored, index) =>
      readEntry(keys.outbox, stored, pairs(ledgers[index])),
    ),
    draft: draft === "" ? undefined : readDraft(keys.draft, draft, pairs(reply[5])),
  };
}

/** @throws RetryableError for a newer version's. */
function readEntry(key: string, stored: string, ledger: Ledger): OpenedEntry {
  const id = stored.slice(0, Math.max(0, stored.indexOf(" ")));
  try {
    const entry = parseStored(outboxEntrySchema, key, withoutId(stored));
    return { id, entry, ledger };
  } catch (problem) {
    if (problem instanceof PermanentError) return { id, problem };
    throw problem;
  }
}

/**
 * A draft that is none is left out: the next one replaces it. @throws RetryableError for a newer
 * version's.
 */
function readDraft(key: string, stored: string, ledger: Ledger): OpenedOutbox["draft"] {
  try {
    return { draft: parseStored(draftSchema, key, withoutId(stored)), ledger };
  } catch (problem) {
    if (problem instanceof PermanentError) return undefined;
    throw problem;
  }
}

/** Entries and drafts are stored as `<id> <json>`. */
const withoutId = (stored: string): string => stored.slice(stored.indexOf(" ") + 1);
