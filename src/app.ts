import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import { startErasures } from "./jobs/erasure.ts";
import type { ConsoleStreams } from "./roles/console-bot.ts";
import { gaugesOf } from "./roles/gauges.ts";
import { notifyKept } from "./jobs/notify-kept.ts";
import { createServices, type Services } from "./services.ts";
import type { Environment } from "./config/interpolation.ts";
import type { Settings } from "./config/settings.ts";
import type { Bot } from "./core/ports.ts";
import { createModels } from "./models/create-models.ts";
import { startSweeper } from "./queue/sweeper.ts";
import { answers } from "./store/redis/answers.ts";
import { abandon } from "./store/redis/connection.ts";
import { connectStore } from "./store/redis/connect.ts";
import { startEmbeddedRedis } from "./store/embedded/embedded-redis.ts";
import { unlessOutOfMemory } from "./store/redis/refusals.ts";

export interface AppOptions {
  readonly settings: Settings;
  readonly log: Logger;
  /** For the tools that fetch a Redis; PATH and the like. */
  readonly environment: Environment;
  /** Set when the console is to be opened. */
  readonly console: ConsoleStreams | undefined;
  /** Lines for a person who starts Parley by hand. */
  readonly say: (line: string) => void;
  /** Ends a start that is still going on, and receiving. */
  readonly signal: AbortSignal;
}

/** The HTTP server's report during start-up. */
interface Readiness {
  ready: boolean;
  /** Undefined until Redis has answered. */
  services: Services | undefined;
  bots: readonly Bot[];
}

/** How long Redis may take to answer the readiness probe. Milliseconds. */
const redisAnswerLimitMs = 1_500;
/** Time limit for the remaining work when Redis is gone. Milliseconds. */
const endWithoutRedisMs = 2_000;

/** A running Parley. Disposing hands running turns over and closes everything. */
export interface App extends AsyncDisposable {
  /** Fulfils when a bot has ended by itself: the console at the end of its input. */
  readonly ended: Promise<void>;
  readonly httpUrl: string | undefined;
}

/**
 * Starts the parts that this process' role needs, and fulfils when they are
 * ready.
 * @throws PermanentError for problems that an operator must fix: a refused
 * token, an unsuitable Redis.
 */
export async function startApp(options: AppOptions): Promise<App> {
  const { settings, log, signal } = options;
  await using parts = new AsyncDisposableStack();
  const redisUrl = await redisUrlOf(options, parts);
  // Before waiting for Redis, so that the supervisor's liveness probe succeeds.
  const readiness: Readiness = { ready: false, services: undefined, bots: [] };
  const httpUrl = await openHttp(options, readiness, parts);
  const store = await connectStore(redisUrl, log, signal);
  parts.defer(() => store.redis.disconnect());
  const services = createServices(settings, log, store);
  readiness.services = services;
  parts.use(services.waker);
  parts.use(
    startSweeper({
      store,
      waker: services.waker,
      expire: services.expire,
      onForgotten: (chat) => notifyKept(services, chat),
      log,
    }),
  );
  parts.use(startErasures(services));
  const models = createModels(settings.models, {
    onRetry: ({ card, failure, attempt }) =>
      log.warn(
        { model: card.id, kind: failure.kind, cause: failure.message, attempt },
        "a model attempt failed",
      ),
  });
  if (settings.role !== "bots") {
    const { startWorking } = await import("./roles/working.ts");
    parts.use(await startWorking(services, models, signal));
  }
  let ended = new Promise<void>(() => undefined);
  if (settings.role !== "worker") {
    const { createReceiving } = await import("./roles/receiving.ts");
    const receiving = parts.use(
      await createReceiving(services, {
        models,
        console: options.console,
        signal,
      }),
    );
    readiness.bots = receiving.bots;
    await sayClaimCode(options, services);
    await receiving.start();
    ended = Promise.race(receiving.bots.map((bot) => bot.ended));
  }
  readiness.ready = true;
  log.info("ready");
  const held = parts.move();
  return {
    ended,
    httpUrl,
    async [Symbol.asyncDispose]() {
      if (await answers(store.redis, redisAnswerLimitMs))
        return await held.disposeAsync();
      // Nothing can be released now: other processes take over when the leases
      // expire.
      log.warn("Redis does not answer; ending without it");
      abandon(store.redis);
      // BullMQ waits for a connection that is being made, however long that takes.
      await Promise.race([
        held.disposeAsync(),
        sleep(endWithoutRedisMs, undefined, { ref: false }),
      ]);
    },
  };
}

async function redisUrlOf(
  { settings, environment, say, signal }: AppOptions,
  parts: AsyncDisposableStack,
): Promise<string> {
  if (settings.redis.kind === "external") return settings.redis.url;
  const redis = await startEmbeddedRedis({
    dataFolder: settings.dataFolder,
    log: say,
    environment,
    signal,
  });
  return parts.use(redis).url;
}

async function openHttp(
  { settings, log }: AppOptions,
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
  const { startHttp } = await import("./http/server.ts");
  const server = await startHttp({
    host,
    port,
    unready,
    async paused() {
      const pauses = await readiness.services?.pauses.read().catch(() => ({}));
      return Object.keys(pauses ?? {});
    },
    webhook: (path) =>
      readiness.bots
        .flatMap((bot) => bot.webhook ?? [])
        .find((each) => each.path === path),
    gauges: gaugesOf(
      () => readiness.services,
      () => readiness.bots.map(({ id }) => id),
    ),
    log,
  });
  return parts.use(server).url;
}

/**
 * Until there is an admin, anyone who can read the process's output may become
 * the first.
 */
async function sayClaimCode(
  { settings, say, console: terminal }: AppOptions,
  { access, people }: Services,
): Promise<void> {
  if (
    terminal !== undefined ||
    settings.access.mode !== "pairing" ||
    (await access.admins()).length > 0
  )
    return;
  const code = await people
    .claimCode()
    // The next start has one; this one has more to do than to make admins.
    .catch(unlessOutOfMemory(undefined));
  if (code !== undefined)
    say(
      `No admin yet. To become the first, send this to the bot in a direct message: /start ${code}`,
    );
}
