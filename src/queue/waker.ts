import { Queue } from "bullmq";
import type { Logger } from "pino";
import type { ChatKey } from "../core/chat.ts";
import { createReadyChats } from "../store/turns/ready-chats.ts";
import type { Store } from "../store/redis/redis.ts";
import { queuePrefix, turnQueueName } from "./names.ts";
import { queueConnection } from "./queue-connection.ts";
import { queueErrorLog } from "./queue-error-log.ts";

/** Longer waits than this are left to the sweeper. Milliseconds. */
const maxTimerMs = 60_000;

type Mailbox = "turn" | "delivery";

/**
 * Signals that a chat has work; the work itself is in its mailbox. Turns are
 * jobs of one queue, at most one per chat active and one waiting: an add while
 * the job waits is dropped, one while it is active is kept until it has ended.
 * Deliveries are chats in a set, taken by a process that is connected as their
 * bot.
 */
export interface Waker extends AsyncDisposable {
  wake(mailbox: Mailbox, chat: ChatKey): Promise<void>;
  /**
   * Wakes the chat after a time, if this process still lives then; the wake index is the durable
   * word on it.
   */
  wakeIn(mailbox: Mailbox, chat: ChatKey, inMs: number): void;
}

export interface QueueDepths {
  /** How many chats wait for a worker, and how many are worked on. */
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
  let opened: Queue | undefined;
  // A process that only sends needs none.
  const queue = (): Queue => (opened ??= openQueue(deps));

  const wake = async (mailbox: Mailbox, chat: ChatKey): Promise<void> => {
    if (mailbox === "delivery") await ready.put(chat);
    else
      await queue().add("drain", { chat }, { deduplication: { id: chat, keepLastIfActive: true } });
  };

  return {
    wake,
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
      await opened?.close();
    },
  };
}

function openQueue({ store, log }: { readonly store: Store; readonly log: Logger }): Queue {
  const queue = new Queue(turnQueueName, {
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
