import { setTimeout as sleep } from "node:timers/promises";
import type { Answer, Question } from "./support/question.ts";
import {
  freshChats,
  measured,
  ofRedis,
  warm,
  withModelDelay,
  withSystem,
  type Scene,
  type Values,
} from "./support/measure.ts";
import { usedBy } from "./support/process-tree.ts";
import { cpuBySlot, slotKinds, slotNames, watchSlots, without } from "./support/slot-work.ts";

export const scaleOutName = "scale-out, a model of 1 s";
export const slotsName = "Redis by slot";
/**
 * How long the model takes, and how many people write at once for each worker: a worker's share is
 * 100 turns a second.
 */
export const scaleModelMs = 1_000;
const peoplePerWorker = 100;

export const rowOf = (workers: number): string =>
  `${workers} ${workers === 1 ? "worker" : "workers"}`;

/**
 * The CPU that bots, workers and far ends use beside one another, and how evenly workers share
 * their work.
 */
async function byProcess(
  { running: { pids }, stubs }: Scene,
  use: () => Promise<Values>,
): Promise<Values> {
  const [bots = 0, ...workers] = pids;
  const looked = () => ({
    bots: usedBy([bots]).cpuMs,
    workers: workers.map((pid) => usedBy([pid]).cpuMs),
    farEnds: usedBy(stubs.pids).cpuMs,
  });
  const before = looked();
  const values = await use();
  const after = looked();
  const each = after.workers.map((cpuMs, index) => cpuMs - (before.workers[index] ?? 0));
  const all = each.reduce((sum, cpuMs) => sum + cpuMs, 0);
  const { turns = NaN } = values;
  return {
    ...values,
    botsCpuMsPerTurn: (after.bots - before.bots) / turns,
    workerCpuMsPerTurn: all / turns,
    farEndsCpuMsPerTurn: (after.farEnds - before.farEnds) / turns,
    ...(all > 0 ? { busiestWorker: (Math.max(...each) * each.length) / all } : {}),
  };
}

/** One bots process and so many workers; people who write at once grow with the workers. */
function scaleOut(workers: number): Question {
  return {
    name: scaleOutName,
    row: rowOf(workers),
    base: rowOf(1),
    plots: ["perSecond", "cpuMsPerTurn"],
    columns: [
      "perSecond",
      "p50Ms",
      "p95Ms",
      "botsCpuMsPerTurn",
      "workerCpuMsPerTurn",
      ...ofRedis,
      "rssMegabytes",
      "busiestWorker",
      "lost",
    ],
    suits: ({ name }) => name === "Parley",
    ask: (asked) =>
      withSystem(asked, { workers }, async (scene) => {
        const people = Math.min(asked.sizes.inFlight, peoplePerWorker * workers);
        // Enough for every worker to have loaded and compiled what a turn needs.
        await warm(asked, freshChats(20 * workers), Math.min(200, asked.sizes.loadTurns) * workers);
        return await withModelDelay(asked, scaleModelMs, async () => ({
          workers,
          lanes: people,
          ...(await byProcess(scene, () =>
            measured(scene, {
              chats: freshChats(people),
              turns: people * 5,
              concurrency: people,
              rampMs: scaleModelMs,
            }),
          )),
        }));
      }),
  };
}

/** How long is looked at what Redis does when no one writes. */
const quietMs = 2_000;
export const allSlots = "all";

/** What Redis does by itself in `quietMs`: sweeps, mostly. */
async function inQuiet({ redis }: Scene) {
  const before = await redis.work();
  await sleep(quietMs);
  const cpuMs = (await redis.work()).cpuMs - before.cpuMs;
  const watch = await watchSlots(redis);
  await sleep(quietMs);
  return { cpuMs, work: await watch.end() };
}

/**
 * Which slots a turn's share of Redis lies in, without what goes on when no one writes. Measured
 * without a watch for the whole, and with one for the shares.
 */
async function bySlot(scene: Scene): Promise<Answer> {
  const people = Math.min(scene.sizes.inFlight, peoplePerWorker);
  const order = {
    chats: freshChats(people),
    turns: people * 5,
    concurrency: people,
    rampMs: scaleModelMs,
  };
  const quiet = await inQuiet(scene);
  /** How many times as long as `quietMs` so many turns took. */
  const timesOf = ({ turns = NaN, perSecond = NaN }: Values): number =>
    ((turns / perSecond) * 1_000) / quietMs;
  const whole = await measured(scene, order);
  const { turns: wholeTurns = NaN, redisCpuMsPerTurn = NaN } = whole;
  const cpuMsPerTurn = Math.max(0, redisCpuMsPerTurn - (quiet.cpuMs * timesOf(whole)) / wholeTurns);
  const watch = await watchSlots(scene.redis);
  const watched = await measured(scene, order);
  const work = without(await watch.end(), quiet.work, timesOf(watched));
  const { turns = NaN } = watched;
  const shares = cpuBySlot(work, cpuMsPerTurn * turns);
  const rows = slotKinds.map((kind): readonly [string, Values] => [
    slotNames[kind],
    {
      redisCpuMsPerTurn: (shares.get(kind) ?? NaN) / turns,
      sentPerTurn: (work.get(kind)?.commands ?? NaN) / turns,
    },
  ]);
  const sum = (of: string): number =>
    rows.reduce((all, [, values]) => all + (values[of] ?? NaN), 0);
  return new Map([
    ...rows,
    [
      allSlots,
      {
        redisCpuMsPerTurn: sum("redisCpuMsPerTurn"),
        sentPerTurn: sum("sentPerTurn"),
      },
    ],
    [
      "beside, per second",
      {
        redisCpuMsPerTurn: (quiet.cpuMs * 1_000) / quietMs,
        sentPerTurn:
          ([...quiet.work.values()].reduce((all, { commands }) => all + commands, 0) * 1_000) /
          quietMs,
      },
    ],
  ]);
}

const slots: Question = {
  name: slotsName,
  base: "",
  plots: ["redisCpuMsPerTurn"],
  suits: ({ name }) => name === "Parley",
  ask: (asked) =>
    withSystem(asked, {}, async (scene) => {
      await warm(asked, freshChats(20), Math.min(200, asked.sizes.loadTurns));
      return await withModelDelay(asked, scaleModelMs, () => bySlot(scene));
    }),
};

export const scaleQuestions: readonly Question[] = [...[1, 2, 4, 8].map(scaleOut), slots];
