import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { startTestRedis } from "../test/support/redis/start-test-redis.ts";
import { usedBy } from "./support/process-tree.ts";
import type { Stubs } from "./support/stubs.ts";
import type { Running, Scenario, Setting, System } from "./systems.ts";

/** One figure of one system in one round. */
export interface Figure {
  readonly question: string;
  readonly system: string;
  readonly round: number;
  readonly values: Readonly<Record<string, number>>;
}

/** How much of everything: `smoke` shows that it works, and nothing else. */
export interface Sizes {
  readonly idleTurns: number;
  readonly longTurns: number;
  readonly loadTurns: number;
  readonly inFlight: number;
  readonly killed: number;
}
export const fullSizes: Sizes = {
  idleTurns: 150,
  longTurns: 60,
  loadTurns: 1_000,
  inFlight: 1_000,
  killed: 100,
};
export const smokeSizes: Sizes = {
  idleTurns: 5,
  longTurns: 3,
  loadTurns: 20,
  inFlight: 10,
  killed: 5,
};

const turnLimitMs = 30_000;
/** Lets what a turn leaves behind happen outside of the next one, in ms. */
const pauseMs = 5;

/** One question to one system in one round; the far ends are the same for all. */
export interface Asked {
  readonly stubs: Stubs;
  readonly system: System;
  readonly sizes: Sizes;
}

export interface Question {
  readonly name: string;
  /** The systems that it is asked of. */
  readonly suits: (system: System) => boolean;
  ask(asked: Asked): Promise<Readonly<Record<string, number>>>;
}

let nextChat = 1_000_000;
/** Chats that nobody has written in: nothing is carried over from one question to the next. */
const freshChats = (count: number): readonly number[] => {
  const first = nextChat;
  nextChat += count;
  return Array.from({ length: count }, (_, index) => first + index);
};

/** Starts the system with a Redis of its own, warm, and ends both. */
async function withSystem<Result>(
  { stubs, system }: Asked,
  given: Partial<Pick<Setting, "scenario" | "history" | "chats" | "workers">>,
  use: (running: Running, setting: Setting, readyMs: number) => Promise<Result>,
): Promise<Result> {
  await using redis = await startTestRedis({ appendOnly: system.appendOnly });
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
  try {
    stubs.reset();
    const setting: Setting = {
      stubs,
      scenario: "plain",
      history: 0,
      chats: [],
      redisUrl: redis.url,
      folder,
      ...given,
    };
    const startedMs = performance.now();
    await using running = await system.start(setting);
    const readyMs = performance.now() - startedMs;
    return await use(running, setting, readyMs);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The share of sorted values below which `share` of them lie. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;

async function measured(
  { stubs }: Asked,
  { pids }: Running,
  order: {
    readonly chats: readonly number[];
    readonly turns: number;
    readonly concurrency: number;
    readonly pauseMs?: number;
  },
): Promise<Readonly<Record<string, number>>> {
  const before = usedBy(pids);
  const asked = await stubs.modelStats();
  const { latenciesMs, lost, wallMs } = await stubs.load({
    limitMs: turnLimitMs,
    pauseMs: 0,
    ...order,
  });
  // What stands behind the answer belongs to the turn too.
  await sleep(100);
  const after = usedBy(pids);
  const asking = await stubs.modelStats();
  const sorted = latenciesMs.toSorted((one, other) => one - other);
  const { length } = sorted;
  return {
    p50Ms: quantile(sorted, 0.5),
    p95Ms: quantile(sorted, 0.95),
    p99Ms: quantile(sorted, 0.99),
    perSecond: (length / wallMs) * 1_000,
    cpuMsPerTurn: (after.cpuMs - before.cpuMs) / length,
    rssMegabytes: after.rssMegabytes,
    requestKilobytes:
      (asking.requestBytes - asked.requestBytes) /
      Math.max(1, asking.requests - asked.requests) /
      1_024,
    modelCallsPerTurn: (asking.requests - asked.requests) / length,
    lost,
  };
}

const warm = (asked: Asked, chats: readonly number[], turns: number) =>
  asked.stubs.load({
    chats,
    turns,
    concurrency: 5,
    pauseMs: 0,
    limitMs: turnLimitMs,
  });

/** One after the other: what a turn costs when nobody else wants anything. */
function idle(scenario: Scenario, history: number): Question {
  return {
    name: `idle, ${scenario}, ${history} messages`,
    // Its history is no more than a prefix.
    suits: ({ name }) => history === 0 || name !== "floor + BullMQ",
    ask: (asked) => {
      const turns =
        history < 2_000 ? asked.sizes.idleTurns : asked.sizes.longTurns;
      const chats = freshChats(Math.min(20, turns));
      return withSystem(
        asked,
        { scenario, history, chats },
        async (running) => {
          await warm(asked, freshChats(20), Math.min(200, turns * 2));
          // The first question of a chat loads its past, in every system.
          await warm(asked, chats, chats.length);
          return await measured(asked, running, {
            chats,
            turns,
            concurrency: 1,
            pauseMs,
          });
        },
      );
    },
  };
}

/** Many at once: how many turns two cores bear, those of Redis and the far ends included. */
function throughput(concurrency: number): Question {
  return {
    name: `${concurrency} at once`,
    suits: () => true,
    ask: (asked) =>
      withSystem(asked, {}, async (running) => {
        const turns = asked.sizes.loadTurns;
        await warm(asked, freshChats(20), Math.min(200, turns));
        return await measured(asked, running, {
          chats: freshChats(Math.max(500, 2 * concurrency)),
          turns,
          concurrency,
        });
      }),
  };
}

/** Many turns that wait for a model of one second. */
const inFlight: Question = {
  name: "1,000 in flight, a model of 1 s",
  suits: () => true,
  ask: (asked) =>
    withSystem(asked, {}, async (running) => {
      const count = asked.sizes.inFlight;
      await warm(asked, freshChats(20), Math.min(200, count));
      await asked.stubs.modelDelay(1_000);
      try {
        const values = await measured(asked, running, {
          chats: freshChats(count),
          turns: count * 3,
          concurrency: count,
        });
        const lag = await eventLoopLag(running.metricsUrls.at(-1));
        const worker = running.pids.at(-1) ?? 0;
        return {
          ...values,
          lateP99Ms: (values["p99Ms"] ?? NaN) - 1_000,
          workerRssMegabytes: usedBy([worker]).rssMegabytes,
          ...(lag === undefined ? {} : { eventLoopLagP99Ms: lag }),
        };
      } finally {
        await asked.stubs.modelDelay(0);
      }
    }),
};

async function eventLoopLag(
  url: string | undefined,
): Promise<number | undefined> {
  if (url === undefined) return undefined;
  const text = await (await fetch(url)).text();
  const [, seconds] =
    /^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

/** From nothing to the first poll, and what it then holds. */
const start: Question = {
  name: "start",
  suits: () => true,
  ask: (asked) =>
    withSystem(asked, {}, async (running, _, readyMs) => {
      await sleep(1_000);
      const { rssMegabytes } = usedBy(running.pids);
      return {
        readyMs,
        rssMegabytes,
        rssMegabytesPerProcess: rssMegabytes / running.pids.length,
      };
    }),
};

/** For how long answers are waited for after a kill, in ms. */
const recoveryMs = { parley: 20_000, other: 8_000 };

/** SIGKILL with messages in flight, started again at once. */
const killed: Question = {
  name: "kill -9 in flight",
  suits: () => true,
  ask: (asked) =>
    withSystem(asked, {}, async (first, setting) => {
      const { stubs, system, sizes } = asked;
      await warm(asked, freshChats(5), 5);
      await stubs.modelDelay(1_000);
      try {
        const before = (await stubs.modelStats()).requests;
        const chats = freshChats(sizes.killed);
        await stubs.pour(chats);
        const untilMs = performance.now() + 5_000;
        const isAsked = async () =>
          (await stubs.modelStats()).requests - before >= sizes.killed;
        while (!(await isAsked()) && performance.now() < untilMs)
          await sleep(10);
        await first.kill();
        const killedAtMs = performance.timeOrigin + performance.now();
        await using second = await system.start(setting);
        await sleep(system.isParley ? recoveryMs.parley : recoveryMs.other);
        const { answers, lastAtMs } = await stubs.report();
        const { rssMegabytes } = usedBy(second.pids);
        const counts = new Map(answers);
        const lost = chats.filter((chat) => !counts.has(chat)).length;
        return {
          inFlight: chats.length,
          rssMegabytes,
          lost,
          doubled: answers.filter(([, count]) => count > 1).length,
          lastAfterMs: lost === chats.length ? NaN : lastAtMs - killedAtMs,
        };
      } finally {
        await stubs.modelDelay(0);
      }
    }),
};

/** One bots process and so many workers, each turn waiting a second for its model. */
function scaleOut(workers: number): Question {
  return {
    name: `${workers} workers, a model of 1 s`,
    suits: ({ name }) => name === "Parley",
    ask: (asked) =>
      withSystem(asked, { workers }, async (running) => {
        const concurrency = Math.min(asked.sizes.inFlight, 100 * workers);
        await warm(asked, freshChats(20), 20);
        await asked.stubs.modelDelay(1_000);
        try {
          return await measured(asked, running, {
            chats: freshChats(concurrency),
            turns: concurrency * 4,
            concurrency,
          });
        } finally {
          await asked.stubs.modelDelay(0);
        }
      }),
  };
}

export const questions: readonly Question[] = [
  start,
  ...(["plain", "tool"] as const).flatMap((scenario) =>
    [0, 200, 2_000].map((history) => idle(scenario, history)),
  ),
  throughput(50),
  throughput(500),
  inFlight,
  killed,
  ...[1, 2, 4, 8].map(scaleOut),
];
