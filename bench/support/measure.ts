import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { startTestRedis } from "../../test/support/redis/start-test-redis.ts";
import type { Running, Setting, System } from "../systems.ts";
import { machineBusyMs, usedBy } from "./process-tree.ts";
import { redisPerTurn, RedisWatch, type RedisWork } from "./redis-work.ts";
import type { Stubs } from "./stubs.ts";

/** How much of everything: `smoke` shows that it works, and nothing else. */
export interface Sizes {
  readonly idleTurns: number;
  readonly longTurns: number;
  readonly loadTurns: number;
  readonly inFlight: number;
  /** How long models take that thousands wait for. */
  readonly middlingModelMs: number;
  readonly slowModelMs: number;
  readonly killed: number;
}
export const fullSizes: Sizes = {
  idleTurns: 150,
  longTurns: 60,
  loadTurns: 2_000,
  inFlight: 1_000,
  middlingModelMs: 4_000,
  slowModelMs: 10_000,
  killed: 100,
};
export const smokeSizes: Sizes = {
  idleTurns: 5,
  longTurns: 3,
  loadTurns: 20,
  inFlight: 10,
  middlingModelMs: 100,
  slowModelMs: 200,
  killed: 5,
};

/** One question to one system in one round; the far ends are the same for all. */
export interface Asked {
  readonly stubs: Stubs;
  readonly system: System;
  readonly sizes: Sizes;
}

/** A system that runs, with a Redis of its own. */
export interface Scene extends Asked {
  readonly running: Running;
  readonly setting: Setting;
  readonly redis: RedisWatch;
  /** From its start to its first poll. */
  readonly readyMs: number;
}

/** Numbers by name, each name with its unit; what is not known is left out. */
export type Values = Readonly<Record<string, number>>;

/** The figures of systems that use Redis. */
export const ofRedis = ["redisCpuMsPerTurn", "redisCommandsPerTurn", "redisReadsPerTurn"] as const;

const turnLimitMs = 30_000;

let nextChat = 1_000_000;
/** Chats that no one has written in: nothing is carried over from one question to the next. */
export const freshChats = (count: number): readonly number[] => {
  const first = nextChat;
  nextChat += count;
  return Array.from({ length: count }, (_, index) => first + index);
};

/** Starts the system with a Redis of its own, and ends both. */
export async function withSystem<Result>(
  asked: Asked,
  given: Partial<Pick<Setting, "scenario" | "history" | "chats" | "workers">>,
  use: (scene: Scene) => Promise<Result>,
): Promise<Result> {
  const { stubs, system } = asked;
  await using server = await startTestRedis({ appendOnly: system.appendOnly });
  await using redis = new RedisWatch(server.url);
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
  try {
    stubs.reset();
    const setting: Setting = {
      stubs,
      scenario: "plain",
      history: 0,
      chats: [],
      redisUrl: server.url,
      folder,
      ...given,
    };
    const startedMs = performance.now();
    await using running = await system.start(setting);
    const readyMs = performance.now() - startedMs;
    return await use({ ...asked, running, setting, redis, readyMs });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The value below which `share` of the sorted values lie. */
export const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;

interface Look {
  readonly atMs: number;
  readonly busyMs: number;
  readonly oursMs: number;
  readonly redis: RedisWork;
}

/**
 * How many cores someone else has used meanwhile, on average: what makes a figure worth less. Pure.
 */
export function coresElsewhere(before: Look, after: Look): number {
  const oursMs = after.oursMs - before.oursMs + after.redis.cpuMs - before.redis.cpuMs;
  const elsewhereMs = after.busyMs - before.busyMs - oursMs;
  return Math.max(0, elsewhereMs / (after.atMs - before.atMs));
}

/** @throws Error where nothing was answered: there is nothing to say of no turn at all */
export async function measured(
  { stubs, system, running: { pids }, redis }: Scene,
  order: {
    readonly chats: readonly number[];
    readonly turns: number;
    readonly concurrency: number;
    readonly pauseMs?: number;
    /**
     * Given: the pace is that of the time when everybody is there, and not of the beginning and the
     * end.
     */
    readonly rampMs?: number;
  },
): Promise<Values> {
  const looked = async () => ({
    atMs: performance.now(),
    busyMs: machineBusyMs(),
    // The system and the far ends are children of this process; Redis is not.
    oursMs: usedBy([process.pid]).cpuMs,
    used: usedBy(pids),
    redis: await redis.work(),
    model: await stubs.modelStats(),
  });
  const before = await looked();
  const { latenciesMs, lost, wallMs, steady } = await stubs.load({
    limitMs: turnLimitMs,
    pauseMs: 0,
    ...order,
  });
  // What stands behind the answer belongs to the turn too.
  await sleep(100);
  const after = await looked();
  const sorted = latenciesMs.toSorted((one, other) => one - other);
  const { length } = sorted;
  if (length === 0) throw new Error(`none of ${lost} turns was answered`);
  const modelCalls = after.model.requests - before.model.requests;
  return {
    turns: length,
    p50Ms: quantile(sorted, 0.5),
    p95Ms: quantile(sorted, 0.95),
    p99Ms: quantile(sorted, 0.99),
    perSecond:
      order.rampMs === undefined || steady.ms === 0
        ? (length / wallMs) * 1_000
        : (steady.answers / steady.ms) * 1_000,
    cpuMsPerTurn: (after.used.cpuMs - before.used.cpuMs) / length,
    ...(system.usesRedis ? redisPerTurn(before.redis, after.redis, length) : {}),
    rssMegabytes: after.used.rssMegabytes,
    requestKilobytes:
      (after.model.requestBytes - before.model.requestBytes) / Math.max(1, modelCalls) / 1_024,
    modelCallsPerTurn: modelCalls / length,
    coresElsewhere: coresElsewhere(before, after),
    lost,
  };
}

export const warm = ({ stubs }: Asked, chats: readonly number[], turns: number, concurrency = 5) =>
  stubs.load({
    chats,
    turns,
    concurrency,
    pauseMs: 0,
    limitMs: turnLimitMs,
  });

/** While `use` runs, every answer of the model waits. */
export async function withModelDelay<Result>(
  { stubs }: Asked,
  delayMs: number,
  use: () => Promise<Result>,
): Promise<Result> {
  await stubs.modelDelay(delayMs);
  try {
    return await use();
  } finally {
    await stubs.modelDelay(0);
  }
}
