/**
 * What idle chats cost: `npm run bench:idle-chats`, with `-- --chats 1000000` for another number
 * than 100,000. Starts a Redis of its own and leaves nothing behind.
 */
import { parseArgs } from "node:util";
import { openStore } from "../src/store/redis/redis.ts";
import { startTestRedis } from "../test/support/redis/start-test-redis.ts";
import { leaveChats } from "./idle-chats/leave-chats.ts";
import {
  costByKind,
  countByKind,
  passCost,
  usedBytes,
  type KindCost,
  type PassCost,
} from "./idle-chats/measure.ts";

const defaultChats = 100_000;
const maxChats = 2_000_000;
const extrapolated = 1_000_000;

export interface IdleChatsReport {
  readonly chats: number;
  /** Of all memory that Redis uses more than before. */
  readonly bytesPerChat: number;
  readonly kinds: readonly KindCost[];
  /** Keys of all of Redis by kind. */
  readonly counts: ReadonlyMap<string, number>;
  readonly pass: PassCost;
  readonly emptyPass: PassCost;
}

export async function benchIdleChats(options: {
  readonly chats: number;
  readonly say: (line: string) => void;
}): Promise<IdleChatsReport> {
  await using server = await startTestRedis();
  const store = openStore(server.url, (error) => options.say(error.message));
  try {
    const emptyPass = await passCost(store);
    const before = await usedBytes(store);
    await leaveChats(store, options);
    const bytes = (await usedBytes(store)) - before;
    return {
      chats: options.chats,
      bytesPerChat: bytes / options.chats,
      kinds: await costByKind(store, options.chats),
      counts: await countByKind(store),
      pass: await passCost(store),
      emptyPass,
    };
  } finally {
    store.redis.disconnect();
  }
}

/** The report for people. */
export function describeReport(report: IdleChatsReport): string {
  const { chats, bytesPerChat, kinds, pass, emptyPass } = report;
  const lasting = kinds.filter(({ ttlMs }) => ttlMs === undefined || ttlMs > 3 * dayMs);
  const lastingBytes = lasting.reduce((sum, { bytesPerChat: each }) => sum + each, 0);
  const gigabytes = (bytes: number) => `${((bytes * extrapolated) / 1e9).toFixed(2)} GB`;
  return [
    `${chats} idle chats, one question and one answer each`,
    "",
    "key     keys/chat  bytes/chat  goes by itself after",
    ...kinds.map(
      ({ kind, keysPerChat, bytesPerChat: each, ttlMs }) =>
        `${kind.padEnd(8)}${keysPerChat.toFixed(2).padStart(9)}${each.toFixed(0).padStart(12)}  ${
          ttlMs === undefined ? "never" : `${(ttlMs / dayMs).toFixed(1)} days`
        }`,
    ),
    "",
    `all memory: ${bytesPerChat.toFixed(0)} bytes a chat, ${gigabytes(bytesPerChat)} for ${extrapolated} chats`,
    `of which after two days, by keys: ${lastingBytes.toFixed(0)} bytes a chat, ${gigabytes(lastingBytes)}`,
    `a sweeper's pass: ${pass.commands} commands, ${pass.redisMs.toFixed(2)} ms of Redis' time (without any chat: ${emptyPass.commands}, ${emptyPass.redisMs.toFixed(2)} ms)`,
  ].join("\n");
}

const dayMs = 86_400_000;

const say = (line: string): void => console.error(line);

if (import.meta.main) {
  const { values } = parseArgs({
    options: { chats: { type: "string", default: String(defaultChats) } },
  });
  const chats = Number(values.chats);
  if (!Number.isInteger(chats) || chats < 1 || chats > maxChats) {
    console.error(`--chats is ${values.chats}: expected a whole number from 1 to ${maxChats}`);
    process.exitCode = 2;
  } else {
    console.log(describeReport(await benchIdleChats({ chats, say })));
  }
}
