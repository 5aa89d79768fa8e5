import { Redis } from "ioredis";
import { messageOf } from "../../core/errors.ts";
import { parseRedisUrl } from "../../core/redis-address.ts";

export type Probe =
  | {
      readonly state: "ready";
      readonly pid: number;
      /** Undefined if the server doesn't report it. */
      readonly folder: string | undefined;
    }
  /** It reads its data; it will be ready. */
  | { readonly state: "loading" }
  /** The listener rejects our password, or isn't Redis. */
  | { readonly state: "foreign"; readonly reason: string }
  /** No process listens, or none answers. */
  | { readonly state: "silent"; readonly reason: string };

const timeoutMs = 1_000;

/** A connection for a few questions: it fails at once instead of trying again. */
export function openProbe(url: string): Redis {
  const options = {
    lazyConnect: true,
    enableReadyCheck: false,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
  };
  const reading = parseRedisUrl(url);
  // A path goes to ioredis as such: as a text it would be read as a URL, which escapes some of its
  // characters.
  const isSocket = "address" in reading && reading.address.kind === "socket";
  const client = isSocket
    ? new Redis({ ...options, path: reading.address.path })
    : new Redis(url, options);
  // Each command fails with the reason; without a listener ioredis would print it as well.
  client.on("error", () => undefined);
  return client;
}

/** Asks the server at `url` who it is. Never throws. */
export async function probe(url: string): Promise<Probe> {
  const client = openProbe(url);
  let connectionError: unknown;
  client.on("error", (error: unknown) => {
    connectionError = error;
  });
  try {
    await client.connect();
    await client.ping();
    const info = await client.info("server");
    const folder = await client.config("GET", "dir").catch(() => undefined);
    return {
      state: "ready",
      pid: Number(/process_id:(\d+)/.exec(info)?.[1]),
      folder: Array.isArray(folder) ? String(folder[1]) : undefined,
    };
  } catch (error) {
    const reason = `${messageOf(connectionError ?? error)} ${messageOf(error)}`;
    if (/LOADING/.test(reason)) return { state: "loading" };
    const isForeign = /NOAUTH|WRONGPASS|AUTH|NOPERM|Protocol error|ERR /;
    return { state: isForeign.test(reason) ? "foreign" : "silent", reason };
  } finally {
    client.disconnect();
  }
}
