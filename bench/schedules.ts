import { randomUUID } from "node:crypto";
/**
 * What schedules cost, and how late they are fired where all are due in the same second:
 * `npm run bench:schedules`, with `-- --schedules 2000` for another number than 100,000. Starts a
 * Redis of its own and leaves nothing behind.
 */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import pino from "pino";
import { Access } from "../src/access/access.ts";
import { chatKey, parseChatKey, type ChatKey } from "../src/core/chat.ts";
import { fireSchedules } from "../src/jobs/fire-schedules.ts";
import { createLimits } from "../src/limits/create-limits.ts";
import { startSweeper } from "../src/queue/sweeper.ts";
import { chatKeys } from "../src/store/keys.ts";
import { createConnectedBots } from "../src/store/operations/connected-bots.ts";
import { createPeopleStore } from "../src/store/people/people.ts";
import { openStore } from "../src/store/redis/redis.ts";
import { createSchedules } from "../src/store/turns/schedules.ts";
import { jitterMs, maxAtOnce, maxJitterMs } from "../src/text/next-run.ts";
import { scheduleIdOf } from "../src/text/new-schedule.ts";
import { startTestRedis } from "../test/support/redis/start-test-redis.ts";
import { inEveryChat } from "./support/in-every-chat.ts";
import { usedBytes } from "./idle-chats/measure.ts";

const defaultSchedules = 100_000;
const maxSchedules = 1_000_000;
/** The first slot is so long after the last schedule was made. Milliseconds. */
const leadMs = 5_000;
const lengthOf = (index: number): number => text.length - (index % 64);
const text = "Tell me what has changed since yesterday in the open issues of our repository.";
/** Commands that Redis carries out, by their own reply. */
const monotonic = (): number => performance.now();
const commandsOf = (info: string): number =>
  Number(/^total_commands_processed:(\d+)/m.exec(info)?.[1]);

export interface SchedulesReport {
  readonly schedules: number;
  /**
   * Of all memory that Redis uses more than before, without the text: in the two days in which a
   * schedule that was made can't be made again by a repetition, and then.
   */
  readonly newBytesEach: number;
  readonly bytesEach: number;
  /** A second of a sweeper while none is due, in commands. */
  readonly idleCommands: number;
  /** By how much they were appended after their own, spread slot. Milliseconds. */
  readonly lateMs: Percentiles;
  /** A message of another chat is appended in so many milliseconds: while none is due, and then. */
  readonly appendMs: { readonly idle: Percentiles; readonly firing: Percentiles };
}

interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}

const percentiles = (all: readonly number[]): Percentiles => {
  const sorted = all.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(all.length - 1, Math.floor(all.length * share))];
  return { p50: at(0.5) ?? 0, p99: at(0.99) ?? 0, most: at(1) ?? 0 };
};

/** Appends messages of people in other chats, in a process of its own like the bots'. */
async function measureAppends(redisUrl: string, forMs: number): Promise<readonly number[]> {
  const script = fileURLToPath(new URL("support/append-messages.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script], {
    env: { ...process.env, REDIS_URL: redisUrl, FOR_MS: String(forMs) },
  });
  return JSON.parse(stdout) as readonly number[];
}

/** So long the messages of other chats are measured while no schedule is due. Milliseconds. */
const idleMs = 10_000;

const personOf = (index: number): string => String(5_000_000_000 + index);
const chatOf = (index: number): ChatKey =>
  chatKey({ platform: "telegram", bot: "7700000001", chat: personOf(index) });

export async function benchSchedules({
  schedules: count,
  say,
}: {
  readonly schedules: number;
  readonly say: (line: string) => void;
}): Promise<SchedulesReport> {
  await using server = await startTestRedis();
  const store = openStore(server.url, (error) => say(error.message));
  const log = pino({ level: "error" }, pino.destination(2));
  await store.clock.read();
  const people = createPeopleStore(store);
  const now = () => store.clock.now();
  const access = new Access(people, { mode: "open", admins: [], allow: [], ban: [] }, monotonic);
  const limits = createLimits({
    store,
    file: [],
    access,
    people,
    log,
    now,
    monotonic,
    roleOf: ({ person }) => access.roleOf(person),
    connectedBots: createConnectedBots(store),
    post: () => Promise.resolve(),
  });
  const schedules = createSchedules(store, {
    retentionMs: 90 * 86_400_000,
    report: (what) => say(what),
  });
  const ids = new Map<ChatKey, string>();
  const save = async (index: number, change: { revision: number; nextMs: number }) => {
    const number = personOf(index);
    const chat = chatOf(index);
    const id = ids.get(chat) ?? scheduleIdOf(randomUUID());
    ids.set(chat, id);
    const saved = await schedules.save(chat, {
      v: 1,
      id,
      // Of different lengths: the allocator rounds up.
      task: { type: "ask", text: text.slice(0, lengthOf(index)) },
      timing: { type: "cron", rule: "0 9 * * 1-5" },
      zone: "Europe/Berlin",
      by: { id: `telegram:${number}`, name: "Somebody", language: "en" },
      address: parseChatKey(chat),
      direct: true,
      late: "once",
      graceMs: 10_800_000,
      failures: 0,
      outcomes: [1, 2, 3, 4, 5].map((day) => ({
        slotMs: 1_790_000_000_000 + day * 86_400_000,
        outcome: "asked",
      })),
      ...change,
    });
    if (saved !== "saved") throw new Error(`${chat}: ${saved}`);
  };
  try {
    const before = await usedBytes(store);
    const fillFromMs = now();
    const farMs = now() + 30 * 86_400_000;
    await inEveryChat({ chats: count, say }, (index) =>
      save(index, { revision: 0, nextMs: farMs }),
    );
    const fillMs = now() - fillFromMs;
    const newBytes = (await usedBytes(store)) - before;
    // As after two days: by then what remembers their making has expired.
    await inEveryChat({ chats: count, say }, async (index) => {
      await store.redis.unlink(chatKeys(chatOf(index)).seen);
    });
    const bytesEach = (await usedBytes(store)) - before;
    const textBytes = Array.from({ length: count }, (_, index) => lengthOf(index)).reduce(
      (sum, length) => sum + length,
      0,
    );
    const waker = { wake: () => Promise.resolve() };
    const deps = { store, access, limits, schedules, log, now, waker };
    await using _ = startSweeper({
      store,
      log,
      waker: { wakeAgain: () => Promise.resolve() },
      expire: () => Promise.resolve(),
      onForgotten: () => Promise.resolve(),
      fire: (due) => fireSchedules(deps, due),
      index: () => Promise.resolve([]),
      embed: () => Promise.resolve(),
    });
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const idleFrom = commandsOf(await store.redis.info("stats"));
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const idleCommands = (commandsOf(await store.redis.info("stats")) - idleFrom) / 2;
    const idle = await measureAppends(server.url, idleMs);
    // All of them in one second, and far enough away to be written before.
    const slotMs = Math.ceil((now() + leadMs + 2 * fillMs) / 1_000) * 1_000;
    await inEveryChat({ chats: count, say }, (index) =>
      save(index, { revision: 1, nextMs: slotMs }),
    );
    await new Promise((resolve) => setTimeout(resolve, slotMs - now()));
    const firing = await measureAppends(server.url, maxJitterMs);
    const endMs = slotMs + 2 * maxJitterMs;
    const missing = new Map(ids);
    const late: number[] = [];
    while (missing.size > 0 && now() < endMs) {
      // Seldom: it works in the process that is measured.
      await new Promise((resolve) => setTimeout(resolve, maxJitterMs / 4));
      const all = [...missing];
      for (let from = 0; from < all.length; from += 5_000)
        await Promise.all(
          all.slice(from, from + 5_000).map(async ([chat, id]) => {
            const json = await store.redis.lindex(chatKeys(chat).inbox, 0);
            if (json === null) return;
            missing.delete(chat);
            const { atMs } = JSON.parse(json) as { atMs: number };
            const spread = count > maxAtOnce ? jitterMs(`${chat}/${id}`) : 0;
            late.push(atMs - slotMs - spread);
          }),
        );
    }
    if (missing.size > 0) throw new Error(`${missing.size} were not fired`);
    return {
      schedules: count,
      newBytesEach: (newBytes - textBytes) / count,
      bytesEach: (bytesEach - textBytes) / count,
      idleCommands,
      lateMs: percentiles(late),
      appendMs: { idle: percentiles(idle), firing: percentiles(firing) },
    };
  } finally {
    store.redis.disconnect();
  }
}

/** The report for people. */
export const describeReport = ({
  schedules,
  newBytesEach,
  bytesEach,
  idleCommands,
  lateMs: { p50, p99, most },
  appendMs: { idle, firing },
}: SchedulesReport): string =>
  [
    `${schedules} schedules, one in each chat, all due in the same second`,
    `memory: ${bytesEach.toFixed(0)} bytes each besides the text, ${newBytesEach.toFixed(0)} in its first two days`,
    `a sweeper's second while none is due: ${idleCommands.toFixed(0)} commands`,
    `appended after their spread slot: p50 ${p50} ms, p99 ${p99} ms, most ${most} ms`,
    `a message of another chat is appended in p50 ${idle.p50.toFixed(1)}, p99 ${idle.p99.toFixed(1)} ms while none is due, and in p50 ${firing.p50.toFixed(1)}, p99 ${firing.p99.toFixed(1)} ms (×${(firing.p99 / idle.p99).toFixed(2)}) while all are fired`,
  ].join("\n");

const say = (line: string): void => console.error(line);

if (import.meta.main) {
  const { values } = parseArgs({
    options: { schedules: { type: "string", default: String(defaultSchedules) } },
  });
  const schedules = Number(values.schedules);
  if (!Number.isInteger(schedules) || schedules < 1 || schedules > maxSchedules) {
    console.error(
      `--schedules is ${values.schedules}: expected a whole number from 1 to ${maxSchedules}`,
    );
    process.exitCode = 2;
  } else {
    console.log(describeReport(await benchSchedules({ schedules, say })));
  }
}
