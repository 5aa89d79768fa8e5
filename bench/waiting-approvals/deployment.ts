import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { Queue } from "bullmq";
import { queuePrefix, turnQueueName } from "../../src/queue/names.ts";
import { readyKey, shardCount } from "../../src/store/keys.ts";
import type { Store } from "../../src/store/redis/redis.ts";
import type { OpenAiServer } from "../../test/emulators/model/openai-server.ts";
import { ParleyProcess } from "../../test/support/parley/parley-process.ts";
import type { Shown, TestChat } from "../../test/support/parley/stage.ts";
import { TelegramStage } from "../../test/support/parley/telegram-stage.ts";
import { usedBy } from "../support/process-tree.ts";

/** How long anything is waited for, and how often it is looked at. Milliseconds. */
const timeoutMs = 30_000;
const everyMs = 50;
/** Passes of the sweeper that a worker has behind it when its memory is read. */
const passes = 10;
/** Cards that are asked for at the same time: Telegram's pace is 30 messages a second. */
const askedAtOnce = 10;

/** Jobs of both queues. */
export interface JobCounts {
  readonly active: number;
  readonly waiting: number;
  readonly delayed: number;
}

/**
 * A bots process and a worker on one Redis, as an operator starts them, with a Telegram of their
 * own.
 */
export class Deployment implements AsyncDisposable {
  readonly #store: Store;
  readonly #redisUrl: string;
  readonly #openai: OpenAiServer;
  readonly #parts = new AsyncDisposableStack();
  readonly #cards: { readonly chat: TestChat; readonly card: Shown }[] = [];
  #telegram: TelegramStage | undefined;
  #worker: ParleyProcess | undefined;

  constructor(store: Store, redisUrl: string, openai: OpenAiServer) {
    this.#store = store;
    this.#redisUrl = redisUrl;
    this.#openai = openai;
  }

  /** The worker first: the lease of the sweeper is its own. */
  async start(): Promise<void> {
    const telegram = this.#parts.use(await TelegramStage.start());
    const environment = {
      REDIS_URL: this.#redisUrl,
      OPENAI_BASE_URL: this.#openai.baseUrl,
      OPENAI_API_KEY: "sk-bench",
      OPENAI_MODEL: "gpt-4o-mini",
      PARLEY_ACCESS: "open",
    };
    const start = (role: string, more: Readonly<Record<string, string>> = {}) =>
      this.#parts
        .use(
          new ParleyProcess({
            environment: { ...environment, ...more, PARLEY_ROLE: role },
          }),
        )
        .ready();
    this.#worker = await start("worker");
    await start("bots", telegram.environment);
    await telegram.connected();
    this.#telegram = telegram;
  }

  /** What the worker holds, in MB, once it has looked through every shard some times. */
  async workerMegabytes(): Promise<number> {
    const wanted = (await this.#sweeps()) + passes * shardCount;
    await until(async () => (await this.#sweeps()) >= wanted, "the sweeper's passes");
    return usedBy([this.#worker?.pid ?? 0]).rssMegabytes;
  }

  /** Has so many people ask for something that waits for them. */
  async ask(count: number): Promise<void> {
    for (let from = 0; from < count; from += askedAtOnce)
      await Promise.all(
        Array.from({ length: Math.min(askedAtOnce, count - from) }, () => this.#askOnce()),
      );
  }

  /**
   * The turns' jobs and the chats that are ready to be sent to, once the cards' own are over.
   * @throws when they never are
   */
  async jobs(): Promise<JobCounts> {
    const { redis } = this.#store;
    const bot = `telegram:${this.#telegram?.server.bot.id}`;
    const queue = new Queue(turnQueueName, {
      connection: redis,
      prefix: queuePrefix,
    });
    try {
      let all: JobCounts = { active: 0, waiting: 0, delayed: 0 };
      await until(async () => {
        const [counts, ready] = await Promise.all([
          queue.getJobCounts("active", "wait", "delayed"),
          redis.zcard(readyKey(bot)),
        ]);
        const { active = 0, wait = 0, delayed = 0 } = counts;
        all = { active, waiting: wait + ready, delayed };
        return all.active + all.waiting + all.delayed === 0;
      }, "the end of all jobs");
      return all;
    } finally {
      await queue.close();
    }
  }

  /** Approves one that waits; from the tap to the answer, in ms. */
  async tap(): Promise<number> {
    const next = this.#cards.shift();
    if (next === undefined) throw new Error("nobody waits any more");
    const startedMs = performance.now();
    const [told] = await Promise.all([
      next.chat.tap(next.card, "Approve"),
      next.chat.wait("write_note said: Noted."),
    ]);
    const tookMs = performance.now() - startedMs;
    if (told !== "Approved.") throw new Error(`the tap was told: ${told}`);
    return tookMs;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#parts.disposeAsync();
  }

  async #askOnce(): Promise<void> {
    if (this.#telegram === undefined) throw new Error("it was never started");
    const chat = this.#telegram.direct("Ann");
    chat.say(`call write_note ${JSON.stringify({ note: "buy tea" })}`);
    const card = await chat.wait(({ buttons }) => buttons.length > 0);
    this.#cards.push({ chat, card });
  }

  /**
   * Shards that were looked through since the server began, as Redis counts what no one else asks
   * for.
   */
  async #sweeps(): Promise<number> {
    const stats = await this.#store.redis.info("commandstats");
    const [, calls] = /^cmdstat_zcount:calls=(\d+)/m.exec(stats) ?? [];
    return Number(calls ?? 0);
  }
}

async function until(holds: () => Promise<boolean>, what: string): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error(`waited in vain for ${what}`);
    await sleep(everyMs);
  }
}
