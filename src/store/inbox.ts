import type { ChatKey } from "../core/chat.ts";
import type { InboxEntry } from "../core/history.ts";
import type { OutboxEntry } from "../core/outbox.ts";
import { chatKeys } from "./keys.ts";
import { list, number, text, type Store } from "./redis.ts";

/** How long the ids of accepted events are remembered. */
const seenTtlMs = 48 * 3_600_000;
/** Pieces of an album or of a split paste arrive within about 500 ms of each other. */
const burstDelayMs = 700;
/** Messages that may wait in one chat. */
const maxWaiting = 20;
/** A reset has room when messages have none: only resets can follow then, and the newest is as good as one more. */
const maxWaitingWithResets = 2 * maxWaiting;
/** Entries that may wait in one chat's outbox without a turn's having put them there. */
const maxOutbox = 1_000;

export type Ingested = "accepted" | "duplicate" | "full";

export interface Stopped {
  readonly wasRunning: boolean;
  readonly waiting: number;
}

/** The inbox as those who receive see it: durable when the promise fulfils. */
export interface Inbox {
  append(chat: ChatKey, entry: InboxEntry): Promise<Ingested>;
  /** Answers an event without a turn: accepted once, into the outbox. */
  answer(chat: ChatKey, eventId: string, entry: OutboxEntry): Promise<Ingested>;
  /** Whether this event was accepted before. */
  hasSeen(chat: ChatKey, eventId: string): Promise<boolean>;
  /** Appends to the outbox what no event of this chat brought, once per entry id. */
  post(chat: ChatKey, entry: OutboxEntry): Promise<void>;
  /** Ends all work at or below the newest message. */
  stop(chat: ChatKey): Promise<Stopped>;
}

export function createInbox(store: Store): Inbox {
  const ingest = async (
    chat: ChatKey,
    into: {
      id: string;
      list: string;
      member: string;
      stored: string;
      delayMs: number | "";
      most: number;
    },
  ) => {
    const keys = chatKeys(chat);
    const values = [
      into.id,
      into.stored,
      into.delayMs,
      into.member,
      seenTtlMs,
      into.most,
    ];
    return text(
      await store.run(
        "ingest",
        [keys.seen, keys.state, into.list, keys.wake],
        values,
      ),
    ) as Ingested;
  };
  const answer: Inbox["answer"] = (chat, eventId, entry) =>
    ingest(chat, {
      id: eventId,
      list: chatKeys(chat).outbox,
      member: `out:${chat}`,
      stored: serialiseOut(entry),
      delayMs: "",
      most: maxOutbox,
    });
  return {
    append: (chat, entry) =>
      ingest(chat, {
        id: entry.id,
        list: chatKeys(chat).inbox,
        member: `in:${chat}`,
        stored: serialise(entry),
        delayMs:
          entry.kind === "message" && entry.burst !== undefined
            ? burstDelayMs
            : 0,
        most: entry.kind === "reset" ? maxWaitingWithResets : maxWaiting,
      }),
    answer,
    async hasSeen(chat, eventId) {
      return (await store.redis.zscore(chatKeys(chat).seen, eventId)) !== null;
    },
    async post(chat, entry) {
      await answer(chat, `post:${entry.id}`, entry);
    },
    async stop(chat) {
      const keys = chatKeys(chat);
      const [, open, waiting] = list(
        await store.run(
          "stop",
          [keys.state, keys.inbox, keys.wake],
          [`in:${chat}`],
        ),
      );
      await store.redis.publish(stopChannel, chat);
      return { wasRunning: number(open) === 1, waiting: number(waiting) };
    },
  };
}

/** Carries chats' keys; only makes a stop bite at once, the watermark is the truth. */
export const stopChannel = "parley:stop";

/**
 * `begin` recognises an ordinary message by how its entry begins (`plainMessagePrefix`); a piece of a burst must begin
 * otherwise, since it opens a turn together with its other pieces.
 */
function serialise(entry: InboxEntry): string {
  if (entry.kind !== "message") return JSON.stringify(entry);
  const { kind, v, burst, ...rest } = entry;
  return JSON.stringify(
    burst === undefined ? { kind, v, ...rest } : { kind, burst, v, ...rest },
  );
}

export const serialiseOut = (entry: OutboxEntry): string =>
  `${entry.id} ${JSON.stringify(entry)}`;
