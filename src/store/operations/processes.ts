import { z } from "zod";
import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { readable } from "../stored.ts";

const entrySchema = z.object({
  version: z.string(),
  role: z.string(),
  host: z.string(),
  pid: z.number(),
  /** Its wall clock less Redis'. */
  clockAheadMs: z.number(),
  /** When it started, by Redis' clock; absent: an earlier version doesn't say. */
  sinceMs: z.number().optional(),
  /**
   * How late 99 of 100 timers of its event loop were at most in the minute before. Absent, as `busy`:
   * the first minute isn't over; or an earlier version doesn't say. Milliseconds.
   */
  lagP99Ms: z.number().optional(),
  /** The share of that minute in which its event loop was busy: 0 to 1. */
  busy: z.number().optional(),
  /** Absent: an earlier version doesn't say. */
  memoryBytes: z.number().optional(),
  /** By Redis' clock. */
  atMs: z.number(),
});
/** What a running process says of itself once a minute. */
export type ListedProcess = Readonly<z.infer<typeof entrySchema>>;

/** A process that has said nothing for this long has ended. Milliseconds. */
const silentMs = 3 * 60_000;
const keyTtlMs = 24 * 3_600_000;

/** The processes of a deployment, for doctor and the operator's page. */
export interface Processes {
  note(id: string, process: Omit<ListedProcess, "atMs">): Promise<void>;
  remove(id: string): Promise<void>;
  /** Those that run, or have died within three minutes. */
  read(): Promise<readonly (ListedProcess & { readonly id: string })[]>;
}

export function createProcesses({ redis, clock }: Pick<Store, "redis" | "clock">): Processes {
  const key = configKey("processes");
  return {
    async note(id, process) {
      const entry: ListedProcess = { ...process, atMs: clock.now() };
      const gone = Object.entries(await redis.hgetall(key)).flatMap(([other, json]) =>
        isSilent(read(json), clock.now()) ? [other] : [],
      );
      const change = redis.multi().hset(key, id, JSON.stringify(entry)).pexpire(key, keyTtlMs);
      if (gone.length > 0) change.hdel(key, ...gone);
      await change.exec();
    },
    async remove(id) {
      await redis.hdel(key, id);
    },
    async read() {
      return Object.entries(await redis.hgetall(key)).flatMap(([id, json]) => {
        const entry = read(json);
        return entry === undefined || isSilent(entry, clock.now()) ? [] : [{ ...entry, id }];
      });
    },
  };
}

const isSilent = (entry: ListedProcess | undefined, nowMs: number): boolean =>
  entry !== undefined && nowMs - entry.atMs >= silentMs;

const read = (json: string): ListedProcess | undefined => readable(entrySchema, json);
