import { allWakeKeys, chatOfKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { scanPage, type ScannedPage } from "../redis/scan-page.ts";
import { planOfMember, type ScheduleOfChat } from "./schedules.ts";
import { storedIn } from "./stored-schedule.ts";

/** Members that the server looks at in one step. */
const scanStep = 1_000;
/** Members of one shard that are read in one go. */
const batch = 32;

interface Scored {
  readonly member: string;
  readonly atMs: number;
}

/** Members with their scores, which Redis returns in turn. */
export const scored = (flat: readonly string[]): readonly Scored[] =>
  flat.flatMap((member, index) =>
    index % 2 === 0 ? [{ member, atMs: Number(flat[index + 1]) }] : [],
  );

/**
 * The ids of all approvals that wait for a person; what expires first comes first. Without most of
 * those that have expired: a sweeper puts them off until a worker closes them.
 */
export async function waitingApprovals(
  { redis }: Pick<Store, "redis">,
  nowMs: number,
): Promise<readonly string[]> {
  const expiries = new Map<string, number>();
  await Promise.all(
    allWakeKeys().map(async (key) => {
      let cursor = "0";
      do {
        // The server leaves out the others: there may be 100,000 schedules.
        const [next, flat] = await redis.zscan(key, cursor, "MATCH", "appr:*", "COUNT", scanStep);
        for (const { member, atMs } of scored(flat))
          expiries.set(member.slice("appr:".length), atMs);
        cursor = next;
      } while (cursor !== "0");
    }),
  );
  return [...expiries]
    .filter(([, atMs]) => atMs > nowMs)
    .toSorted(([, one], [, other]) => one - other)
    .map(([id]) => id);
}

/** The place of a schedule among all. Many are due at the same moment. */
interface Position {
  /** When the sweeper looks at it. Milliseconds since the epoch. */
  readonly atMs: number;
  /** `<chat>/<id>` */
  readonly name: string;
}

/**
 * Some of the schedules of all chats that have a next time, in its order. @param from `next` of the
 * page before; anything else begins at the beginning.
 */
export async function nextSchedules(
  { redis }: Pick<Store, "redis">,
  { from = "", count }: { readonly from: string | undefined; readonly count: number },
): Promise<ScannedPage<ScheduleOfChat>> {
  const [, least = "0", name = ""] = /^(\d+(?:\.\d+)?)\/(.+)$/.exec(from) ?? [];
  const after = { atMs: Number(least), name };
  const isLater = (each: Position): boolean => isAfter(each, after);
  const ofShards = await Promise.all(
    allWakeKeys().map(async (key) => {
      const found: (ScheduleOfChat & Position)[] = [];
      for (let at = 0; ; at += batch) {
        const range = [key, least, "+inf", "WITHSCORES", "LIMIT", at, batch] as const;
        const flat = await redis.zrangebyscore(...range);
        found.push(...scored(flat).flatMap(scheduledAt).filter(isLater));
        if (found.length > count || flat.length < 2 * batch) return found;
      }
    }),
  );
  const all = ofShards.flat().toSorted((one, other) => (isAfter(one, other) ? 1 : -1));
  const found = all.slice(0, count);
  const last = all.length > count ? found.at(-1) : undefined;
  return { found, next: last && `${last.atMs}/${last.name}` };
}

function scheduledAt({ member, atMs }: Scored) {
  const plan = planOfMember(member);
  return plan === undefined ? [] : [{ ...plan, atMs }];
}

const isAfter = (one: Position, other: Position): boolean =>
  one.atMs > other.atMs || (one.atMs === other.atMs && one.name > other.name);

/** How long one page looks for them. Milliseconds. */
const restingMs = 400;

/**
 * Some schedules without a next time: paused or over. They are in no index, so each page examines a
 * part of all keys. @param from `next` of the page before.
 */
export const restingSchedules = (
  store: Pick<Store, "redis">,
  page: { readonly from: string | undefined; readonly count: number },
): Promise<ScannedPage<ScheduleOfChat>> =>
  scanPage(store, { ...page, pattern: "parley:{s*}:plans:*", withinMs: restingMs }, async (keys) =>
    (await Promise.all(keys.map((key) => restingIn(store, key)))).flat(),
  );

async function restingIn(store: Pick<Store, "redis">, key: string): Promise<ScheduleOfChat[]> {
  const chat = chatOfKey(key, "plans");
  if (chat === undefined) return [];
  return (await storedIn(store, key)).flatMap(([id, json]) =>
    json.includes('"nextMs":') ? [] : [{ chat, id }],
  );
}
