import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { scaleQuestions } from "./scale-questions.ts";
import { durableFloor } from "./support/goals.ts";
import {
  freshChats,
  measured,
  ofRedis,
  warm,
  withModelDelay,
  withSystem,
  type Sizes,
} from "./support/measure.ts";
import { usedBy } from "./support/process-tree.ts";
import type { Question } from "./support/question.ts";
import type { Scenario } from "./systems.ts";

/** Lets what a turn leaves behind happen outside of the next one, in ms. */
const pauseMs = 5;

/** One after the other: what a turn costs when no one else wants anything. */
function idle(scenario: Scenario, history: number): Question {
  return {
    name: `idle, ${scenario}, ${history} messages`,
    base: durableFloor,
    plots: ["p50Ms"],
    columns: ["p50Ms", "p95Ms", "p99Ms", "cpuMsPerTurn", ...ofRedis, "requestKilobytes", "lost"],
    // Its history is no more than a prefix.
    suits: ({ name }) => history === 0 || name !== "floor + BullMQ",
    ask: (asked) => {
      const turns = history < 2_000 ? asked.sizes.idleTurns : asked.sizes.longTurns;
      const chats = freshChats(Math.min(20, turns));
      return withSystem(asked, { scenario, history, chats }, async (scene) => {
        // Until what is hot is compiled, in every system, and as much for every history.
        await warm(asked, freshChats(200), 5 * asked.sizes.idleTurns);
        // The first question of a chat loads its past, in every system.
        await warm(asked, chats, chats.length);
        return await measured(scene, {
          chats,
          turns,
          concurrency: 1,
          pauseMs,
        });
      });
    },
  };
}

/** Many at once: how many turns two cores bear, those of Redis and the far ends included. */
function throughput(concurrency: number): Question {
  return {
    name: `${concurrency} at once`,
    base: durableFloor,
    plots: ["perSecond", "cpuMsPerTurn"],
    columns: ["perSecond", "p50Ms", "p99Ms", "cpuMsPerTurn", ...ofRedis, "rssMegabytes", "lost"],
    suits: () => true,
    ask: (asked) =>
      withSystem(asked, {}, async (scene) => {
        const turns = asked.sizes.loadTurns;
        const many = Math.max(500, 2 * concurrency);
        // Compilers are at work for thousands of turns: what they cost is no part of one.
        await warm(asked, freshChats(many), 2 * turns, concurrency);
        return await measured(scene, {
          chats: freshChats(many),
          turns,
          concurrency,
        });
      }),
  };
}

/**
 * The same after so many turns that even code that few of them reach is compiled: for differences
 * of a few percent, such as what metrics and tracing cost.
 */
const compiled: Question = {
  ...throughput(50),
  name: "compiled, 50 at a time",
  plots: [],
  isOnRequest: true,
  ask: (asked) =>
    withSystem(asked, {}, async (scene) => {
      const { loadTurns } = asked.sizes;
      await warm(asked, freshChats(500), 8 * loadTurns, 50);
      return await measured(scene, {
        chats: freshChats(500),
        turns: 4 * loadTurns,
        concurrency: 50,
      });
    }),
};

/** Models that many wait for. */
const slowModels = {
  "1 s": { delayMs: () => 1_000, isRamped: false },
  "4 s": { delayMs: ({ middlingModelMs }) => middlingModelMs, isRamped: false },
  "10 s": { delayMs: ({ slowModelMs }) => slowModelMs, isRamped: true },
} as const satisfies Record<
  string,
  { readonly delayMs: (sizes: Sizes) => number; readonly isRamped: boolean }
>;

/**
 * Many turns that wait for a model. With one of one second a thousand are as many turns a second,
 * asked all at once: what two cores bear decides. With one of four, asked all at once too, all are
 * in flight together, and what they hold decides. With one of ten, asked for one after the other,
 * waiting does.
 */
const inFlight = (model: keyof typeof slowModels): Question => ({
  name: `1,000 in flight, a model of ${model}`,
  base: durableFloor,
  plots: ["lateP99Ms", "rssMegabytes"],
  columns: [
    "lateP99Ms",
    "perSecond",
    "cpuMsPerTurn",
    ...ofRedis,
    "rssMegabytes",
    "workerRssMegabytes",
    "eventLoopLagP99Ms",
    "lost",
  ],
  suits: ({ name, isDurable }) =>
    model === "1 s" || isDurable || name === "floor" || (model === "10 s" && name === "Chat SDK"),
  ask: (asked) =>
    withSystem(asked, {}, async (scene) => {
      const { running } = scene;
      const count = asked.sizes.inFlight;
      const { delayMs: delayOf, isRamped } = slowModels[model];
      const delayMs = delayOf(asked.sizes);
      await warm(asked, freshChats(200), Math.min(200, count));
      return await withModelDelay(asked, delayMs, async () => {
        // Read again from here on.
        await eventLoopLag(running.metricsUrls.at(-1));
        const values = await measured(scene, {
          chats: freshChats(count),
          turns: count * 3,
          concurrency: count,
          ...(isRamped ? { rampMs: delayMs } : {}),
        });
        const lag = await eventLoopLag(running.metricsUrls.at(-1));
        const worker = running.pids.at(-1) ?? 0;
        return {
          ...values,
          lateP99Ms: (values["p99Ms"] ?? NaN) - delayMs,
          workerRssMegabytes: usedBy([worker]).rssMegabytes,
          ...(lag === undefined ? {} : { eventLoopLagP99Ms: lag }),
        };
      });
    }),
});

async function eventLoopLag(url: string | undefined): Promise<number | undefined> {
  if (url === undefined) return undefined;
  const text = await (await fetch(url)).text();
  const [, seconds] = /^nodejs_eventloop_lag_p99_seconds (\S+)/m.exec(text) ?? [];
  return seconds === undefined ? undefined : Number(seconds) * 1_000;
}

/** From nothing to the first poll, and what it then holds. */
const start: Question = {
  name: "start",
  base: durableFloor,
  plots: ["readyMs", "rssMegabytes"],
  suits: () => true,
  ask: (asked) =>
    withSystem(asked, {}, async ({ running: first, setting, redis, ...scene }) => {
      const firstReadyMs = scene.readyMs;
      await first[Symbol.asyncDispose]();
      asked.stubs.reset();
      const startedMs = performance.now();
      await using running = await asked.system.start(setting);
      const readyMs = performance.now() - startedMs;
      const before = await redis.work();
      await sleep(1_000);
      const after = await redis.work();
      const { rssMegabytes } = usedBy(running.pids);
      return {
        readyMs,
        firstReadyMs,
        rssMegabytes,
        rssMegabytesPerProcess: rssMegabytes / running.pids.length,
        ...(asked.system.usesRedis
          ? {
              redisCpuMsPerSecond: after.cpuMs - before.cpuMs,
              redisCommandsPerSecond: after.commands - before.commands,
            }
          : {}),
      };
    }),
};

/** For how long answers are waited for after a kill, in ms. */
const recoveryMs = { durable: 20_000, other: 8_000 };

/** SIGKILL with messages in flight, started again at once. */
const killed: Question = {
  name: "kill -9 in flight",
  base: durableFloor,
  plots: ["lost", "lastAfterMs"],
  suits: () => true,
  ask: (asked) =>
    withSystem(asked, {}, async ({ running: first, setting }) => {
      const { stubs, system, sizes } = asked;
      await warm(asked, freshChats(5), 5);
      return await withModelDelay(asked, 1_000, async () => {
        const before = (await stubs.modelStats()).requests;
        const chats = freshChats(sizes.killed);
        await stubs.pour(chats);
        const untilMs = performance.now() + 5_000;
        const isAsked = async () => (await stubs.modelStats()).requests - before >= sizes.killed;
        while (!(await isAsked()) && performance.now() < untilMs) await sleep(10);
        await first.kill();
        const killedAtMs = performance.timeOrigin + performance.now();
        await using second = await system.start(setting);
        await sleep(system.isDurable ? recoveryMs.durable : recoveryMs.other);
        const { answers, lastAtMs } = await stubs.report();
        const { rssMegabytes } = usedBy(second.pids);
        const counts = new Map(answers);
        const lost = chats.filter((chat) => !counts.has(chat)).length;
        return {
          inFlight: chats.length,
          rssMegabytes,
          lost,
          doubled: answers.filter(([, count]) => count > 1).length,
          ...(lost === chats.length ? {} : { lastAfterMs: lastAtMs - killedAtMs }),
        };
      });
    }),
};

export const questions: readonly Question[] = [
  start,
  ...(["plain", "tool"] as const).flatMap((scenario) =>
    [0, 200, 2_000].map((history) => idle(scenario, history)),
  ),
  throughput(50),
  throughput(500),
  compiled,
  inFlight("1 s"),
  inFlight("4 s"),
  inFlight("10 s"),
  killed,
  ...scaleQuestions,
];
