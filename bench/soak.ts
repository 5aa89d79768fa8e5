/**
 * Whether anything grows that should not: `npm run bench:soak`. A `bots` process and a worker answer
 * turns with a tool call for two hours, at an even pace, in chats with a history; once a minute a line
 * shows what the processes and Redis hold. The last lines compare the quarters of the run.
 * Leaves nothing behind.
 *
 * `-- --minutes 480` instead of 120 · `--chats 200` · `--history 200` messages that each begins with.
 */
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { messageOf } from "../src/core/errors.ts";
import { freshChats, fullSizes, quantile, withSystem, type Scene } from "./support/measure.ts";
import { usedBy } from "./support/process-tree.ts";
import { startStubs } from "./support/stubs.ts";
import { systemsNamed } from "./systems.ts";

const people = 5;
/** Of each of them, between an answer and the next message. */
const pauseMs = 1_000;
const minuteMs = 60_000;
const answerLimitMs = 30_000;

type Minute = {
  readonly turns: number;
  readonly lost: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly botsMegabytes: number;
  readonly workerMegabytes: number;
  readonly botsFiles: number;
  readonly workerFiles: number;
  /** Those that never expire. */
  readonly lastingKeys: number;
  readonly expiringKeys: number;
  readonly redisMegabytes: number;
  readonly clients: number;
};

const openFiles = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

async function minuteOf(
  { stubs, running, redis }: Scene,
  chats: readonly number[],
): Promise<Minute> {
  const { latenciesMs, lost } = await stubs.load({
    chats,
    turns: (people * minuteMs) / pauseMs,
    concurrency: people,
    pauseMs,
    limitMs: answerLimitMs,
  });
  const sorted = latenciesMs.toSorted((one, other) => one - other);
  const [bots = 0, worker = 0] = running.pids;
  const info = await redis.client.info();
  const numberOf = (name: string): number =>
    Number(new RegExp(`${name}[:=](\\d+)`).exec(info)?.[1] ?? NaN);
  const expiringKeys = numberOf("expires");
  return {
    turns: sorted.length,
    lost,
    p50Ms: quantile(sorted, 0.5),
    p99Ms: quantile(sorted, 0.99),
    botsMegabytes: usedBy([bots]).rssMegabytes,
    workerMegabytes: usedBy([worker]).rssMegabytes,
    botsFiles: openFiles(bots),
    workerFiles: openFiles(worker),
    lastingKeys: numberOf("db0:keys") - expiringKeys,
    expiringKeys,
    redisMegabytes: numberOf("used_memory") / 2 ** 20,
    clients: numberOf("connected_clients"),
  };
}

const row = (first: string | number, minute: Readonly<Record<string, number>>): string =>
  `| ${[first, ...Object.values(minute).map((value) => Math.round(value * 10) / 10)].join(" | ")} |`;

/** What each column holds on average. Pure. */
function average(minutes: readonly Minute[]): Readonly<Record<string, number>> {
  const names = Object.keys(minutes[0] ?? {}) as (keyof Minute)[];
  return Object.fromEntries(
    names.map((name) => [
      name,
      minutes.reduce((sum, minute) => sum + minute[name], 0) / minutes.length,
    ]),
  );
}

function wholeNumber(name: string, given: string): number {
  const number = Number(given);
  if (!Number.isInteger(number) || number < 1)
    throw new TypeError(`--${name} is ${given}: expected a whole number from 1 on`);
  return number;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "120" },
      chats: { type: "string", default: "200" },
      history: { type: "string", default: "200" },
    },
  });
  const minutes = wholeNumber("minutes", values.minutes);
  const history = wholeNumber("history", values.history);
  const chats = freshChats(wholeNumber("chats", values.chats));
  const [system] = systemsNamed(["Parley"]);
  if (system === undefined) throw new TypeError("there is no system named Parley");
  await using stubs = await startStubs();
  const asked = { stubs, system, sizes: fullSizes };
  await withSystem(asked, { scenario: "tool", history, chats }, async (scene) => {
    const seen: Minute[] = [];
    while (seen.length < minutes) {
      const minute = await minuteOf(scene, chats);
      seen.push(minute);
      if (seen.length === 1) {
        const names = ["minute", ...Object.keys(minute)];
        console.log(`| ${names.join(" | ")} |\n|${names.map(() => " ---: |").join("")}`);
      }
      console.log(row(seen.length, minute));
      if (minute.lost > 0) process.exitCode = 1;
    }
    const quarter = Math.ceil(minutes / 4);
    for (let from = 0; from < minutes; from += quarter) {
      const part = seen.slice(from, from + quarter);
      console.log(row(`${from + 1}–${from + part.length} on average`, average(part)));
    }
  });
}

if (import.meta.main) {
  try {
    await main();
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 2;
  }
}
