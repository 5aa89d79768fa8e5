import { realpath } from "node:fs/promises";
import { sleep } from "../../util/sleep.ts";
import { readEndpoint, type Endpoint } from "./endpoint.ts";
import { probe } from "./probe.ts";
import { processStart } from "../operations/process-identity.ts";
import { isGone, killQuietly, serverUrl } from "./server-process.ts";

/** A server that outlived the Parley that started it. */
export type Orphan = {
  readonly endpoint: Endpoint;
  readonly pid: number;
  readonly start: string;
};

/** How long a server that is alive may be silent before it counts as hung. */
const timeoutMs = 5_000;
/**
 * How long a server may take from its start to its first answer, when its pid was not recorded any
 * more.
 */
const unrecordedMs = 1_000;

/**
 * Finds the server that an earlier Parley left on this folder, and waits until it is ready. One
 * that is proved to be ours and hangs is killed: with `appendfsync always` nothing is lost. Only
 * the lock's owner may call this.
 */
export async function adoptOrphan(
  folder: string,
  log: (line: string) => void,
): Promise<Orphan | undefined> {
  const endpoint = readEndpoint(folder);
  if (endpoint === undefined || endpoint.folder !== folder) return undefined;
  const url = serverUrl(endpoint);
  const { process: recorded } = endpoint;
  // Another program may listen where a dead server did; it must not receive the
  // password.
  if (recorded && (await processStart(recorded.pid)) !== recorded.start) return undefined;
  let spokeMs = performance.now();
  for (;;) {
    const found = await probe(url);
    const silentMs = performance.now() - spokeMs;
    switch (found.state) {
      case "ready": {
        if ((await realPath(found.folder)) !== folder) return undefined;
        const start = (await processStart(found.pid)) ?? "";
        return { endpoint, pid: found.pid, start };
      }
      case "foreign":
        return undefined;
      case "loading":
        spokeMs = performance.now();
        break;
      case "silent":
        if (recorded === undefined) {
          if (silentMs > unrecordedMs) return undefined;
        } else if ((await processStart(recorded.pid)) !== recorded.start) {
          return undefined;
        } else if (silentMs > timeoutMs) {
          log(`Redis (process ${recorded.pid}) hangs; ending it`);
          killQuietly(recorded.pid, "SIGKILL");
          await isGone(recorded.pid, recorded.start, timeoutMs);
          return undefined;
        }
        break;
    }
    await sleep(20);
  }
}

async function realPath(path: string | undefined): Promise<string | undefined> {
  return path === undefined ? undefined : realpath(path).catch(() => undefined);
}
