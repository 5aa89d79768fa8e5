import { configKey } from "../keys.ts";
import { list, number, text, type Store } from "../redis/redis.ts";

/** A message that isn't taken: its inbox is full, or a limit is reached. */
export interface LeftOut {
  readonly eventId: string;
  /** Events with the same name are counted once, e.g. the pictures of an album. */
  readonly countedAs: string;
  /** The cause, the chat and the person: such messages are counted together. */
  readonly of: string;
  /** A notice answers it, unless one has answered an earlier message: `never`, `first`, or `always`. */
  readonly notice: "never" | "first" | "always";
}

export interface LeftOutSoFar {
  /** Messages since the notice, with its own; at most 1,000. */
  readonly count: number;
  /** The event that the notice answers; undefined: there is none yet. */
  readonly notice: string | undefined;
  /** The notice's next edit is this event's to post: none is waiting to be sent. */
  readonly isNews: boolean;
}

/** An entry that edits the notice. */
export interface LeftOutEdit {
  readonly id: string;
  /** False: the notice never was; the next message that isn't taken gets one. */
  readonly wasSent: boolean;
}

const maxCounted = 1_000;
/** A later message gets a notice of its own. Milliseconds. */
const countedForMs = 3_600_000;

const keyOf = (of: string): string => configKey(`told:left:${of}`);

export async function leaveOut(
  store: Store,
  { eventId, countedAs, of, notice }: LeftOut,
): Promise<LeftOutSoFar> {
  const values = [eventId, countedAs, notice, maxCounted, countedForMs];
  const [count, answered, isNews] = list(await store.run("left-out", [keyOf(of)], values));
  const noticed = text(answered);
  return {
    count: number(count),
    notice: noticed === "" ? undefined : noticed,
    isNews: number(isNews) === 1,
  };
}

/** See `OutboxStore`. Messages that come later are another edit's. */
export async function countLeftOut(
  { redis }: Store,
  of: string,
  edit: LeftOutEdit,
): Promise<number | "shown" | undefined> {
  const key = keyOf(of);
  // In one step: an event that comes later posts an edit of its own.
  const read = redis
    .multi()
    .hlen(key)
    .hexists(key, "notice")
    .hget(key, "shown")
    .hdel(key, "pending");
  const replies = await (edit.wasSent ? read : read.hdel(key, "notice")).exec();
  const [fields = 0, notice = 0, shown = null, pending = 0] = (replies ?? []).map(
    ([, reply]) => reply as number | string | null,
  );
  if (fields === 0) return undefined;
  const count = Number(fields) - Number(notice) - Number(pending) - Number(shown !== null);
  if (!edit.wasSent) return count;
  const [by, shownCount] = String(shown).split(" ");
  if (by !== edit.id && Number(shownCount) === count) return "shown";
  // Only the outbox's owner writes this.
  await redis.hset(key, "shown", `${edit.id} ${count}`);
  return count;
}
