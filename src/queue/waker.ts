import { Queue } from "bullmq";
import type { Logger } from "pino";
import type { ChatKey } from "../core/chat.ts";
import type { Connection } from "../store/connection.ts";
import { deliveryQueueOf, queuePrefix, turnQueueName } from "./names.ts";
import { queueConnection } from "./queue-connection.ts";
import { troubleLog } from "./trouble-log.ts";

/** Longer waits than this are left to the sweeper. Milliseconds. */
const maxTimerMs = 60_000;

export type Mailbox = "turn" | "delivery";

/**
 * Puts one drain job per chat into a queue. At most one is active and one waits: an add while the job waits is dropped,
 * one while it is active is kept until that has ended. What there is to do stands in the mailbox, never in the job.
 */
export interface Waker extends AsyncDisposable {
  wake(mailbox: Mailbox, chat: ChatKey): Promise<void>;
  /** Wakes the chat at a time, if this process still lives then; the wake index is the durable word on it. */
  wakeAt(mailbox: Mailbox, chat: ChatKey, atMs: number): void;
}

export interface QueueDepths {
  /** How many chats of a queue wait for a process, and how many are worked on. */
  depth(
    queueName: string,
  ): Promise<{ readonly waiting: number; readonly active: number }>;
}

export function createWaker(deps: {
  readonly connection: Connection;
  readonly log: Logger;
}): Waker & QueueDepths {
  const queues = new Map<string, Queue>();
  const timers = new Map<string, { atMs: number; timer: NodeJS.Timeout }>();

  const queueNamed = (name: string): Queue => {
    const known = queues.get(name);
    if (known) return known;
    const queue = new Queue(name, {
      connection: queueConnection(deps.connection),
      prefix: queuePrefix,
      streams: { events: { maxLen: 100 } },
      // Retries are the wake index' business: a job in back-off would swallow every new add.
      defaultJobOptions: {
        attempts: 1,
        removeOnComplete: true,
        removeOnFail: true,
      },
    });
    const trouble = troubleLog(deps.log, name);
    queue.on("error", (error) => trouble(error, "queue trouble"));
    queues.set(name, queue);
    return queue;
  };

  const wake = async (mailbox: Mailbox, chat: ChatKey): Promise<void> => {
    const name = mailbox === "turn" ? turnQueueName : deliveryQueueOf(chat);
    await queueNamed(name).add(
      "drain",
      { chat },
      { deduplication: { id: chat, keepLastIfActive: true } },
    );
  };

  return {
    wake,
    wakeAt(mailbox, chat, atMs) {
      const key = `${mailbox} ${chat}`;
      const delayMs = Math.max(0, atMs - Date.now());
      const known = timers.get(key);
      if (delayMs > maxTimerMs || (known && known.atMs <= atMs)) return;
      clearTimeout(known?.timer);
      const timer = setTimeout(() => {
        timers.delete(key);
        wake(mailbox, chat).catch((error: unknown) =>
          deps.log.warn(
            { error, chat },
            "could not wake a chat; the sweeper will",
          ),
        );
      }, delayMs);
      timer.unref();
      timers.set(key, { atMs, timer });
    },
    async depth(queueName) {
      const counts = await queueNamed(queueName).getJobCounts("wait", "active");
      const { wait: waiting = 0, active = 0 } = counts;
      return { waiting, active };
    },
    async [Symbol.asyncDispose]() {
      for (const { timer } of timers.values()) clearTimeout(timer);
      timers.clear();
      await Promise.all([...queues.values()].map((queue) => queue.close()));
    },
  };
}
