import type { Fact, Facts, PersonFacts } from "../../core/facts.ts";
import type { Store } from "../redis/redis.ts";
import { factsVersionKey } from "./facts.ts";

/** Changes by other processes apply after this. Milliseconds. */
const cacheMs = 1_000;
/** What is remembered for no longer: facts also end by themselves. Milliseconds. */
const maxAgeMs = 600_000;
const maxCached = 1_000;

/**
 * People's own facts in a worker's memory. Reads one number per second at most, and the facts again
 * when that number has changed.
 * @param options.now milliseconds, never going back.
 */
export function createPersonFacts(
  { redis }: Pick<Store, "redis">,
  {
    facts,
    now,
  }: { readonly facts: Pick<Facts, "list" | "removeWhere">; readonly now: () => number },
): PersonFacts {
  const known = new Map<string, readonly Fact[]>();
  let version: string | null | undefined;
  let freshUntilMs = -Infinity;
  let emptyAtMs = -Infinity;
  return {
    removeWhere: facts.removeWhere,
    async refresh() {
      const nowMs = now();
      if (nowMs < freshUntilMs) return;
      const newest = await redis.get(factsVersionKey);
      if (newest !== version || nowMs >= emptyAtMs) {
        known.clear();
        version = newest;
        emptyAtMs = nowMs + maxAgeMs;
      }
      freshUntilMs = nowMs + cacheMs;
    },
    async of(personId) {
      const found = known.get(personId);
      if (found !== undefined) return found;
      const before = version;
      const list = await facts.list({ person: personId });
      if (before !== version) return list;
      if (known.size >= maxCached) known.clear();
      known.set(personId, list);
      return list;
    },
  };
}
