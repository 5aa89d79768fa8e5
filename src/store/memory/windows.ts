import { z } from "zod";
import type { ChatKey } from "../../core/chat.ts";
import type { PlacedEntry } from "../../core/ports.ts";
import { chatKeys } from "../keys.ts";
import { number, type Store } from "../redis/redis.ts";
import { packFields } from "../redis/script-fields.ts";
import { parseStored } from "../stored.ts";
import { entryOf, readRanges } from "../turns/history.ts";

/** What is stored of a window, by its number: where it is in the history, and its terms. */
const windowSchema = z.object({
  v: z.literal(1),
  /** Positions and parts of its first and its last message. */
  f: z.number(),
  p: z.number(),
  t: z.number(),
  q: z.number(),
  /** The position up to which the history says how it reads now: an edit follows its message. */
  u: z.number(),
  /** The positions of edits; earlier versions wrote none, and read all up to `u`. */
  e: z.array(z.number()).exactOptional(),
  at: z.number(),
  /** Its terms; `*` is followed by how often one occurs. */
  w: z.string(),
});
export type StoredWindow = Readonly<Omit<z.infer<typeof windowSchema>, "v">>;
/** Where a window is. */
export type Place = Omit<StoredWindow, "w">;

const headSchema = z.object({
  v: z.literal(1),
  /** Another one: windows that were read before may have changed. */
  built: z.string(),
  /** Of the history that was read. */
  epoch: z.string(),
  /** How many windows were made so far: the last one has the number before. */
  count: z.number().int().nonnegative(),
  /** The number of the next window that is written, at `from`. */
  id: z.number().int().nonnegative(),
  /** Where the next reading begins: the last window may have grown. */
  from: z.number(),
  part: z.number(),
  /** When what is there was said, as far as it is known. */
  sinceMs: z.number().optional(),
  /** What entries before this position change is known; they are indexed as far as `from`. */
  next: z.number(),
  /** The oldest windows were dropped: there were too many. */
  isCut: z.boolean().optional(),
});
export type IndexHead = Readonly<Omit<z.infer<typeof headSchema>, "v">>;

/** A chat's index and its history, as of one moment. */
export interface OpenIndex {
  /** Absent: nothing is indexed, or it is of another epoch. */
  readonly head: IndexHead | undefined;
  /** As stored; empty: none. */
  readonly known: string;
  /** The revision that last changed how entries read; empty: none has. */
  readonly changed: string;
  /** The number of the oldest window. */
  readonly first: number;
  /** Undefined: there is no history. */
  readonly epoch: string | undefined;
  /** Log positions of the oldest entry and of what comes after the newest. */
  readonly base: number;
  readonly end: number;
  /** Windows that began earlier are too old to be recalled. Milliseconds since the epoch. */
  readonly oldestMs: number;
}

export interface IndexChange {
  readonly open: OpenIndex;
  readonly head: IndexHead;
  readonly first: number;
  readonly windows: readonly (readonly [number: number, window: StoredWindow])[];
  /** When it is looked at again; absent: after the next commit. */
  readonly againMs?: number;
  /** Absent: windows get none. */
  readonly vectors?: { readonly to: number; readonly againMs: number };
}

/** No index has as many windows: one that says so is made again, and not gone through. */
const mostStored = 100_000;

/** A history is indexed so long after a turn's end. Milliseconds. */
export const indexAfterMs = 60_000;

/** In the wake index. */
export const memoryMember = (chat: ChatKey): string => `mem:${chat}`;

const keysOf = (chat: ChatKey) => {
  const { windows, vectors, state, log, wake } = chatKeys(chat);
  return [windows, vectors, state, log, wake];
};

/** Log positions, both included; of `changes` only undos and edits. */
type Range = readonly [from: number, to: number, only?: "changes"];

/** Where the history says how a window reads now. */
export const rangesOf = ({ f, t, u, e }: Place): readonly Range[] =>
  e === undefined ? [[f, u]] : [[f, t], ...e.map((at): Range => [at, at])];

/** In JSON, quotes within texts are escaped. */
const mayChange = (json: string): boolean => json.includes('"undo"') || json.includes('"edit"');

/** Numbers that can't be right are those of a damaged index, which is made again. */
const isSound = ({ id, count }: IndexHead, oldest: number): boolean =>
  id <= count && count - oldest <= mostStored;

/** As the fields of a hash. */
export const numbersOf = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, index) => `${from + index}`);

/**
 * The entries of each group of ranges; undefined if the history begins elsewhere by now. Entries that
 * can't be read are left out. @throws RetryableError when a newer version wrote one.
 */
async function readEntries(
  store: Store,
  chat: ChatKey,
  { base, groups }: { readonly base: number; readonly groups: readonly (readonly Range[])[] },
): Promise<readonly (readonly PlacedEntry[])[] | undefined> {
  const { log } = chatKeys(chat);
  const indexes = groups.flat().map(([from, to]): readonly [number, number] =>
    // Negative ones would count from the end.
    to < Math.max(from, base) ? [1, 0] : [Math.max(0, from - base), to - base],
  );
  const found = await readRanges(store, chat, indexes);
  if (found.base !== base) return undefined;
  const stored = found.ranges.values();
  const entriesOf = ([from, , only]: Range): readonly PlacedEntry[] =>
    (stored.next().value ?? []).flatMap((json, index) => {
      // A turn waits for this: what can't be one isn't parsed.
      if (only === "changes" && !mayChange(json)) return [];
      const entry = entryOf(log, json);
      const isMeant = only === undefined || entry?.kind === "undo" || entry?.kind === "edit";
      return entry && isMeant ? [{ position: Math.max(base, from) + index, entry }] : [];
    });
  return groups.map((ranges) => ranges.flatMap(entriesOf));
}

/**
 * What the memory's job and recall read and write of a chat. Only ever of the one that is named.
 * @param keepMs how long windows are kept; undefined: as long as the history.
 */
export function createWindowStore(store: Store, keepMs?: number) {
  const { redis } = store;
  return {
    /** @throws what `parseStored` throws. */
    async open(chat: ChatKey): Promise<OpenIndex> {
      const { windows, state, log } = chatKeys(chat);
      const [[known, first], [epoch, logBase, changed], length] = await Promise.all([
        redis.hmget(windows, "head", "first"),
        redis.hmget(state, "epoch", "logBase", "changed"),
        redis.llen(log),
      ]);
      const base = Number(logBase ?? 0);
      const head = known ? parseStored(headSchema, windows, known) : undefined;
      const oldest = Number(first ?? 0);
      return {
        head:
          head !== undefined && head.epoch === epoch && isSound(head, oldest) ? head : undefined,
        known: known ?? "",
        changed: changed ?? "",
        first: oldest,
        epoch: epoch ?? undefined,
        base,
        end: base + length,
        oldestMs: keepMs === undefined ? -Infinity : store.clock.now() - keepMs,
      };
    },

    /** Windows by their numbers; undefined for what is gone since. @throws what `parseStored` throws. */
    async windows(chat: ChatKey, from: number, to: number) {
      if (to <= from) return [];
      const key = chatKeys(chat).windows;
      const found = await redis.hmget(key, ...numbersOf(from, to));
      return found.map((json) =>
        json === null ? undefined : parseStored(windowSchema, key, json),
      );
    },

    entries: (chat: ChatKey, base: number, groups: readonly (readonly Range[])[]) =>
      readEntries(store, chat, { base, groups }),

    /** False: the index or the history has changed since it was opened. */
    async write(chat: ChatKey, change: IndexChange): Promise<boolean> {
      const { open, head, windows, ...rest } = change;
      const reply = await store.run(
        "index",
        keysOf(chat),
        packFields({
          ...rest,
          known: open.known,
          changed: open.changed,
          epoch: open.epoch,
          base: open.base,
          isNew: open.head === undefined,
          seenEnd: head.next,
          head: JSON.stringify({ v: 1, ...head }),
          count: head.count,
          windows: windows.map(([id, window]) => [id, JSON.stringify({ v: 1, ...window })]),
          member: memoryMember(chat),
          keepMs,
        }),
      );
      return number(reply) === 1;
    },

    /** It is due again then, or earlier where it already is. */
    async lookAgain(chat: ChatKey, afterMs: number): Promise<void> {
      const atMs = Math.floor(store.clock.now() + afterMs);
      await redis.zadd(chatKeys(chat).wake, "LT", atMs, memoryMember(chat));
    },

    /** It is made again at once. False: there was none. */
    async drop(chat: ChatKey): Promise<boolean> {
      const { windows, vectors } = chatKeys(chat);
      const count = await redis.unlink(windows, vectors);
      await this.lookAgain(chat, 0);
      return count > 0;
    },

    /** There is nothing to index. */
    async forget(chat: ChatKey): Promise<void> {
      const { windows, vectors, wake } = chatKeys(chat);
      await redis.unlink(windows, vectors);
      await redis.zrem(wake, memoryMember(chat));
    },
  };
}
export type WindowStore = ReturnType<typeof createWindowStore>;
