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
 * connected as their bot.
 */
export interface Waker extends AsyncDisposable {
  /** Identifies this waker in its jobs. */
  readonly id: string;
  wake(mailbox: Mailbox, chat: ChatKey): Promise<void>;
  /** The same; a process that works on the mailbox itself takes the chat at once, if it can. */
  wakeHere(mailbox: Mailbox, chat: ChatKey): Promise<void>;
  /** The same for a chat that was woken before, in vain: while a job of it alone waits it adds none. */
  wakeAgain(mailbox: Mailbox, chat: ChatKey): Promise<void>;
  /** Offers chats that this process wakes here to `take`, until the result is disposed of. */
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

  // At most one job of a chat alone waits, however often it is woken in vain. One that is added
  // while its job is active is kept until that has ended. One that was taken already wakes no one,
  // and must not stand in the way of one that does.
  const add = (job: TurnJob): Promise<unknown> =>
    queue().add(
      "drain",
      job,
      job.others === undefined && job.takenBy === undefined
        ? { deduplication: { id: job.chat, keepLastIfActive: true } }
        : undefined,
    );
  const turns = new TurnWakes({
    id,
    add,
    isTaken: (chat) => isTaken("turn", chat),
  });
  const wake = async (mailbox: Mailbox, chat: ChatKey): Promise<void> => {
    if (mailbox === "turn") await turns.wake(chat);
    else await ready.put(chat);
  };

  return {
    id,
    wake,
    async wakeHere(mailbox, chat) {
      if (mailbox === "turn") await turns.wake(chat, "here");
      else if (!isTaken(mailbox, chat)) await ready.put(chat);
    },
    async wakeAgain(mailbox, chat) {
      if (mailbox === "delivery") await ready.put(chat);
      else await add({ chat });
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
      await turns.added();
      await opened?.close();
    },
  };
}

interface TurnWakesDeps {
  readonly id: string;
  readonly add: (job: TurnJob) => Promise<unknown>;
  readonly isTaken: Take;
}

/**
 * Gathers the chats that are woken within one step of the event loop, or while jobs are being
 * added, into jobs.
 */
class TurnWakes {
  readonly #deps: TurnWakesDeps;
  /** Those that may be taken here have true. */
  #chats = new Map<ChatKey, boolean>();
  #added: Promise<void> | undefined;
  #adding: Promise<void> = Promise.resolve();

  constructor(deps: TurnWakesDeps) {
    this.#deps = deps;
  }

  async wake(chat: ChatKey, where?: "here"): Promise<void> {
    this.#chats.set(chat, where === "here" || this.#chats.get(chat) === true);
    // What a chat is woken for is written before, on the same connection.
    this.#added ??= Promise.all([
      new Promise((resolve) => setImmediate(resolve)),
      this.#adding.catch(() => undefined), // Those who woke these chats were told.
    ]).then(() => {
      this.#adding = this.#add();
      return this.#adding;
    });
    await this.#added;
  }

  /** Fulfils when nothing is gathered any more. */
  async added(): Promise<void> {
    await Promise.allSettled([this.#adding, this.#added]);
  }

  async #add(): Promise<void> {
    const { id, add, isTaken } = this.#deps;
    const chats = [...this.#chats];
    this.#chats = new Map();
    this.#added = undefined;
    const { taken = [], left = [] } = Object.groupBy(chats, ([chat, isHere]) =>
      isHere && isTaken(chat) ? "taken" : "left",
    );
    const jobs = [...jobsOf(left), ...jobsOf(taken).map((job) => ({ ...job, takenBy: id }))];
    await Promise.all(jobs.map(add));
  }
}

function jobsOf(chats: readonly (readonly [ChatKey, boolean])[]): TurnJob[] {
  const jobs: TurnJob[] = [];
  for (let from = 0; from < chats.length; from += maxChatsPerJob) {
    const [chat, ...others] = chats.slice(from, from + maxChatsPerJob).map(([each]) => each);
    if (chat !== undefined) jobs.push({ chat, ...(others.length > 0 && { others }) });
  }
  return jobs;
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
