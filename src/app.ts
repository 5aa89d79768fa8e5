import type { Logger } from "pino";
import { startErasures } from "./jobs/erasure.ts";
import { sayClaimCode } from "./roles/claim-code.ts";
import type { ConsoleStreams } from "./roles/console-streams.ts";
import { openHttp, redisAnswerLimitMs, type Readiness } from "./roles/http.ts";
import { notifyKept } from "./jobs/notify-kept.ts";
import { createServices } from "./services.ts";
import type { Environment } from "./config/interpolation.ts";
import type { Settings } from "./config/settings.ts";
import { createModels } from "./models/create-models.ts";
import { startSweeper } from "./queue/sweeper.ts";
import { answers } from "./store/redis/answers.ts";
import { abandon } from "./store/redis/connection.ts";
import { connectStore } from "./store/redis/connect.ts";
import { startEmbeddedRedis } from "./store/embedded/embedded-redis.ts";
import { sleepUnref } from "./util/sleep.ts";

export interface AppOptions {
  readonly settings: Settings;
  readonly log: Logger;
  /** For the tools that fetch a Redis; PATH and the like. */
  readonly environment: Environment;
  /** Set when the console is to be opened. */
  readonly console: ConsoleStreams | undefined;
  /** Lines for a person who starts Parley by hand. */
  readonly say: (line: string) => void;
  /** How wide the terminal is that shows these lines. Undefined: none does, or it can't draw. */
  readonly columns: number | undefined;
  /** Ends a start that is still going on, and receiving. */
  readonly signal: AbortSignal;
}

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
  // After everything that counts.
  parts.defer(() => services.limits.flush());
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
    await receiving.start(async (bot) => await sayClaimCode(services, bot, options));
    ended = Promise.race(receiving.bots.map((bot) => bot.ended));
  }
  readiness.ready = true;
  log.info("ready");
  const held = parts.move();
  return {
    ended,
    httpUrl,
    async [Symbol.asyncDispose]() {
      if (await answers(store.redis, redisAnswerLimitMs)) return await held.disposeAsync();
      // Nothing can be released now: other processes take over when the leases
      // expire.
      log.warn("Redis does not answer; ending without it");
      abandon(store.redis);
      // BullMQ waits for a connection that is being made, however long that takes.
      await Promise.race([held.disposeAsync(), sleepUnref(endWithoutRedisMs)]);
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
