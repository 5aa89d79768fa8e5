import { Queue } from "bullmq";
import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import type { ChatKey } from "../core/chat.ts";
import { createReadyChats } from "../store/turns/ready-chats.ts";
import type { Store } from "../store/redis/redis.ts";
import { queuePrefix, turnQueueName } from "./names.ts";
import { queueConnection } from "./queue-connection.ts";
import { queueErrorLog } from "./queue-error-log.ts";

/**
 * Most chats that one job wakes: the chats of a job are one worker's, and others may be free.
 */
const maxChatsPerJob = 8;

/** Longer waits than this are left to the sweeper. Milliseconds. */
const maxTimerMs = 60_000;

type Mailbox = "turn" | "delivery";

/** A job of the turns' queue. Older versions know `chat` only. */
interface TurnJob {
  readonly chat: ChatKey;
  /** Woken together with it. */
  readonly others?: readonly ChatKey[];
  /** The waker whose process has taken all these chats already. */
  readonly takenBy?: string;
}

/** Takes a chat at once, without a queue; false: this process can't. */
type Take = (chat: ChatKey) => boolean;

/**
 * Signals that a chat has work; the work itself is in its mailbox. Turns are
 * jobs of one queue; all chats that are woken within one step of the event loop
 * share a few. Deliveries are chats in a set, taken by a process that is
 * connected as their bot. A process that works on a mailbox itself takes its own
 * chats at once.
 */
export interface Waker extends AsyncDisposable {
  /** Identifies this waker in its jobs. */
  readonly id: string;
  wake(mailbox: Mailbox, chat: ChatKey): Promise<void>;
  /** The same for a chat that was woken before, in vain: while such a job waits it adds none. */
  wakeAgain(mailbox: Mailbox, chat: ChatKey): Promise<void>;
  /** Offers each chat that this process wakes to `take`, until the result is disposed of. */
  offer(mailbox: Mailbox, take: Take): Disposable;
  /**
   * Wakes the chat after a time, if this process still lives then; the wake index is the durable
   * word on it.
   */
  wakeIn(mailbox: Mailbox, chat: ChatKey, inMs: number): void;
}

export interface QueueDepths {
  /** How many jobs wait for a worker, and how many are worked on; each is for a few chats at most. */
  turns(): Promise<{ readonly waiting: number; readonly active: number }>;
  /** How many chats of a bot (`platform:bot`) wait for a process that sends to them. */
  deliveries(bot: string): Promise<number>;
}

export function createWaker(deps: {
  readonly store: Store;
  readonly log: Logger;
}): Waker & QueueDepths {
  const ready = createReadyChats(deps.store);
  // By `performance.now()`.
  const timers = new Map<string, { atMs: number; timer: NodeJS.Timeout }>();
  let opened: Queue<TurnJob> | undefined;
  // A process that only sends needs none.
  const queue = (): Queue<TurnJob> => (opened ??= openQueue(deps));

  const id = randomUUID();
  const takes: Record<Mailbox, Set<Take>> = { turn: new Set(), delivery: new Set() };
  const isTaken = (mailbox: Mailbox, chat: ChatKey): boolean =>
    takes[mailbox].values().some((take) => take(chat));

  const add = async (chats: readonly ChatKey[], more: Pick<TurnJob, "takenBy">): Promise<void> => {
    const jobs: TurnJob[] = [];
    for (let from = 0; from < chats.length; from += maxChatsPerJob) {
      const [chat, ...others] = chats.slice(from, from + maxChatsPerJob);
      if (chat !== undefined) jobs.push({ chat, ...(others.length > 0 && { others }), ...more });
    }
    await Promise.all(jobs.map((job) => queue().add("drain", job)));
  };
  let gathered: { readonly chats: Set<ChatKey>; readonly added: Promise<unknown> } | undefined;
  const gather = (): NonNullable<typeof gathered> => {
    const chats = new Set<ChatKey>();
    // What a chat is woken for is written before, on the same connection.
    const added = new Promise((resolve) => setImmediate(resolve)).then(async () => {
      gathered = undefined;
      const { taken = [], left = [] } = Object.groupBy(chats, (chat) =>
        isTaken("turn", chat) ? "taken" : "left",
      );
      return await Promise.all([add(left, {}), add(taken, { takenBy: id })]);
    });
    return { chats, added };
  };

  const wake = async (mailbox: Mailbox, chat: ChatKey): Promise<void> => {
    if (mailbox === "turn") {
      gathered ??= gather();
      gathered.chats.add(chat);
      await gathered.added;
    } else if (!isTaken(mailbox, chat)) await ready.put(chat);
  };

  return {
    id,
    wake,
    async wakeAgain(mailbox, chat) {
      if (mailbox === "delivery") await ready.put(chat);
      else
        await queue().add(
          "drain",
          { chat },
          { deduplication: { id: chat, keepLastIfActive: true } },
        );
    },
    offer(mailbox, take) {
      takes[mailbox].add(take);
      return { [Symbol.dispose]: () => void takes[mailbox].delete(take) };
    },
    wakeIn(mailbox, chat, inMs) {
      const key = `${mailbox} ${chat}`;
      const delayMs = Math.max(0, inMs);
      const atMs = performance.now() + delayMs;
      const known = timers.get(key);
      if (delayMs > maxTimerMs || (known && known.atMs <= atMs)) return;
      clearTimeout(known?.timer);
      const timer = setTimeout(() => {
        timers.delete(key);
        wake(mailbox, chat).catch((error: unknown) =>
          deps.log.warn({ error, chat }, "could not wake a chat; the sweeper will"),
        );
      }, delayMs);
      timer.unref();
      timers.set(key, { atMs, timer });
    },
    async turns() {
      const counts = await queue().getJobCounts("wait", "active");
      const { wait: waiting = 0, active = 0 } = counts;
      return { waiting, active };
    },
    deliveries: (bot) => ready.count(bot),
    async [Symbol.asyncDispose]() {
      for (const { timer } of timers.values()) clearTimeout(timer);
      timers.clear();
      await gathered?.added.catch(() => undefined); // Whoever woke these chats was told.
      await opened?.close();
    },
  };
}

function openQueue({
  store,
  log,
}: {
  readonly store: Store;
  readonly log: Logger;
}): Queue<TurnJob> {
  const queue = new Queue<TurnJob>(turnQueueName, {
    connection: queueConnection(store.redis),
    prefix: queuePrefix,
    streams: { events: { maxLen: 100 } },
    // Retries are the wake index' business: a job in back-off would swallow every new add.
    defaultJobOptions: {
      attempts: 1,
      removeOnComplete: true,
      removeOnFail: true,
    },
  });
  const logError = queueErrorLog(log, turnQueueName);
  queue.on("error", (error) => logError(error, "queue error"));
  return queue;
}
