import type { Logger } from "pino";
import { settingsWithoutEffect } from "./app/not-yet.ts";
import {
  createReceiving,
  tellKept,
  type ConsoleStreams,
} from "./app/receiving.ts";
import { createServices, type Services } from "./app/services.ts";
import { startWorking } from "./app/working.ts";
import type { Environment } from "./config/interpolation.ts";
import type { Settings } from "./config/settings.ts";
import { startHttp } from "./http/server.ts";
import { createModels } from "./models/create-models.ts";
import { startSweeper } from "./queue/sweeper.ts";
import { connectStore } from "./store/connect.ts";
import { startEmbeddedRedis } from "./store/embedded/embedded-redis.ts";
import type { Store } from "./store/redis.ts";

export interface AppOptions {
  readonly settings: Settings;
  readonly log: Logger;
  /** For the tools that fetch a Redis; PATH and the like. */
  readonly environment: Environment;
  /** Set when the console is to be opened. */
  readonly console: ConsoleStreams | undefined;
  /** Lines for whoever starts Parley by hand. */
  readonly say: (line: string) => void;
  /** Ends a start that is still going on, and receiving. */
  readonly signal: AbortSignal;
}

/** A running Parley. Disposing hands running turns over and closes everything. */
export interface App extends AsyncDisposable {
  /** Fulfils when a bot has ended by itself: the console's end of input. */
  readonly ended: Promise<void>;
  readonly httpUrl: string | undefined;
}

/**
 * Joins the parts that this process' role needs, and fulfils when it is ready.
 * @throws PermanentError for what an operator must mend: a refused token, an unsuitable Redis.
 */
export async function startApp(options: AppOptions): Promise<App> {
  const { settings, log, signal } = options;
  for (const name of settingsWithoutEffect(settings)) {
    log.warn({ name }, "this setting has no effect in this version yet");
  }
  await using parts = new AsyncDisposableStack();
  const store = await openRedis(options, parts);
  const services = createServices(settings, log, store);
  parts.use(services.waker);
  parts.use(
    startSweeper({
      store,
      waker: services.waker,
      expire: services.expire,
      onForgotten: (chat) =>
        settings.role === "worker"
          ? Promise.resolve()
          : tellKept(services, chat),
      log,
    }),
  );
  const models = createModels(settings.models, {
    onRetry: ({ card, failure, attempt }) =>
      log.warn(
        { model: card.id, kind: failure.kind, cause: failure.message, attempt },
        "a model attempt failed",
      ),
  });
  if (settings.role !== "bots")
    parts.use(await startWorking(services, models, signal));
  const readiness = { ready: false };
  const httpUrl = await openHttp(options, store, readiness, parts);
  let ended = new Promise<void>(() => undefined);
  if (settings.role !== "worker") {
    const receiving = parts.use(
      await createReceiving(services, {
        models,
        console: options.console,
        signal,
      }),
    );
    await sayClaimCode(options, services);
    await receiving.start();
    ended = Promise.race(receiving.bots.map((bot) => bot.ended));
  }
  readiness.ready = true;
  log.info({ role: settings.role }, "ready");
  const held = parts.move();
  return { ended, httpUrl, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

async function openRedis(
  { settings, log, environment, say, signal }: AppOptions,
  parts: AsyncDisposableStack,
): Promise<Store> {
  let url: string;
  if (settings.redis.kind === "embedded") {
    const redis = await startEmbeddedRedis({
      dataFolder: settings.dataFolder,
      log: say,
      environment,
      signal,
    });
    url = parts.use(redis).url;
  } else {
    ({ url } = settings.redis);
  }
  const store = await connectStore(url, log, signal);
  parts.defer(() => store.redis.disconnect());
  return store;
}

async function openHttp(
  { settings, log }: AppOptions,
  store: Store,
  readiness: { readonly ready: boolean },
  parts: AsyncDisposableStack,
): Promise<string | undefined> {
  if (!settings.http.enabled) return undefined;
  const { host, port } = settings.http;
  const unready = () => {
    if (!readiness.ready) return Promise.resolve("still starting");
    return Promise.resolve(
      store.redis.status === "ready" ? undefined : "Redis is not connected",
    );
  };
  return parts.use(await startHttp({ host, port, unready, log })).url;
}

/** Until there is an admin, whoever can read what the process prints may become the first. */
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
  const code = await people.claimCode();
  if (code !== undefined)
    say(
      `No admin yet. To become the first, send this to the bot in a direct message: /start ${code}`,
    );
}
