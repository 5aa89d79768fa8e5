import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Logger } from "pino";
import { createAccept } from "../accept/create-accept.ts";
import type { AcceptDeps } from "../accept/deps.ts";
import { createConsoleBot } from "../bots/console/create-console-bot.ts";
import { saveFilesIn } from "../bots/console/send/save-files-in.ts";
import { createDiscordBot } from "../bots/discord/create-discord-bot.ts";
import { createTelegramBot } from "../bots/telegram/create-telegram-bot.ts";
import { allCommands } from "../commands/all-commands.ts";
import { limitLeaves } from "../config/file-turn.ts";
import { nearest } from "../config/nearest.ts";
import type { ChatKey } from "../core/chat.ts";
import type { Accept } from "../core/inbound.ts";
import { cardEntryId, cardOf } from "../core/outbox.ts";
import type { Bot } from "../core/ports.ts";
import { deliverChat } from "../deliver/deliver-chat.ts";
import type { ModelCatalogue } from "../models/create-models.ts";
import { createDrainWorker } from "../queue/drain-worker.ts";
import { deliveryQueueName } from "../queue/names.ts";
import { createChatSettings } from "../store/chat-settings.ts";
import {
  readAuto,
  readChatStatus,
  readUnattended,
} from "../store/chat-status.ts";
import { readHistory } from "../store/history.ts";
import { createRegistration } from "../store/registration.ts";
import { heartbeatMs, type Services } from "./services.ts";
import { turnDefaults } from "./turn-defaults.ts";

/** Chats of one bot that are sent to at the same time. */
const concurrency = 100;
/** A message that nobody has taken for this long gets the line that it is kept. */
const keptAfterMs = 15_000;
const keptWindowMs = 3_600_000;

/** The terminal or pipe that the process was started in. */
export interface ConsoleStreams {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly isTerminal: boolean;
  readonly color: boolean;
}

export interface Receiving extends AsyncDisposable {
  readonly bots: readonly Bot[];
  /** Opens the connections; fulfils when every platform delivers to us. @throws PermanentError for a refused token */
  start(): Promise<void>;
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
  // Before anything is delivered: a card that is still on its way is not asked twice.
  if (options.console) await askAgain(services);
  const accept = createAccept(acceptDeps(services, options.models));
  const bots = createBots(services, accept, options);
  await using parts = new AsyncDisposableStack();
  for (const bot of bots) {
    // Disposed behind the worker: what the worker is sending is still being answered.
    parts.use(bot);
    const deps = {
      outbox: services.outbox,
      blobs: services.blobs,
      sender: bot.sender,
      heartbeatMs,
      now: Date.now,
      log: services.log,
    };
    const worker = parts.use(
      createDrainWorker({
        connection: services.store.redis,
        queueName: deliveryQueueName(bot.id),
        mailbox: "delivery",
        concurrency,
        drain: (chat, signal) => deliverChat(deps, chat, signal),
        waker: services.waker,
        signal: options.signal,
        log: services.log,
      }),
    );
    await worker.ready;
  }
  const held = parts.move();
  return {
    bots,
    async start() {
      await Promise.all(bots.map((bot) => bot.start()));
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

function acceptDeps(services: Services, models: ModelCatalogue): AcceptDeps {
  const { store, inbox, people, access, approvals, waker, post } = services;
  const wakeTurn = (chat: ChatKey) => waker.wake("turn", chat);
  return {
    access,
    people,
    approvals,
    commandDeps: {
      inbox,
      access,
      pairing: { access, people, post },
      settings: createChatSettings(store),
      status: (chat) => readChatStatus(store, chat),
      runningAuto: (chat) => readAuto(store, chat),
      wakeTurn,
      models: {
        keys: models.keys,
        tiers: models.tiers,
        aliases: models.aliases,
        modelsOf: (tier, first) =>
          models.chain(tier, first).cards.map(({ id }) => id),
      },
      defaults: turnDefaults(services.settings),
      limits: limitLeaves,
      nearest,
      history: (chat) => readHistory(store, chat),
      blobs: services.blobs,
      async post(chat, entry) {
        const [ingested] = await Promise.all([
          inbox.post(chat, entry),
          waker.wake("delivery", chat),
        ]);
        return ingested;
      },
      commands: allCommands,
      now: Date.now,
    },
    wake: {
      turn: wakeTurn,
      delivery: (chat: ChatKey) => waker.wake("delivery", chat),
      turnAt: (chat: ChatKey, atMs: number) => waker.wakeAt("turn", chat, atMs),
    },
  };
}

function createBots(
  services: Services,
  accept: Accept,
  options: {
    readonly console: ConsoleStreams | undefined;
    readonly signal: AbortSignal;
  },
): Bot[] {
  const { settings, store, log } = services;
  const { signal } = options;
  const commands = allCommands.map(({ spec }) => spec);
  const bots: Bot[] = [];
  if (settings.telegram.enabled) {
    const { token, apiRoot } = settings.telegram;
    bots.push(
      createTelegramBot({
        token,
        apiRoot,
        accept,
        commands,
        log: childOf(log, "telegram"),
        signal,
      }),
    );
  }
  if (settings.discord.enabled) {
    const { token, apiRoot, messageContent } = settings.discord;
    const registration = createRegistration(store, "discord");
    bots.push(
      createDiscordBot({
        token,
        apiRoot,
        accept,
        commands,
        log: childOf(log, "discord"),
        signal,
        settings: { messageContent },
        registration,
      }),
    );
  }
  if (options.console) {
    const activity = async () => {
      const status = await readChatStatus(store, consoleChat);
      if (status.activity === "waiting") return "waiting";
      const isQuiet = status.entries === 0 && status.undelivered === 0;
      return status.activity === "idle" && isQuiet ? "idle" : "running";
    };
    bots.push(
      createConsoleBot({
        ...options.console,
        accept,
        commands,
        activity,
        saveFile: saveFilesIn(join(settings.dataFolder, "files")),
        log: childOf(log, "console"),
        greeting,
      }),
    );
  }
  return bots;
}

const consoleChat = "console:local:main" as ChatKey;
/** A terminal that is opened anew shows nothing of before: what still waits for a decision is asked again. */
async function askAgain({ approvals, post }: Services): Promise<void> {
  for (const approval of await approvals.shownOf(consoleChat)) {
    await post(consoleChat, {
      kind: "card",
      v: 1,
      id: `${cardEntryId(approval.id)}-${randomUUID()}`,
      card: cardOf(approval),
    });
  }
}

const greeting =
  "This is Parley. Write something; /help shows all commands, /quit ends.";

const childOf = (log: Logger, bot: string): Logger => log.child({ bot });

/** Tells a person whose message or order nobody has taken for a while that it is kept. Once for each. */
export async function tellKept(
  services: Pick<Services, "store" | "people" | "post">,
  chat: ChatKey,
): Promise<void> {
  const entry = await readUnattended(services.store, chat);
  if (entry === undefined || Date.now() - entry.atMs < keptAfterMs) return;
  if (
    !(await services.people.mayTell(
      `kept:${chat}:${entry.id}`,
      randomUUID(),
      keptWindowMs,
    ))
  )
    return;
  await services.post(chat, {
    kind: "notice",
    v: 1,
    id: `kept-${entry.id}`,
    text: `All workers are busy or down just now. ${
      entry.kind === "message"
        ? "Your message is kept and will be answered."
        : `Your /${entry.control} is kept and will be carried out.`
    }`,
    silent: true,
    ...(entry.group && entry.messageId !== undefined
      ? { replyTo: entry.messageId }
      : {}),
  });
}
