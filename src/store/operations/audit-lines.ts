import type { Store } from "../redis/redis.ts";

/** Read in one step, of each stream. */
const step = 500;

export interface Line {
  /** Redis' own: milliseconds and a number. */
  readonly id: string;
  readonly json: string;
}

interface Wanted {
  /** Those since then. Milliseconds since the epoch. */
  readonly fromMs: number;
  /** No newer ones than this id, or moment in milliseconds; absent: all. Of `newest` only. */
  readonly until?: string | undefined;
  readonly first: "oldest" | "newest";
}

/** The lines of several streams as if they were one, read in steps. */
export async function* readLines(
  store: Store,
  keys: readonly string[],
  wanted: Wanted,
): AsyncGenerator<Line, void, undefined> {
  const order = wanted.first === "newest" ? -1 : 1;
  const readers = keys.map((key) => readStream(store, key, wanted));
  const heads = await Promise.all(readers.map((reader) => reader.next()));
  for (;;) {
    let first: number | undefined;
    heads.forEach((head, index) => {
      if (head.done) return;
      const best = first === undefined ? undefined : heads[first];
      const isFirst =
        best === undefined ||
        best.done === true ||
        compare(head.value.id, best.value.id) * order < 0;
      if (isFirst) first = index;
    });
    if (first === undefined) return;
    const [head, reader] = [heads[first], readers[first]];
    if (!head || head.done || !reader) return;
    yield head.value;
    heads[first] = await reader.next();
  }
}

async function* readStream(
  { redis }: Store,
  key: string,
  { fromMs, until = "+", first }: Wanted,
): AsyncGenerator<Line, void, undefined> {
  const oldest = String(Math.floor(fromMs));
  let edge = first === "newest" ? until : oldest;
  for (;;) {
    const entries =
      first === "newest"
        ? await redis.xrevrange(key, edge, oldest, "COUNT", step)
        : await redis.xrange(key, edge, "+", "COUNT", step);
    for (const [id, [, json = ""]] of entries) yield { id, json };
    const last = entries.at(-1)?.[0];
    if (last === undefined || entries.length < step) return;
    // Redis 6.2 and later: lines after this one.
    edge = `(${last}`;
  }
}

/** Below 0: the first is older. */
function compare(one: string, other: string): number {
  const [oneMs = 0, oneNumber = 0] = one.split("-").map(Number);
  const [otherMs = 0, otherNumber = 0] = other.split("-").map(Number);
  return oneMs - otherMs || oneNumber - otherNumber;
}
