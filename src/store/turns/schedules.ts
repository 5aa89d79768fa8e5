import { chatNamed, type ChatKey } from "../../core/chat.ts";
import type { MessageEntry } from "../../core/history.ts";
import type { OutboxEntry } from "../../core/outbox.ts";
import {
  maxFailures,
  type Schedule,
  type ScheduleEnd,
  type Schedules,
} from "../../core/schedule.ts";
import { turnOfKey } from "../../core/turn.ts";
import { chatKeys } from "../keys.ts";
import { text, type Store } from "../redis/redis.ts";
import { packFields, type ScriptFields } from "../redis/script-fields.ts";
import { unlessUnreadable, type ReportProblem } from "../unreadable.ts";
import { maxOutbox, maxWaitingWithEdits, seenTtlMs, serialiseIn, serialiseOut } from "./inbox.ts";
import { createScheduleCount, planName } from "./schedule-count.ts";
import { letterOf, readSchedule, serialise, slotText, storedIn } from "./stored-schedule.ts";

/** For the script `commit`. */
export const endFields = ({ id, slotMs, outcome, digest, notice }: ScheduleEnd): ScriptFields => ({
  id,
  slot: slotText(slotMs),
  outcome: outcome && letterOf(outcome),
  mostFailures: maxFailures,
  digest,
  notice: notice && serialiseOut(notice),
});

/** Among the ids that a chat has seen: it was made, and isn't made again. */
const madeMark = (id: string): string => `made:${id}`;

/** In the wake index. */
export const planMember = (chat: ChatKey, id: string): string => `plan:${planName(chat, id)}`;

export interface ScheduleOfChat {
  readonly chat: ChatKey;
  readonly id: string;
}

/** The inverse of `planName`; undefined: it is none, perhaps another version's. */
export function parsePlanName(name: string) {
  const [chatName, id] = name.split("/");
  const chat = chatNamed(chatName);
  return chat && id ? { chat, id, name } : undefined;
}

/** The inverse of `planMember`. */
export const planOfMember = (member: string) =>
  member.startsWith("plan:") ? parsePlanName(member.slice("plan:".length)) : undefined;

/** One that the sweeper has taken. */
export interface DueSchedule {
  /** `<chat>/<id>`, as in the wake index. */
  readonly name: string;
  readonly slotMs: number;
  /** It has waited already, because too many were due at once. */
  readonly isSpread: boolean;
}

/** In the wake index: slots are whole milliseconds, so that half a one marks what was spread. */
const spreadScore = (untilMs: number): number => Math.floor(untilMs) + 0.5;

/** @param overdueMs by which its score in the wake index is over at `nowMs` */
export const dueSchedule = (name: string, overdueMs: number, nowMs: number): DueSchedule => ({
  name,
  slotMs: Math.round(nowMs - overdueMs),
  isSpread: overdueMs % 1 !== 0,
});

export interface Firing {
  readonly id: string;
  /** As it was read; absent: there was none. */
  readonly stored: string | undefined;
  /** From now on; `same`: as it is stored; undefined: it is removed. */
  readonly schedule: Schedule | "same" | undefined;
  /** When the sweeper looks at it again; undefined: not before it is changed. */
  readonly againMs?: number | undefined;
  readonly entry?: MessageEntry | OutboxEntry;
}

export interface ScheduleStore extends Schedules {
  /** With how it is stored, for `fire`. */
  open(
    chat: ChatKey,
    id: string,
  ): Promise<{ readonly stored: string; readonly schedule: Schedule } | undefined>;
  /**
   * Appends the entry, once per id, and moves the schedule on, unless it has been changed since it
   * was read. `full`: too much waits in the chat; it is due again soon.
   */
  fire(chat: ChatKey, firing: Firing): Promise<"fired" | "changed" | "full">;
  /** Has them due at another time, once, if they still have a slot. */
  spread(
    all: readonly { readonly chat: ChatKey; readonly name: string; readonly untilMs: number }[],
  ): Promise<void>;
  /** Whether a message of an earlier slot still waits in the inbox. */
  isWaiting(chat: ChatKey, id: string): Promise<boolean>;
  /** Of what a `watch` saw last. */
  digest(chat: ChatKey, id: string): Promise<string | undefined>;
}

/** The keys of a chat that must not expire while one of its schedules is due later. */
function keptKeys(chat: ChatKey): readonly string[] {
  const { state, log, usage, settings, todos, personas, windows, vectors } = chatKeys(chat);
  return [state, log, usage, settings, todos, personas, windows, vectors];
}

/** @param options.report hears of those that can't be read; they are left out. */
export function createSchedules(
  store: Store,
  { retentionMs, report }: { readonly retentionMs: number; readonly report: ReportProblem },
): ScheduleStore {
  const { redis } = store;
  const readOne = (chat: ChatKey, id: string, stored: string) =>
    unlessUnreadable(report, `${chatKeys(chat).plans} ${id}`, () => ({
      stored,
      schedule: readSchedule(chat, id, stored),
    }));
  const open: ScheduleStore["open"] = async (chat, id) => {
    const stored = await redis.hget(chatKeys(chat).plans, id);
    return stored === null ? undefined : await readOne(chat, id, stored);
  };
  const write = async (chat: ChatKey, id: string, fields: ScriptFields) => {
    const { plans, seen, wake } = chatKeys(chat);
    const member = planMember(chat, id);
    return text(
      await store.run(
        "plan",
        [plans, seen, wake, ...keptKeys(chat)],
        packFields({ id, member, retentionMs, seenTtlMs, ...fields }),
      ),
    );
  };
  const list: ScheduleStore["list"] = async (chat) => {
    const all = await storedIn(store, chatKeys(chat).plans);
    const read = await Promise.all(
      all.map(async ([id, stored]) => (await readOne(chat, id, stored))?.schedule),
    );
    return read
      .filter((schedule) => schedule !== undefined)
      .toSorted((one, other) => (one.nextMs ?? Infinity) - (other.nextMs ?? Infinity));
  };
  const counted = createScheduleCount(store, list);
  return {
    open,
    list,
    read: async (chat, id) => (await open(chat, id))?.schedule,
    async save(chat, schedule, key = "") {
      const { id, by, revision, nextMs } = schedule;
      const replaced = revision === 0 ? null : await redis.hget(chatKeys(chat).plans, id);
      const next = serialise({ ...schedule, revision: revision + 1 }, replaced);
      const turn = turnOfKey(key);
      const once = revision === 0 ? madeMark(id) : key === "" ? undefined : `did:${key}`;
      const isTooMany = revision === 0 && !(await counted.add(chat, schedule));
      const fields = { schedule: next, revision, nextMs, turn, isTooMany, once };
      const saved = await write(chat, id, fields);
      if (revision === 0) {
        const isSaved = saved === "saved" || (await open(chat, id))?.schedule.by.id === by.id;
        await counted.settle(chat, schedule, isSaved);
      }
      return saved === "done" ? "saved" : (saved as "saved" | "changed" | "too-many");
    },
    async remove(chat, id) {
      const opened = await open(chat, id);
      const isRemoved = (await write(chat, id, {})) === "removed";
      if (opened !== undefined) await counted.removed(chat, opened.schedule);
      return isRemoved;
    },
    async fire(chat, firing) {
      const { id, stored, schedule } = firing;
      const fired = await fire(store, chat, { ...firing, retentionMs });
      if (fired !== "fired" || schedule !== undefined || stored === undefined) return fired;
      const over = await readOne(chat, id, stored);
      if (over !== undefined) await counted.removed(chat, over.schedule);
      return fired;
    },
    spread: (all) => spread(redis, all),
    isWaiting: async (chat, id) =>
      (await redis.lrange(chatKeys(chat).inbox, 0, -1)).some((entry) =>
        entry.includes(`"id":"plan:${id}:`),
      ),
    digest: async (chat, id) =>
      (await redis.hget(chatKeys(chat).plans, `digest:${id}`)) ?? undefined,
  };
}

async function fire(
  store: Store,
  chat: ChatKey,
  { id, stored, schedule, againMs, entry, retentionMs }: Firing & { readonly retentionMs: number },
): ReturnType<ScheduleStore["fire"]> {
  const { plans, seen, inbox, outbox, wake } = chatKeys(chat);
  const isIn = entry?.kind === "message" && "atMs" in entry;
  return text(
    await store.run(
      "fire",
      [plans, seen, isIn ? inbox : outbox, wake, ...keptKeys(chat)],
      packFields({
        id,
        member: planMember(chat, id),
        stored,
        schedule: schedule === "same" ? stored : schedule && serialise(schedule, stored),
        nextMs: againMs,
        ...(entry && {
          entryId: entry.id,
          entry: isIn ? serialiseIn(entry) : serialiseOut(entry),
        }),
        most: isIn ? maxWaitingWithEdits : maxOutbox,
        listMember: `${isIn ? "in" : "out"}:${chat}`,
        seenTtlMs,
        retentionMs,
      }),
    ),
  ) as "fired" | "changed" | "full";
}

/** Shards that are written to at once: other commands must come in between. */
const spreadTogether = 4;

async function spread(redis: Store["redis"], all: Parameters<ScheduleStore["spread"]>[0]) {
  const perShard = [...Map.groupBy(all, ({ chat }) => chatKeys(chat).wake)];
  for (let from = 0; from < perShard.length; from += spreadTogether) {
    const some = perShard.slice(from, from + spreadTogether).map(([wake, those]) => {
      const members = those.flatMap((each) => [spreadScore(each.untilMs), `plan:${each.name}`]);
      return redis.zadd(wake, "XX", ...members);
    });
    await Promise.all(some);
  }
}

/**
 * Removes the schedules of these people in one chat, by its key, or those that were made up to a
 * moment, in ms since the epoch.
 */
export async function eraseSchedules(
  store: Store,
  key: string,
  {
    of,
    retentionMs,
  }: {
    readonly of: readonly string[] | { readonly madeUntilMs: number };
    readonly retentionMs: number;
  },
): Promise<void> {
  const [, name = ""] = key.split(":plans:");
  const chat = name as ChatKey;
  const schedules = createSchedules(store, { retentionMs, report: () => undefined });
  const isTheirs = async (id: string, json: string): Promise<boolean> =>
    "madeUntilMs" in of
      ? Number(await store.redis.zscore(chatKeys(chat).seen, madeMark(id))) <= of.madeUntilMs
      : of.some((person) => json.includes(JSON.stringify(person)));
  for (const [id, json] of await storedIn(store, key))
    if (await isTheirs(id, json)) await schedules.remove(chat, id);
}
