import { pino } from "pino";
import { expect, it } from "vitest";
import { Identifying } from "../../../src/bots/discord/gateway/identifying.ts";

it.each([
  { remaining: 20, shardCount: 1, waits: false },
  { remaining: 19, shardCount: 1, waits: true },
  { remaining: 40, shardCount: 20, waits: false },
  { remaining: 39, shardCount: 20, waits: true },
  { remaining: 0, shardCount: 1, waits: true },
])(
  "with $remaining session starts left for $shardCount shards the next one waits: $waits",
  async ({ remaining, shardCount, waits }) => {
    const over = new AbortController();
    const warned: string[] = [];
    const log = pino(
      { level: "warn" },
      {
        write(line: string) {
          warned.push(line);
          over.abort(new Error("seen"));
        },
      },
    );
    const identifying = new Identifying({
      limit: () =>
        Promise.resolve({
          total: 1_000,
          remaining,
          reset_after: 600_000,
          max_concurrency: 1,
        }),
      memory: { takeIdentifySlot: () => Promise.resolve(true) },
      log,
    });
    const waited = identifying.wait({ shard: 0, shardCount }, over.signal);
    if (waits) await expect(waited).rejects.toThrow();
    else await waited;
    expect(warned).toHaveLength(waits ? 1 : 0);
  },
);
