/**
 * What schedules cost, and how late they are fired where all are due in the same second:
 * `npm run bench:schedules`, with `-- --schedules 2000` for another number than 100,000 and
 * `--rounds 3` to have them due so often, 0 to measure memory only. Starts a Redis of its own and
 * leaves nothing behind.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { chatKey, parseChatKey, type ChatKey } from "../src/core/chat.ts";
import { chatKeys } from "../src/store/keys.ts";
import { createPeopleStore } from "../src/store/people/people.ts";
import { openStore, type Store } from "../src/store/redis/redis.ts";
import { createInbox } from "../src/store/turns/inbox.ts";
import { createSchedules } from "../src/store/turns/schedules.ts";
import { jitterMs, maxAtOnce, maxJitterMs } from "../src/text/next-run.ts";
import { scheduleIdOf } from "../src/text/new-schedule.ts";
import { startTestRedis } from "../test/support/redis/start-test-redis.ts";
import { usedBytes } from "./idle-chats/measure.ts";
import { inEveryChat } from "./support/in-every-chat.ts";

const defaultSchedules = 100_000;
const maxSchedules = 1_000_000;
/** The first slot is so long after the last schedule was made. Milliseconds. */
const leadMs = 5_000;
const text = "Tell me what has changed since yesterday in the open issues of our repository.";
/** Of different lengths: the allocator rounds up. */
const textOf = (index: number): string => text.slice(0, text.length - (index % 64));
/**
 * So long the messages of other chats are measured before and after all are fired: together as long
 * as while they are. Milliseconds.
 */
const idleMs = maxJitterMs / 2;

/** The chat and the person of a schedule, by its number. */
const places: Readonly<
  Record<string, (index: number) => { readonly chat: ChatKey; readonly person: string }>
> = {
  "a private chat of Telegram": (index) => {
    const id = String(5_000_000_000 + index);
    return {
      chat: chatKey({ platform: "telegram", bot: "7700000001", chat: id }),
      person: `telegram:${id}`,
    };
  },
  "a group of Telegram": (index) => ({
    chat: chatKey({
      platform: "telegram",
      bot: "7700000001",
      chat: `-${1_000_000_000_000 + index}`,
    }),
    person: `telegram:${6_000_000_000 + index}`,
  }),
  "a channel of Discord": (index) => ({
    chat: chatKey({
      platform: "discord",
      bot: "1111111111111111111",
      chat: String(1_222_222_222_222_000_000n + BigInt(index)),
    }),
    person: `discord:${1_333_333_333_333_000_000n + BigInt(index)}`,
  }),
};
const [fired = "", ...others] = Object.keys(places);

interface Percentiles {
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}

/** All of them due once. Milliseconds. */
interface Round {
  /** By how much they were appended after their own, spread slot. */
  readonly lateMs: Percentiles;
  /**
   * A message of another chat is appended in so many milliseconds: while none is due, half of the
   * time before and half of it after, and while all are fired.
   */
  readonly idle: Percentiles;
  readonly firing: Percentiles;
}

const percentiles = (all: readonly number[]): Percentiles => {
  const sorted = all.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(all.length - 1, Math.floor(all.length * share))];
  return { p50: at(0.5) ?? 0, p99: at(0.99) ?? 0, most: at(1) ?? 0 };
};

const appending = fileURLToPath(new URL("support/append-messages.ts", import.meta.url));
const sweeping = fileURLToPath(new URL("support/fire-schedules.ts", import.meta.url));

/** Appends messages of people in other chats, in a process of its own like the bots'. */
async function measureAppends(redisUrl: string, forMs: number): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [appending], {
    env: { ...process.env, REDIS_URL: redisUrl, FOR_MS: String(forMs) },
  });
  return JSON.parse(stdout) as readonly number[];
}

/** Fires what is due, in a process of its own. */
function startFiring(redisUrl: string): AsyncDisposable {
  const child = spawn(process.execPath, [sweeping], {
    env: { ...process.env, REDIS_URL: redisUrl },
    stdio: "inherit",
  });
  const ended = once(child, "exit");
  return {
    async [Symbol.asyncDispose]() {
      child.kill();
      await ended;
    },
  };
}

const retentionMs = 90 * 86_400_000;

function createFixture(store: Store, say: (line: string) => void) {
  const schedules = createSchedules(store, { retentionMs, report: (what) => say(what) });
  const inbox = createInbox(store, { whileBusy: "followup" });
  const people = createPeopleStore(store);
  return {
    /** The message that asks for it, answered, and the zone that its person is asked for once. */
    async prepare(place: string, index: number): Promise<void> {
      const { chat, person } = placeOf(place, index);
      const keys = chatKeys(chat);
      await people.setPreference(person, { zone: "Europe/Berlin" });
      await inbox.append(chat, {
        kind: "message",
        v: 1,
        id: "m1",
        person: { id: person, name: "Ann Example" },
        text: "hi",
        atMs: store.clock.now(),
      });
      // As its answer leaves the chat.
      await store.redis
        .multi()
        .rename(keys.inbox, keys.log)
        .hset(keys.state, { revision: 1 })
        .zrem(keys.wake, `in:${chat}`)
        .exec();
    },
    async save(place: string, index: number, change: { revision: number; nextMs: number }) {
      const { chat, person } = placeOf(place, index);
      const saved = await schedules.save(chat, {
        id: scheduleIdOf(chat),
        task: { type: "ask", text: textOf(index) },
        timing: { type: "cron", rule: "0 9 * * 1-5" },
        zone: "Europe/Berlin",
        by: { id: person, name: "Ann Example", language: "en" },
        address: parseChatKey(chat),
        direct: place === fired,
        late: "once",
        failures: 0,
        outcomes: [1, 2, 3, 4, 5].map((day) => ({
          slotMs: 1_790_000_000_000 + day * 86_400_000,
          outcome: "asked",
        })),
        ...change,
      });
      if (saved !== "saved") throw new Error(`${chat}: ${saved}`);
    },
    /** As after two days: by then what remembers their making has expired. */
    async age(place: string, index: number): Promise<void> {
      const { chat } = placeOf(place, index);
      await store.redis.zrem(chatKeys(chat).seen, `made:${scheduleIdOf(chat)}`);
    },
  };
}

function placeOf(place: string, index: number) {
  const found = places[place];
  if (found === undefined) throw new Error(place);
  return found(index);
}

type Fixture = ReturnType<typeof createFixture>;
interface Bench {
  readonly store: Store;
  readonly url: string;
  readonly fixture: Fixture;
  readonly count: number;
  readonly say: (line: string) => void;
}

/** Of an entry of the table of keys, with its value's head. */
const entryBytes = 40;
/**
 * Without the places in the tables of all keys, which double at powers of two: 8 to 16 bytes for each
 * key.
 */
async function usedBytesOf(store: Store): Promise<number> {
  const { redis } = store;
  const stats = ((await redis.call("MEMORY", "STATS")) as unknown[]).find(Array.isArray);
  const overheads = (stats ?? []).filter((each) => typeof each === "number");
  const [tables, keys] = [overheads.reduce((sum, each) => sum + each, 0), await redis.dbsize()];
  return (await usedBytes(store)) - tables + entryBytes * keys;
}

/** Makes one in each of some chats, and says what that takes besides the text. */
async function fill({ store, fixture, say }: Bench, place: string, chats: number): Promise<string> {
  const each = (act: (index: number) => Promise<void>) => inEveryChat({ chats, say }, act);
  await each((index) => fixture.prepare(place, index));
  const before = await usedBytesOf(store);
  const nextMs = store.clock.now() + 30 * 86_400_000;
  await each((index) => fixture.save(place, index, { revision: 0, nextMs }));
  const textBytes = Array.from({ length: chats }, (_, index) => textOf(index).length).reduce(
    (sum, length) => sum + length,
    0,
  );
  const perSchedule = async () =>
    (((await usedBytesOf(store)) - before - textBytes) / chats).toFixed(0);
  const young = await perSchedule();
  await each((index) => fixture.age(place, index));
  return `memory in ${place}: ${await perSchedule()} bytes each besides the text, ${young} in its first two days`;
}

/** Commands that Redis carries out in a second. */
async function commandsPerSecond({ redis }: Store): Promise<number> {
  const total = async () =>
    Number(/^total_commands_processed:(\d+)/m.exec(await redis.info("stats"))?.[1]);
  await sleep(3_000);
  const from = await total();
  await sleep(2_000);
  return ((await total()) - from) / 2;
}

async function fireAll(bench: Bench, { fillMs, revision }: { fillMs: number; revision: number }) {
  const { store, url, fixture, count, say } = bench;
  const now = () => store.clock.now();
  const before = await measureAppends(url, idleMs);
  // All of them in one second, and far enough away to be written before.
  const slotMs = Math.ceil((now() + leadMs + 2 * fillMs) / 1_000) * 1_000;
  await inEveryChat({ chats: count, say }, (index) =>
    fixture.save(fired, index, { revision, nextMs: slotMs }),
  );
  await sleep(slotMs - now());
  const firing = await measureAppends(url, maxJitterMs);
  const late = await lateIn(bench, slotMs);
  const after = await measureAppends(url, idleMs);
  await inEveryChat({ chats: count, say }, async (index) => {
    await store.redis.unlink(chatKeys(placeOf(fired, index).chat).inbox);
  });
  return {
    lateMs: percentiles(late),
    idle: percentiles([...before, ...after]),
    firing: percentiles(firing),
  };
}

/** When all have been fired, how late each was appended. @throws if they aren't in time */
async function lateIn(
  { store: { redis, clock }, count }: Bench,
  slotMs: number,
): Promise<readonly number[]> {
  let missing = Array.from({ length: count }, (_, index) => placeOf(fired, index).chat);
  const late: number[] = [];
  while (clock.now() < slotMs + 2 * maxJitterMs) {
    const still: ChatKey[] = [];
    for (let from = 0; from < missing.length; from += 1_000)
      await Promise.all(
        missing.slice(from, from + 1_000).map(async (chat) => {
          const json = await redis.lindex(chatKeys(chat).inbox, 0);
          if (json === null) {
            still.push(chat);
            return;
          }
          const { atMs } = JSON.parse(json) as { atMs: number };
          const spread = count > maxAtOnce ? jitterMs(`${chat}/${scheduleIdOf(chat)}`) : 0;
          late.push(atMs - slotMs - spread);
        }),
      );
    missing = still;
    if (missing.length === 0) return late;
    await sleep(1_000);
  }
  throw new Error(`${missing.length} were not fired`);
}

export async function benchSchedules({
  schedules: count,
  rounds,
  say,
}: {
  readonly schedules: number;
  readonly rounds: number;
  readonly say: (line: string) => void;
}): Promise<readonly string[]> {
  await using server = await startTestRedis();
  const store = openStore(server.url, (error) => say(error.message));
  try {
    await store.clock.read();
    const bench = { store, url: server.url, fixture: createFixture(store, say), count, say };
    const lines = [`${count} schedules, one in each chat, all due in the same second`];
    const fillFromMs = performance.now();
    lines.push(await fill(bench, fired, count));
    const fillMs = performance.now() - fillFromMs;
    // After these, since Redis packs small wake indexes.
    for (const place of others) lines.push(await fill(bench, place, Math.ceil(count / 10)));
    await using _ = startFiring(server.url);
    const commands = await commandsPerSecond(store);
    lines.push(`a sweeper's second while none is due: ${commands.toFixed(0)} commands`);
    for (let round = 0; round < rounds; round += 1) {
      // Made and fired, each time with the next revision.
      const found = await fireAll(bench, { fillMs, revision: 2 * round + 1 });
      say(describeRound(found));
      lines.push(describeRound(found));
    }
    return lines;
  } finally {
    store.redis.disconnect();
  }
}

const describeRound = ({ lateMs: { p50, p99, most }, idle, firing }: Round): string =>
  [
    `appended after their spread slot: p50 ${p50} ms, p99 ${p99} ms, most ${most} ms`,
    `a message of another chat is appended in p50 ${idle.p50.toFixed(2)}, p99 ${idle.p99.toFixed(2)} ms while none is due, and in p50 ${firing.p50.toFixed(2)}, p99 ${firing.p99.toFixed(2)} ms (×${(firing.p99 / idle.p99).toFixed(2)}) while all are fired`,
  ].join("\n");

const say = (line: string): void => console.error(line);

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      schedules: { type: "string", default: String(defaultSchedules) },
      rounds: { type: "string", default: "1" },
    },
  });
  const schedules = Number(values.schedules);
  const rounds = Number(values.rounds);
  const isCount = (given: number) => Number.isInteger(given) && given <= maxSchedules;
  if (!isCount(schedules) || schedules < 1 || !isCount(rounds) || rounds < 0) {
    console.error(`--schedules and --rounds: expected whole numbers up to ${maxSchedules}`);
    process.exitCode = 2;
  } else {
    console.log((await benchSchedules({ schedules, rounds, say })).join("\n"));
  }
}
