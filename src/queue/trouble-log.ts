import type { Logger } from "pino";
import { messageOf } from "../core/errors.ts";
import { isPassingRefusal } from "../store/redis/refusals.ts";

/** The same trouble of one queue is said again after this, in ms. */
const againAfterMs = 60_000;
const maxRemembered = 100;

/**
 * Says what goes wrong in a queue, each thing once a minute at most. A connection that is lost, or a server that refuses for
 * now, is said by the connection itself, once for everybody who uses it.
 */
export function troubleLog(
  log: Logger,
  queue: string,
): (error: Error, message: string) => void {
  const saidAtMs = new Map<string, number>();
  return (error, message) => {
    const text = messageOf(error);
    if (isConnectionTrouble(error) || isPassingRefusal(error)) {
      log.debug({ error: text, queue }, message);
      return;
    }
    // Ids of jobs and digests of scripts make no new trouble.
    const kind = text.replaceAll(/[0-9a-f]*\d[0-9a-f]*/g, "#");
    const nowMs = performance.now();
    if (nowMs - (saidAtMs.get(kind) ?? -Infinity) < againAfterMs) return;
    if (saidAtMs.size >= maxRemembered) saidAtMs.clear();
    saidAtMs.set(kind, nowMs);
    log.warn({ error: text, queue }, message);
  };
}

/** What the operating system or the client says, as opposed to the server. */
const isConnectionTrouble = (error: Error): boolean =>
  ("code" in error && typeof error.code === "string") ||
  /Connection is closed|ETIMEDOUT|Command timed out|max retries/i.test(
    error.message,
  );
