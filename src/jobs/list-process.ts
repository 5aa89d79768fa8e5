import { hostname } from "node:os";
import { messageOf } from "../core/errors.ts";
import { createProcesses } from "../store/operations/processes.ts";
import type { Services } from "../services.ts";
import { ownVersion } from "../util/version.ts";
import { measureLoad, type ProcessLoad } from "./process-load.ts";

const usualIntervalMs = 60_000;

/**
 * Says once a minute that this process runs, and how busy it was, for `npm run doctor` and the
 * operator's page; until it is disposed of.
 */
export function listProcess(
  {
    processId: id,
    settings,
    store,
    log,
  }: Pick<Services, "processId" | "settings" | "store" | "log">,
  intervalMs: number = usualIntervalMs,
): AsyncDisposable {
  const processes = createProcesses(store);
  const load = measureLoad();
  const note = (measured: Partial<ProcessLoad>): Promise<void> =>
    processes
      .note(id, {
        version: ownVersion(),
        role: settings.role,
        host: hostname(),
        pid: process.pid,
        clockAheadMs: Date.now() - store.clock.now(),
        sinceMs: Math.round(store.clock.now() - process.uptime() * 1_000),
        ...measured,
      })
      // Such as a full memory: doctor then knows less.
      .catch((error: unknown) => log.debug({ error: messageOf(error) }, "not listed for doctor"));
  // Nothing but the start was measured: it says nothing of how busy the process is.
  let noting = note({ memoryBytes: load.read().memoryBytes });
  const timer = setInterval(() => {
    noting = note(load.read());
  }, intervalMs).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      load[Symbol.dispose]();
      await noting;
      await processes.remove(id).catch(() => undefined); // It is left out soon.
    },
  };
}
