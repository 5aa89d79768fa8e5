import type { Bot } from "../core/ports.ts";
import type { Settings } from "../config/settings.ts";
import type { Logger } from "pino";
import type { Services } from "../services.ts";
import { answers } from "../store/redis/answers.ts";
import { gaugesOf } from "./gauges.ts";

/** What the HTTP server reports while the start goes on. */
export interface Readiness {
  ready: boolean;
  /** Undefined until Redis has answered. */
  services: Services | undefined;
  bots: readonly Bot[];
}

/** How long Redis may take to answer the readiness probe. Milliseconds. */
export const redisAnswerLimitMs = 1_500;

/** Starts the HTTP server, if it is enabled. Returns its address. */
export async function openHttp(
  { settings, log }: { readonly settings: Settings; readonly log: Logger },
  readiness: Readonly<Readiness>,
  parts: AsyncDisposableStack,
): Promise<string | undefined> {
  if (!settings.http.enabled) return undefined;
  const { host, port } = settings.http;
  const unready = async () => {
    const { services, ready } = readiness;
    if (services === undefined) return "waiting for Redis";
    if (!ready) return "still starting";
    const isThere = await answers(services.store.redis, redisAnswerLimitMs);
    return isThere ? undefined : "Redis does not answer";
  };
  const { startHttp } = await import("../http/server.ts");
  const server = await startHttp({
    host,
    port,
    unready,
    async paused() {
      const pauses = await readiness.services?.pauses.read().catch(() => ({}));
      return Object.keys(pauses ?? {});
    },
    webhook: (path) =>
      readiness.bots.flatMap((bot) => bot.webhook ?? []).find((each) => each.path === path),
    gauges: gaugesOf(
      () => readiness.services,
      () => readiness.bots.map(({ id }) => id),
    ),
    log,
  });
  return parts.use(server).url;
}
