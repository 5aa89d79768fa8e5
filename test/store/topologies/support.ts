import { pino } from "pino";
import { onTestFinished } from "vitest";
import { connectStore } from "../../../src/store/redis/connect.ts";
import type { Store } from "../../../src/store/redis/redis.ts";

/** What was logged from here on, and where to log it. */
export function listening() {
  const lines: string[] = [];
  const log = pino(
    { level: "info" },
    {
      write: (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg),
    },
  );
  return { log, lines };
}

/** As the product connects; closed after the test. */
export async function connected(url: string, { log } = listening()): Promise<Store> {
  const store = await connectStore(url, log, new AbortController().signal);
  onTestFinished(() => store.redis.disconnect());
  return store;
}

/** The only line of a connection that waits: why it does. It is given up at once. */
export async function whyWaiting(url: string): Promise<string> {
  const { log, lines } = listening();
  const given = new AbortController();
  connectStore(url, log, given.signal).then(
    (store) => store.redis.disconnect(),
    () => undefined,
  );
  while (lines.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  given.abort();
  return lines[0] ?? "";
}

/** A key in each of Parley's shards: they lie on every master. */
export const shardKeys: readonly string[] = Array.from(
  { length: 256 },
  (_, shard) => `parley:{s${shard}}:test`,
);
