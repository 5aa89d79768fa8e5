import { z } from "zod";
import { allWakeKeys, chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { readable } from "../stored.ts";
import { chatOf } from "../turns/ongoing.ts";
import { scored } from "../turns/wake-members.ts";

/**
 * Work on a mailbox is never put off for longer than a few minutes: what the wake index holds for
 * later are approvals, by when they expire, and schedules. Milliseconds.
 */
const mailboxesMs = 5 * 60_000;
/** A chat that a worker has is scored by its lease, which ends later than this. Milliseconds. */
const unownedMs = 3_000;
/** Most members of one shard that are read: a backlog of 100,000 chats has more, and then any will do. */
const maxRead = 256;
/** Most inboxes of one shard whose oldest entry is read. */
const maxHeads = 4;

const pendingMember = "appr:";
const inboxMember = "in:";
const headSchema = z.object({ atMs: z.number() });

type Reader = Pick<Store, "redis" | "clock">;

/**
 * Approvals that wait for a person, and those whose time is up though no process has closed them yet.
 * In a shard with more than `maxRead` schedules and approvals for later the number is an estimate. A
 * round trip to each of the 256 shards, in one pipeline.
 */
export async function countApprovals({
  redis,
  clock,
}: Reader): Promise<{ readonly pending: number; readonly overdue: number }> {
  const nowMs = clock.now();
  const untilMs = nowMs + mailboxesMs;
  const counts = await Promise.all(
    allWakeKeys().map(async (key) => {
      const [laterCount, later, soon] = await Promise.all([
        redis.zcount(key, `(${untilMs}`, "+inf"),
        redis.zrangebyscore(key, `(${untilMs}`, "+inf", "LIMIT", 0, maxRead),
        redis.zrangebyscore(key, "-inf", untilMs, "WITHSCORES", "LIMIT", 0, maxRead),
      ]);
      const expiries = scored(soon).filter(({ member }) => member.startsWith(pendingMember));
      const overdue = expiries.filter(({ atMs }) => atMs < nowMs).length;
      const approvals = later.filter((member) => member.startsWith(pendingMember)).length;
      const ofLater = Math.round((laterCount * approvals) / Math.max(1, later.length));
      return { pending: ofLater + expiries.length - overdue, overdue };
    }),
  );
  const sumOf = (state: "pending" | "overdue") =>
    counts.reduce((sum, count) => sum + count[state], 0);
  return { pending: sumOf("pending"), overdue: sumOf("overdue") };
}

/**
 * How long the oldest message has been waiting for a worker to begin with it; 0 where none waits.
 * In a large backlog each shard's first chats are looked at. Milliseconds. Two round trips.
 */
export async function oldestInboxMs({ redis, clock }: Reader): Promise<number> {
  const nowMs = clock.now();
  const due = await Promise.all(
    allWakeKeys().map(async (key) => {
      const members = await redis.zrangebyscore(
        key,
        "-inf",
        nowMs + unownedMs,
        "LIMIT",
        0,
        maxRead,
      );
      return members.filter((member) => member.startsWith(inboxMember)).slice(0, maxHeads);
    }),
  );
  const heads = await Promise.all(
    due
      .flat()
      .flatMap(chatOf)
      .map((chat) => redis.lindex(chatKeys(chat).inbox, 0)),
  );
  const ages = heads.flatMap((json) => {
    const head = readable(headSchema, json);
    return head === undefined ? [] : [nowMs - head.atMs];
  });
  return Math.max(0, ...ages);
}
