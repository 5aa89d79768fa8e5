import { hostname } from "node:os";
import { messageOf } from "../core/errors.ts";
import { createProcesses } from "../store/operations/processes.ts";
import type { Services } from "../services.ts";
import { ownVersion } from "../util/version.ts";

const intervalMs = 60_000;

/** Says once a minute that this process runs, for `npm run doctor`; until it is disposed of. */
export function listProcess({
  processId: id,
  settings,
  store,
  log,
}: Pick<Services, "processId" | "settings" | "store" | "log">): AsyncDisposable {
  const processes = createProcesses(store);
  const note = (): Promise<void> =>
    processes
      .note(id, {
        version: ownVersion(),
        role: settings.role,
        host: hostname(),
        pid: process.pid,
        clockAheadMs: Date.now() - store.clock.now(),
        sinceMs: Math.round(store.clock.now() - process.uptime() * 1_000),
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
      await noting;
      await processes.remove(id).catch(() => undefined); // It is left out soon.
    },
  };
}
