import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { processStart } from "../operations/process-identity.ts";
import { serverUrl } from "./server-process.ts";

const endpointSchema = z.object({
  v: z.literal(1),
  /**
   * 0 with a socket: a version without socket support can't connect, ends the
   * recorded process after five seconds and starts its own.
   */
  port: z.number(),
  /** Empty with a socket, which only the folder's owner can open. */
  password: z.string(),
  /** The Unix socket's path; absent: it listens on the port. */
  socket: z.string().exactOptional(),
  /** The data's folder: a copy of this file elsewhere speaks of another server. */
  folder: z.string(),
  /** Absent for the moment between the decision for a port and the start of the process. */
  process: z.object({ pid: z.number(), start: z.string() }).or(z.undefined()).optional(),
});
/**
 * Where the embedded server of a data folder listens; stored in `redis/endpoint.json`, readable by
 * its owner alone.
 */
export type Endpoint = Readonly<z.infer<typeof endpointSchema>>;

const fileIn = (redisFolder: string) => join(redisFolder, "endpoint.json");

/**
 * Replaces the file in one step, at once: nothing may come between a server's start and this record
 * of it.
 */
export function writeEndpoint(redisFolder: string, endpoint: Endpoint): void {
  const draft = `${fileIn(redisFolder)}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(endpoint), { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, fileIn(redisFolder));
}

/** Undefined if there is none, or if another program wrote it. */
export function readEndpoint(redisFolder: string): Endpoint | undefined {
  try {
    const content: unknown = JSON.parse(readFileSync(fileIn(redisFolder), "utf8"));
    return endpointSchema.parse(content);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EACCES" || code === "EPERM") throw error;
    return undefined;
  }
}

export function removeEndpoint(redisFolder: string): void {
  rmSync(fileIn(redisFolder), { force: true });
}

/**
 * How to reach the embedded Redis of a running Parley, for commands that run at
 * the same time. Undefined if none runs.
 * @throws Error (EACCES) when it belongs to another user.
 */
export async function readEmbeddedEndpoint(
  dataFolder: string,
): Promise<{ readonly url: string; readonly pid: number } | undefined> {
  const endpoint = readEndpoint(resolve(dataFolder, "redis"));
  if (endpoint?.process === undefined) return undefined;
  const { pid, start } = endpoint.process;
  const isAlive = (await processStart(pid)) === start;
  const url = serverUrl(endpoint);
  return isAlive ? { url, pid } : undefined;
}
