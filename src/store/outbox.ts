import { randomBytes } from "node:crypto";
import type { ChatKey } from "../core/chat.ts";
import {
  draftSchema,
  outboxEntrySchema,
  type Draft,
  type OutboxEntry,
} from "../core/outbox.ts";
import { approvalKey, chatKeys } from "./keys.ts";
import {
  list,
  number,
  pairs,
  text,
  texts,
  type Reply,
  type Store,
} from "./redis.ts";
import { parseStored } from "./stored.ts";

/** Receipts are kept this long: as long as a redelivered event can ask for them. */
const ledgerTtlMs = 48 * 3_600_000;
/** Entries that one session sends before it lets others have their turn. */
const window = 20;

/** What has been sent of one entry: by chunk, the platform's message id. */
export type Ledger = ReadonlyMap<string, string>;

export interface OpenedOutbox {
  readonly type: "open";
  readonly session: DeliverySession;
  /** The entry or draft that the owner before could not tell about: its next chunk may already have been sent. */
  readonly interrupted: string | undefined;
  readonly entries: readonly {
    readonly entry: OutboxEntry;
    readonly ledger: Ledger;
  }[];
  readonly draft:
    { readonly draft: Draft; readonly ledger: Ledger } | undefined;
}

export interface DeliverySession {
  readonly chat: ChatKey;
  readonly token: string;
}

export interface Receipt {
  /** The id of the entry or draft. */
  readonly id: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The entry has been dealt with and leaves the outbox. */
  readonly finished?: boolean;
  /** The entry or draft that this session sends now: what is in doubt if it dies. */
  readonly next?: string;
  /** Gives the outbox back; nobody takes it for the next `delayMs`. */
  readonly release?: { readonly delayMs?: number };
  /** Whether nobody knows if the last request was carried out; absent: that stays as it was. */
  readonly interrupted?: boolean;
  /** Set for an approval's card. */
  readonly card?: { readonly approvalId: string; readonly messageId: string };
}

export interface OutboxStore {
  open(
    chat: ChatKey,
  ): Promise<
    | OpenedOutbox
    | { readonly type: "nothing" }
    | { readonly type: "later"; readonly againAtMs: number }
  >;
  /** How many entries are left; undefined when the session is fenced. */
  write(
    session: DeliverySession,
    receipt: Receipt,
  ): Promise<number | undefined>;
  /** The platform's id of the message that a resolution is about; undefined when that was never sent. */
  lastMessageOf(
    chat: ChatKey,
    resolution: OutboxEntry & { kind: "resolution" },
  ): Promise<string | undefined>;
}

/** @param leaseMs no longer than BullMQ's lock; must outlast one request to a platform. */
export function createOutboxStore(store: Store, leaseMs: number): OutboxStore {
  const write: OutboxStore["write"] = (session, receipt) =>
    writeReceipt(store, leaseMs, session, receipt);
  return {
    async open(chat) {
      const keys = chatKeys(chat);
      const token = randomBytes(12).toString("base64url");
      const reply = list(
        await store.run(
          "open",
          [keys.state, keys.outbox, keys.draft, keys.wake],
          [token, leaseMs, window, `out:${chat}`, keys.sentPrefix],
        ),
      );
      const type = text(reply[0]);
      if (type === "nothing") return { type };
      if (type === "later")
        return { type, againAtMs: Date.now() + number(reply[1]) };
      const session = { chat, token };
      try {
        return readOpened(session, reply);
      } catch (error) {
        // What this process cannot read, e.g. a newer version's entry, must not wait for the lease.
        await write(session, { id: "", fields: {}, release: {} });
        throw error;
      }
    },
    write,
    async lastMessageOf(chat, { of, card }) {
      const ledger = await store.redis.hgetall(
        `${chatKeys(chat).sentPrefix}${of}`,
      );
      const last = ledger[`m${Number(ledger["done"] ?? 0) - 1}`];
      if (last !== undefined || card === undefined) return last;
      // An approval may wait for longer than ledgers are kept; its own record knows its card.
      const key = approvalKey(card.approvalId);
      return (await store.redis.hget(key, "card")) ?? undefined;
    },
  };
}

function readOpened(
  session: DeliverySession,
  reply: readonly Reply[],
): OpenedOutbox {
  const keys = chatKeys(session.chat);
  const ledgers = list(reply[3]);
  const draft = text(reply[4]);
  return {
    type: "open",
    session,
    interrupted: text(reply[1]) || undefined,
    entries: texts(reply[2]).map((stored, index) => ({
      entry: parseStored(outboxEntrySchema, keys.outbox, withoutId(stored)),
      ledger: pairs(ledgers[index]),
    })),
    draft:
      draft === ""
        ? undefined
        : {
            draft: parseStored(draftSchema, keys.draft, withoutId(draft)),
            ledger: pairs(reply[5]),
          },
  };
}

/** Entries and drafts are stored as `<id> <json>`. */
const withoutId = (stored: string): string =>
  stored.slice(stored.indexOf(" ") + 1);

async function writeReceipt(
  store: Store,
  leaseMs: number,
  { chat, token }: DeliverySession,
  receipt: Receipt,
): Promise<number | undefined> {
  const keys = chatKeys(chat);
  const reply = list(
    await store.run(
      "receipt",
      [
        keys.state,
        keys.outbox,
        keys.draft,
        keys.wake,
        `${keys.sentPrefix}${receipt.id}`,
      ],
      [
        token,
        leaseMs,
        receipt.id,
        receipt.finished ? 1 : 0,
        receipt.release ? 1 : 0,
        receipt.release?.delayMs ?? "",
        `out:${chat}`,
        ledgerTtlMs,
        receipt.interrupted === undefined ? "" : Number(receipt.interrupted),
        receipt.card ? approvalKey(receipt.card.approvalId) : "",
        receipt.card?.messageId ?? "",
        receipt.next ?? "",
        ...Object.entries(receipt.fields).flat(),
      ],
    ),
  );
  return text(reply[0]) === "fenced" ? undefined : number(reply[1]);
}
