import type { Logger } from "pino";
import { messageOf } from "../core/errors.ts";
import { isPassingRefusal } from "../store/redis/refusals.ts";

/** The same error of one queue is logged again after this, in ms. */
const againAfterMs = 60_000;
const maxRemembered = 100;

/**
 * Logs the errors of a queue, each once a minute at most. The connection itself logs a lost
 * connection or a transient refusal, once for all its users.
 */
export function queueErrorLog(log: Logger, queue: string): (error: Error, message: string) => void {
  const saidAtMs = new Map<string, number>();
  return (error, message) => {
    const text = messageOf(error);
    if (isConnectionError(error) || isPassingRefusal(error)) {
      log.debug({ error: text, queue }, message);
      return;
    }
    // Errors that differ only in job ids or script digests count as the same.
    const kind = text.replaceAll(/[0-9a-f]*\d[0-9a-f]*/g, "#");
    const nowMs = performance.now();
    if (nowMs - (saidAtMs.get(kind) ?? -Infinity) < againAfterMs) return;
    if (saidAtMs.size >= maxRemembered) saidAtMs.clear();
    saidAtMs.set(kind, nowMs);
    log.warn({ error: text, queue }, message);
  };
}

/** Errors of the operating system or the client, not of the server. */
const isConnectionError = (error: Error): boolean =>
  ("code" in error && typeof error.code === "string") ||
  /Connection is closed|ETIMEDOUT|Command timed out|max retries/i.test(error.message);
