import { allWakeKeys, chatKeys } from "../keys.ts";
import type { ChatKey } from "../../core/chat.ts";
import type { Store } from "../redis/redis.ts";
import { scanKeys } from "../redis/scan-keys.ts";
import { chatOf } from "./ongoing.ts";
import { planOfMember } from "./schedules.ts";

export interface Overdue {
  /** Chats and approvals that should have been woken `overdueMs` ago. */
  readonly count: number;
  /** Of the oldest message that waits for a worker. */
  readonly oldest: { readonly chat: ChatKey; readonly waitsMs: number } | undefined;
}

/** Chats whose first message is looked at. */
const maxLookedAt = 200;
/** The sweeper moves a chat that no one takes further by 2 s each time. Milliseconds. */
const soonMs = 5_000;

/** Of each shard, what is due by now or soon, the oldest first. */
async function dueMembers({ redis }: Pick<Store, "redis">, nowMs: number): Promise<string[]> {
  const some = allWakeKeys().map((key) =>
    redis.zrangebyscore(key, "-inf", nowMs + soonMs, "LIMIT", 0, maxLookedAt),
  );
  return (await Promise.all(some)).flat();
}

/** Reads the wake index without changing it. Two round trips. @throws what ioredis throws */
export async function readOverdue(
  store: Pick<Store, "redis" | "clock">,
  overdueMs: number,
): Promise<Overdue> {
  const { redis, clock } = store;
  const nowMs = clock.now();
  const [counts, members] = await Promise.all([
    Promise.all(allWakeKeys().map((key) => redis.zcount(key, "-inf", nowMs - overdueMs))),
    dueMembers(store, nowMs),
  ]);
  const chats = members.flatMap(chatOf).slice(0, maxLookedAt);
  const waiting = await Promise.all(
    chats.map(async (chat) => {
      const atMs = timeOf(await redis.lindex(chatKeys(chat).inbox, 0));
      return atMs === undefined ? [] : [{ chat, waitsMs: nowMs - atMs }];
    }),
  );
  const [oldest] = waiting.flat().toSorted((one, other) => other.waitsMs - one.waitsMs);
  return { count: counts.reduce((sum, count) => sum + count, 0), oldest };
}

/**
 * A schedule is overdue so long after its slot, by the clock: it may be spread over a minute, and a
 * chat's inbox may be full for a while. Milliseconds.
 */
const overdueScheduleMs = 2 * 60_000;

/** Schedules that should have been fired; at most 200 of a shard. Two round trips. */
export async function countOverdueSchedules(
  store: Pick<Store, "redis" | "clock">,
): Promise<number> {
  const nowMs = store.clock.now();
  const plans = (await dueMembers(store, nowMs)).flatMap((member) => planOfMember(member) ?? []);
  const slots = await Promise.all(
    plans.map(async ({ chat, id }) => {
      const json = await store.redis.hget(chatKeys(chat).plans, id);
      return Number(/"nextMs":(\d+)/.exec(json ?? "")?.[1] ?? Infinity);
    }),
  );
  return slots.filter((slotMs) => slotMs + overdueScheduleMs < nowMs).length;
}

/**
 * Schedules that were paused since they failed, or since their chat is dead. Looks at every key's
 * name: for operators.
 */
export async function countPausedSchedules(
  store: Store,
): Promise<Readonly<Record<"failed" | "dead", number>>> {
  const count = { failed: 0, dead: 0 };
  for await (const key of scanKeys(store, "parley:{s*}:plans:*"))
    for (const json of await store.redis.hvals(key))
      if (json.includes('"pausedWhy":"failures"'))
        count[json.includes('"isDead":true') ? "dead" : "failed"] += 1;
  return count;
}

/** When an entry was written, by its platform; entries of any version have it at the same place. */
function timeOf(entry: string | null): number | undefined {
  const found = /"atMs":(\d+)/.exec(entry ?? "")?.[1];
  return found === undefined ? undefined : Number(found);
}
