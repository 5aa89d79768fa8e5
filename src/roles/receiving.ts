import { createAccept } from "../ingress/create-accept.ts";
import type { Accept } from "../core/inbound.ts";
import type { Bot } from "../core/ports.ts";
import { deliverChat } from "../delivery/deliver-chat.ts";
import { costOf } from "../models/cost.ts";
import type { ModelCatalogue } from "../models/create-models.ts";
import type { GivenDeps, ViewDeps } from "../page/view.ts";
import { relayCard } from "../approvals/relay-card.ts";
import { createDeliveryWorker } from "../queue/delivery-worker.ts";
import { acceptDeps } from "./accept-deps.ts";
import { startBroadcasts } from "../jobs/broadcast.ts";
import { askAgain, consoleBot } from "./console-bot.ts";
import type { ConsoleStreams } from "./console-streams.ts";
import { paceOf } from "./pace-of.ts";
import { notifyUndelivered } from "../jobs/notify-undelivered.ts";
import { watchPlatforms, type PlatformWatches } from "../jobs/notify-platforms.ts";
import { keepConnected } from "../jobs/keep-connected.ts";
import { heartbeatMs, type Services } from "../services.ts";

/** Chats of one bot that are sent to at the same time. */
const concurrency = 100;

export interface Receiving extends AsyncDisposable {
  readonly bots: readonly Bot[];
  /** Undefined: the operator's page is off. */
  readonly pageUrl: string | undefined;
  /**
   * Opens the connections; fulfils when every platform delivers to us.
   * @param onStarted called for each bot when its platform does.
   * @throws PermanentError for a refused token
   */
  start(onStarted: (bot: Bot) => Promise<void>): Promise<void>;
}

/** The bots' half: receives, decides, runs commands and delivers. */
export async function createReceiving(
  services: Services,
  options: {
    readonly models: ModelCatalogue;
    readonly console: ConsoleStreams | undefined;
    readonly signal: AbortSignal;
  },
): Promise<Receiving> {
  await using parts = new AsyncDisposableStack();
  // Disposed after the bots, which report to it.
  const watches = parts.use(watchPlatforms(services));
  // Before anything is delivered: a card that is still on its way is not asked twice.
  if (options.console) await askAgain(services);
  let bots: readonly Bot[] = [];
  const botIds = () => bots.map(({ id }) => id);
  let pageUrl: string | undefined;
  const deps = acceptDeps(services, options.models, { bots: botIds, pageUrl: () => pageUrl });
  const accept = createAccept(deps);
  bots = await createBots(services, accept, { ...options, watchOf: watches.of });
  const connected = parts.use(keepConnected(services));
  parts.use(startBroadcasts(services, { bots: botIds }));
  pageUrl = await openPage({ services, commands: deps, costOf: costIn(options.models) }, parts);
  for (const bot of bots) {
    // Disposed after the worker, which may still be waiting for its answer.
    parts.use(bot);
    const delivery = {
      outbox: services.outbox,
      relay: (entry: Parameters<typeof relayCard>[1]) => relayCard(services, entry),
      blobs: services.blobs,
      sender: bot.sender,
      pace: paceOf(services, bot),
      heartbeatMs,
      now: () => services.store.clock.now(),
      metrics: services.metrics,
      onUndelivered: notifyUndelivered(services),
      log: services.log,
    };
    parts.use(
      createDeliveryWorker({
        connection: services.store.redis,
        bot: bot.id,
        concurrency,
        drain: (chat, signal) => deliverChat(delivery, chat, signal),
        waker: services.waker,
        signal: options.signal,
        log: services.log,
      }),
    );
  }
  const held = parts.move();
  return {
    bots,
    pageUrl,
    async start(onStarted) {
      await Promise.all(
        bots.map(async (bot) => {
          await bot.start();
          await onStarted(bot);
          // Not awaited: with Redis away it waits, and the platform delivers already.
          void connected.add(bot.id);
        }),
      );
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

async function openPage(deps: GivenDeps, parts: AsyncDisposableStack): Promise<string | undefined> {
  const { page } = deps.services.settings;
  if (!page.enabled) return undefined;
  const { startPage } = await import("../page/server.ts");
  return parts.use(await startPage(deps, page)).url;
}

const costIn =
  (models: ModelCatalogue): ViewDeps["costOf"] =>
  (model, usage) => {
    const card = models.chain("balanced", model).cards.find(({ id }) => id === model);
    return card && costOf(card, usage);
  };

/** A platform's client is loaded by who speaks to that platform: each is a good part of a start. */
async function createBots(
  services: Services,
  accept: Accept,
  options: {
    readonly models: ModelCatalogue;
    readonly console: ConsoleStreams | undefined;
    readonly watchOf: PlatformWatches["of"];
    readonly signal: AbortSignal;
  },
): Promise<Bot[]> {
  const { telegram, discord } = services.settings;
  const { console, watchOf, signal } = options;
  const bots: Bot[] = [];
  if (telegram.enabled) {
    const { telegramBot } = await import("./telegram-bot.ts");
    bots.push(telegramBot(services, accept, { settings: telegram, watchOf, signal }));
  }
  if (discord.enabled) {
    const { discordBot } = await import("./discord-bot.ts");
    const { models } = options;
    bots.push(discordBot(services, accept, { settings: discord, models, watchOf, signal }));
  }
  if (console)
    bots.push(await consoleBot(services, accept, { streams: console, models: options.models }));
  return bots;
}
