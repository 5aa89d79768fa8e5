import type { Logger } from "pino";
import { startErasures } from "./jobs/erasure.ts";
import { introduce } from "./roles/introduce.ts";
import type { ConsoleStreams } from "./roles/console-streams.ts";
import { redisAnswerLimitMs } from "./roles/gauges.ts";
import { openHttp, type Readiness } from "./roles/http.ts";
import { startModelCheck } from "./jobs/check-models.ts";
import { embedHistories, indexHistories } from "./jobs/index-histories.ts";
import { fireSchedules, spreadCrowds } from "./jobs/fire-schedules.ts";
import { listProcess } from "./jobs/list-process.ts";
import { notifyKept } from "./jobs/notify-kept.ts";
import { sayInConsole } from "./roles/say-in-console.ts";
import { createServices, type Services } from "./services.ts";
import type { Environment } from "./config/interpolation.ts";
import type { Settings } from "./config/settings.ts";
import { logFileIn } from "./logging/log-target.ts";
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
  const { metrics, url: httpUrl } = await openHttp(options, readiness, parts);
  const store = await connectStore(redisUrl, log, signal, options.say);
  parts.defer(() => store.redis.disconnect());
  const services = await traced(createServices(settings, { log, metrics }, store), parts);
  readiness.services = services;
  // After everything that counts.
  parts.defer(() => services.limits.flush());
  parts.use(services.waker);
  const firing = { ...services, now: () => store.clock.now() };
  parts.use(
    startSweeper({
      store,
      waker: services.waker,
      expire: services.expire,
      onForgotten: (chat) => notifyKept(services, chat),
      spread: (due) => spreadCrowds(firing, due),
      fire: (due) => fireSchedules(firing, due),
      index: (names, ending) => indexHistories(services, names, ending),
      embed: (names, ending) => embedHistories(services, names, ending),
      log,
    }),
  );
  parts.use(startErasures(services));
  parts.use(listProcess(services));
  const models = createModels(settings.models, {
    onRetry: ({ card, failure, attempt }) =>
      log.warn(
        { model: card.id, kind: failure.kind, cause: failure.message, attempt },
        "a model attempt failed",
      ),
    onAttempt: ({ card, failure, stopped }) =>
      metrics.modelCalled({
        model: card.id,
        outcome: failure?.kind ?? (stopped ? "stopped" : "answered"),
      }),
  });
  if (settings.role !== "bots") {
    const { startWorking } = await import("./roles/working.ts");
    const logFile = options.console && logFileIn(settings.dataFolder);
    const say = sayTo(options, services);
    parts.use(await startWorking(services, models, { signal, say, logFile }));
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
    if (receiving.pageUrl !== undefined) options.say(`Operator's page: ${receiving.pageUrl}`);
    await receiving.start(async (bot) => await introduce(services, bot, options));
    ended = Promise.race(receiving.bots.map((bot) => bot.ended));
  }
  readiness.ready = true;
  if (settings.role !== "bots") parts.use(startModelCheck(services, sayTo(options, services)));
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

/** While a terminal is open, its lines are the conversation's. */
const sayTo = ({ console, say }: AppOptions, services: Services) =>
  console?.isTerminal ? sayInConsole(services) : say;

/** The services with what exports spans around them; without an endpoint as they are. */
async function traced(services: Services, parts: AsyncDisposableStack): Promise<Services> {
  if (services.settings.tracing === undefined) return services;
  const { startTracing } = await import("./roles/tracing.ts");
  return await startTracing(services, parts);
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
