import type { WhileBusy } from "../../core/chat-settings.ts";
import type { ChatKey } from "../../core/chat.ts";
import { gestureGapMs, gestureHoldMs, waitsForMore, type Piece } from "../../core/gesture.ts";
import type { EditEntry, InboxEntry } from "../../core/history.ts";
import type { OutboxEntry } from "../../core/outbox.ts";
import { chatKeys } from "../keys.ts";
import { startsConversation } from "./conversation-start.ts";
import { placeOfEdited } from "./find-edited.ts";
import { leaveOut, type LeftOut, type LeftOutSoFar } from "./left-out.ts";
import { hasNeighbour } from "./find-neighbour.ts";
import { list, number, text, type Store } from "../redis/redis.ts";
import { packFields } from "../redis/script-fields.ts";
import { showsFiles, type ShownMessage } from "./shown-files.ts";

/** How long the ids of accepted events are remembered. */
export const seenTtlMs = 48 * 3_600_000;
/** How long the pieces of a gesture are held for the next one's file. */
const burstHoldMs = 10_000;
/** Messages that may wait in one chat. Once it is full it takes none until half of them are done. */
const maxWaiting = 20;
/**
 * Resets and controls have room when messages have none: only such can follow then, and of resets
 * the newest is as good as one more.
 */
const maxWaitingWithControls = 2 * maxWaiting;
/**
 * An edit never takes the last slots, nor does what a schedule asks: a message would be refused,
 * while an edit only changes a waiting one, and a schedule can wait.
 */
export const maxWaitingWithEdits = maxWaiting / 2;
/** Most entries in one chat's outbox that no turn has written. */
export const maxOutbox = 1_000;

const mostWaiting: Readonly<Record<InboxEntry["kind"], number>> = {
  message: maxWaiting,
  edit: maxWaitingWithEdits,
  reset: maxWaitingWithControls,
  control: maxWaitingWithControls,
};

export type Ingested = "accepted" | "duplicate" | "full";

/** Entries that an earlier stop had reached are not counted again. */
export interface Stopped {
  /** A turn was open, perhaps one that an earlier stop had reached. */
  readonly wasRunning: boolean;
  /** Its number. */
  readonly turn?: number;
  /** Messages that are not answered any more. */
  readonly waiting: number;
  /** Resets and controls that were waiting. */
  readonly orders: number;
  /**
   * Who asked for the turn that runs on, by name: it belongs to other people than the one who
   * stopped.
   */
  readonly runsOnFor?: string;
}

interface TurnStop {
  readonly turn: number;
  readonly eventId: string;
  readonly notice: OutboxEntry;
}

/** Whether a stop has ended anything. Pure. */
export const hasEnded = ({ wasRunning, waiting, orders }: Stopped): boolean =>
  wasRunning || waiting + orders > 0;

/** The inbox as those who receive see it: durable when the promise fulfils. */
export interface Inbox {
  append(chat: ChatKey, entry: InboxEntry): Promise<Ingested>;
  /** Answers an event without a turn: accepted once, into the outbox. */
  answer(chat: ChatKey, eventId: string, entry: OutboxEntry): Promise<Ingested>;
  /**
   * Holds the pieces of a burst until its next piece arrives, whose files take
   * time; `isOver`: for no longer than any other message.
   * @returns whether a piece is being held.
   */
  holdBurst(
    chat: ChatKey,
    burst: string,
    options?: { readonly isOver?: boolean },
  ): Promise<boolean>;
  /** Whether a message of this chat, waiting or among its newest, belongs to the same gesture. */
  hasNeighbour(chat: ChatKey, piece: Piece): Promise<boolean>;
  /** Whether this event was accepted before. */
  hasSeen(chat: ChatKey, eventId: string): Promise<boolean>;
  /** Whether the next request to a model shows the files of an earlier message anyway. */
  showsFiles(chat: ChatKey, of: ShownMessage): Promise<boolean>;
  /** Whether a message that is appended now begins a conversation. */
  isConversationStart(chat: ChatKey): Promise<boolean>;
  /**
   * Appends an edit, if it changes a message of the same person that waits or is among the history's newest
   * entries. One that comes after the answer is for the memory alone.
   */
  appendEdit(chat: ChatKey, edit: EditEntry): Promise<Ingested | "no change">;
  /**
   * Appends to the outbox what no event of this chat brought, once per entry id; not when the
   * outbox is full.
   */
  post(chat: ChatKey, entry: OutboxEntry): Promise<Ingested>;
  /**
   * For an event that writes nothing else: `hasSeen` knows it from then on, and it is not accepted
   * again.
   * @returns whether it was not known before.
   */
  markSeen(chat: ChatKey, eventId: string): Promise<boolean>;
  /** Counts a message that isn't taken, once per event. */
  leaveOut(left: LeftOut): Promise<LeftOutSoFar>;
  /** A name of the time during which the full inbox takes no messages. */
  fullUntil(chat: ChatKey): Promise<string>;
  /**
   * Ends all work up to the newest message; once per event id: a repeated event
   * gets the same result again.
   * @param of a person's id: ends only their turn and messages.
   */
  stop(chat: ChatKey, eventId?: string, of?: string): Promise<Stopped>;
  /**
   * The same for everyone's work, but only while this turn is open, or none is and the entry at this
   * position waits. The notice enters the outbox in the same step or, where a turn is open, with its
   * end; it doesn't where nothing was ended, since the answer was complete before.
   */
  stopTurn(chat: ChatKey, stop: TurnStop): Promise<Stopped>;
}

export interface InboxOptions {
  /**
   * For chats that have not set it: `steer` and `interrupt` let a running turn's worker look at
   * news at once.
   */
  readonly whileBusy?: WhileBusy;
}

/** One append to an inbox or outbox. */
interface Ingest {
  readonly id: string;
  readonly list: string;
  readonly wakeMember: string;
  readonly entry: string;
  readonly delayMs?: number;
  readonly keepsHold?: boolean;
  readonly most: number;
  readonly resumeAt?: number;
  /** Notifies a running turn's worker; absent: not needed. */
  readonly channel?: typeof stopChannel | undefined;
  /** In every mode, not only where messages may join or end the turn. */
  readonly isAlwaysUrgent?: boolean;
  /** Also for so long after pieces were held, whose turn it may join. */
  readonly afterHoldMs?: number;
}

const ingestOn =
  (store: Store, whileBusy: WhileBusy) =>
  async (chat: ChatKey, { list, ...fields }: Ingest): Promise<Ingested> => {
    const keys = chatKeys(chat);
    return text(
      await store.run(
        "ingest",
        [keys.seen, keys.state, list, keys.wake, keys.settings],
        packFields({ ...fields, seenTtlMs, chat, whileBusy }),
      ),
    ) as Ingested;
  };

export function createInbox(store: Store, { whileBusy = "followup" }: InboxOptions = {}): Inbox {
  const ingest = ingestOn(store, whileBusy);
  const answer: Inbox["answer"] = (chat, eventId, entry) =>
    ingest(chat, {
      id: eventId,
      list: chatKeys(chat).outbox,
      wakeMember: `out:${chat}`,
      entry: serialiseOut(entry),
      most: maxOutbox,
    });
  const append = (chat: ChatKey, entry: InboxEntry, keepsHold = false): Promise<Ingested> =>
    ingest(chat, {
      id: entry.id,
      keepsHold,
      list: chatKeys(chat).inbox,
      wakeMember: `in:${chat}`,
      entry: serialiseIn(entry),
      delayMs: entry.kind === "message" && waitsForMore(entry) ? gestureHoldMs : 0,
      most: mostWaiting[entry.kind],
      ...(entry.kind === "message" ? { resumeAt: maxWaiting / 2 } : {}),
      channel: isNews(entry) ? stopChannel : undefined,
      // An answer that hasn't been shown yet restarts with the edited text, or with one piece more.
      isAlwaysUrgent:
        entry.kind === "edit" || (entry.kind === "message" && entry.burst !== undefined),
      afterHoldMs: gestureGapMs,
    });
  return {
    append: (chat, entry) => append(chat, entry),
    async appendEdit(chat, edit) {
      const { seen, inbox } = chatKeys(chat);
      const [seenAt, waiting] = await Promise.all([
        store.redis.zscore(seen, edit.id),
        store.redis.lrange(inbox, 0, -1),
      ]);
      // The search is for those that would be accepted.
      if (seenAt !== null) return "duplicate";
      if (waiting.length >= maxWaitingWithEdits) return "full";
      const place = await placeOfEdited(store, chat, { edit, waiting });
      if (place === undefined) return "no change";
      const entry: EditEntry = place === "past" ? { ...edit, past: true } : edit;
      return await append(chat, entry, place !== "held");
    },
    answer,
    async holdBurst(chat, burst, { isOver = false } = {}) {
      const { state, inbox, wake } = chatKeys(chat);
      const delayMs = isOver ? gestureHoldMs : burstHoldMs;
      const isHeld = await store.run(
        "hold",
        [state, inbox, wake],
        [delayMs, `in:${chat}`, burstPrefix(burst)],
      );
      return number(isHeld) === 1;
    },
    hasNeighbour: (chat, piece) => hasNeighbour(store, chat, piece),
    async hasSeen(chat, eventId) {
      return (await store.redis.zscore(chatKeys(chat).seen, eventId)) !== null;
    },
    showsFiles: (chat, of) => showsFiles(store, chat, of),
    isConversationStart: (chat) => startsConversation(store, chat),
    post: (chat, entry) => answer(chat, `post:${entry.id}`, entry),
    async markSeen(chat, eventId) {
      const { seen } = chatKeys(chat);
      const isNew = await store.run("mark", [seen], [eventId, seenTtlMs]);
      return number(isNew) === 1;
    },
    leaveOut: (left) => leaveOut(store, left),
    async fullUntil(chat) {
      return (await store.redis.hget(chatKeys(chat).state, "fullUntil")) ?? "";
    },
    stop: (chat, eventId, of) => stop(store, chat, { eventId, of }),
    stopTurn: (chat, turnStop) => stop(store, chat, turnStop),
  };
}

/** Whether a running turn may have to look at it. */
const isNews = (entry: InboxEntry): boolean =>
  entry.kind === "message" || (entry.kind === "edit" && entry.past !== true);

async function stop(
  store: Store,
  chat: ChatKey,
  {
    eventId,
    of = "",
    turn,
    notice,
  }: {
    readonly eventId: string | undefined;
    readonly of?: string | undefined;
  } & Partial<Pick<TurnStop, "turn" | "notice">>,
): Promise<Stopped> {
  const keys = chatKeys(chat);
  const [open, messages, orders, runsOnFor, newest] = list(
    await store.run(
      "stop",
      [keys.state, keys.inbox, keys.wake, keys.seen, keys.log, keys.outbox],
      [
        `in:${chat}`,
        messagePrefix,
        eventId === undefined ? "" : `${eventId}-stop`,
        seenTtlMs,
        of,
        orderPrefix,
        turn ?? "",
        notice === undefined ? "" : serialiseOut(notice),
        `out:${chat}`,
      ],
    ),
  );
  await store.redis.publish(stopChannel, chat);
  return {
    wasRunning: number(open) === 1,
    ...(number(open) === 1 ? { turn: number(newest) } : {}),
    waiting: number(messages),
    orders: number(orders),
    ...(text(runsOnFor) === "" ? {} : { runsOnFor: text(runsOnFor) }),
  };
}

/**
 * Carries chats' keys; only makes a stop bite at once, and news where they may join or end a turn:
 * the watermark and the inbox are the truth. Not a key: no prefix, no slot.
 */
export const stopChannel = "parley:stop";

/** How every message begins in the inbox, and nothing else. */
export const messagePrefix = '{"kind":"message",';

/** How an ordinary inbox message begins: such a one `begin` may move into the log by itself. */
export const plainMessagePrefix = '{"kind":"message","v":1,';

/** How an order begins that waits for its turn; an erasure begins otherwise. */
export const orderPrefix = '{"kind":"control","v":1,';

/**
 * The beginning of a message's entry that its author has stopped while it waited after other
 * people's.
 */
export const stoppedMessagePrefix = '{"kind":"message","stopped":true,';

/** Whether an inbox entry was stopped so. */
export const isMarkedStopped = (stored: string): boolean =>
  stored.startsWith(stoppedMessagePrefix) || stored.startsWith('{"kind":"control","stopped":true,');

/** How an entry begins that is a piece of a burst. */
const burstPrefix = (burst: string): string =>
  `{"kind":"message","burst":${JSON.stringify(burst)},`;

/**
 * As it lies in the inbox. `begin` recognises an ordinary message by how its entry begins
 * (`plainMessagePrefix`); a piece of a burst must begin otherwise, since it opens a turn together
 * with its other pieces, and so must a message of `/skill`, whose turn begins with the skill.
 */
export function serialiseIn(entry: InboxEntry): string {
  if (entry.kind !== "message") return JSON.stringify(entry);
  const { kind, v, burst, skill, ...rest } = entry;
  // Undefined fields are left out.
  return JSON.stringify({ kind, burst, skill, v, ...rest });
}

export const serialiseOut = (entry: OutboxEntry): string => `${entry.id} ${JSON.stringify(entry)}`;
