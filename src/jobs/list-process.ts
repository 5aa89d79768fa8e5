import { hostname } from "node:os";
import { messageOf } from "../core/errors.ts";
import { createProcesses } from "../store/operations/processes.ts";
import type { Services } from "../services.ts";
import { ownVersion } from "../util/version.ts";
import { measureLoad } from "./process-load.ts";

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
  const note = (): Promise<void> =>
    processes
      .note(id, {
        version: ownVersion(),
        role: settings.role,
        host: hostname(),
        pid: process.pid,
        clockAheadMs: Date.now() - store.clock.now(),
        sinceMs: Math.round(store.clock.now() - process.uptime() * 1_000),
        ...load.read(),
      })
      // Such as a full memory: doctor then knows less.
      .catch((error: unknown) => log.debug({ error: messageOf(error) }, "not listed for doctor"));
  let noting = note();
  const timer = setInterval(() => {
    noting = note();
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
