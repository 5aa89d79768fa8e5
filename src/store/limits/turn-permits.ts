import { counters, type Cap, type Counter } from "../../core/limits.ts";
import { limitsKey } from "../keys.ts";
import { rulesVersionKey } from "./limit-rules.ts";
import type { Counting, CounterNames } from "./limit-counters.ts";
import { list, number, type Store } from "../redis/redis.ts";

type Entry =
  | { readonly type: "entered" }
  /** Other rules hold by now: read them again. */
  | { readonly type: "stale" }
  | { readonly type: "refused"; readonly cap: Cap; readonly running: number };

/**
 * Permits for concurrent turns across all processes; a permit that isn't
 * renewed expires.
 */
export interface TurnPermits {
  /**
   * Takes or renews a permit for a turn, if each cap of the metric `turns` has one left.
   */
  enter(turn: string, ttlMs: number, counting: Counting): Promise<Entry>;
  leave(turn: string, names: CounterNames): Promise<void>;
  /** How many turns run now. */
  running(counter: Counter, name: string): Promise<number>;
}

const permitsKey = (counter: Counter, name: string): string =>
  limitsKey(`turns:${counter}:${name}`);

const keysOf = (names: CounterNames): string[] =>
  counters.map((counter) => permitsKey(counter, names[counter]));

export function createTurnPermits(store: Store): TurnPermits {
  return {
    async enter(turn, ttlMs, { names, version, caps }) {
      const capOf = (counter: Counter | undefined): Cap | undefined =>
        caps.find((cap) => cap.counter === counter && cap.limit.metric === "turns");
      const most = counters.map((counter) => capOf(counter)?.limit.max ?? "");
      const reply = list(
        await store.run(
          "limit-enter",
          [rulesVersionKey, ...keysOf(names)],
          [version, turn, ttlMs, ...most],
        ),
      );
      const [type, counter, running] = reply;
      if (type === "entered" || type === "stale") return { type };
      const cap = capOf(counters[number(counter)]);
      if (type !== "refused" || cap === undefined)
        throw new TypeError(`unexpected reply ${JSON.stringify(reply)}`);
      return { type, cap, running: number(running) };
    },
    async leave(turn, names) {
      const change = store.redis.multi();
      for (const key of keysOf(names)) change.zrem(key, turn);
      for (const [error] of (await change.exec()) ?? []) if (error) throw error;
    },
    async running(counter, name) {
      const [seconds] = await store.redis.time();
      return await store.redis.zcount(permitsKey(counter, name), Number(seconds) * 1_000, "+inf");
    },
  };
}
