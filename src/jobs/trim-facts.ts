import { messageOf } from "../core/errors.ts";
import type { Services } from "../services.ts";
import { trimPersonFacts } from "../store/memory/facts.ts";

/** How often it is looked whether a day is over. Milliseconds. */
const intervalMs = 60_000;

/**
 * Drops people's own facts that are older than the retention, once a day in one process. A turn of
 * theirs does it, too; this is for those who no longer write.
 */
export function startFactTrim({
  store,
  log,
  retentionMs,
}: Pick<Services, "store" | "log"> & { readonly retentionMs: number }): AsyncDisposable {
  const ending = new AbortController();
  let running: Promise<void> | undefined;
  const trim = async (): Promise<void> => {
    try {
      await trimPersonFacts(store, retentionMs, ending.signal);
    } catch (error) {
      log.warn({ error: messageOf(error) }, "old facts could not be dropped");
    }
    running = undefined;
  };
  const timer = setInterval(() => {
    running ??= trim();
  }, intervalMs).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      ending.abort();
      await running;
    },
  };
}
