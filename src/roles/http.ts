import { noMetrics, type Metrics } from "../core/metrics.ts";
import type { Bot } from "../core/ports.ts";
import type { Settings } from "../config/settings.ts";
import type { Logger } from "pino";
import type { Services } from "../services.ts";
import { answers } from "../store/redis/answers.ts";
import { gaugesOf, redisAnswerLimitMs } from "./gauges.ts";

/** What the HTTP server reports while the start goes on. */
export interface Readiness {
  ready: boolean;
  /** Undefined until Redis has answered. */
  services: Services | undefined;
  bots: readonly Bot[];
}

/** Starts the HTTP server, if it is enabled; without it, nothing is counted. */
export async function openHttp(
  { settings, log }: { readonly settings: Settings; readonly log: Logger },
  readiness: Readonly<Readiness>,
  parts: AsyncDisposableStack,
): Promise<{ readonly url: string | undefined; readonly metrics: Metrics }> {
  if (!settings.http.enabled) return { url: undefined, metrics: noMetrics };
  const { host, port } = settings.http;
  const unready = async () => {
    const { services, ready } = readiness;
    if (services === undefined) return "waiting for Redis";
    if (!ready) return "still starting";
    const isThere = await answers(services.store.redis, redisAnswerLimitMs);
    return isThere ? undefined : "Redis does not answer";
  };
  const [{ startHttp }, { createMetrics }] = await Promise.all([
    import("../http/server.ts"),
    import("../http/metrics.ts"),
  ]);
  const metrics = createMetrics();
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
    registry: metrics.registry,
    gauges: gaugesOf({
      services: () => readiness.services,
      bots: () => readiness.bots.map(({ id }) => id),
      role: settings.role,
    }),
    log,
  });
  return { url: parts.use(server).url, metrics };
}
