import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { createAccept } from "../accept/create-accept.ts";
import { createConsoleBot } from "../bots/console/create-console-bot.ts";
import { createDiscordBot } from "../bots/discord/create-discord-bot.ts";
import { createTelegramBot } from "../bots/telegram/create-telegram-bot.ts";
import { allCommands } from "../commands/all-commands.ts";
import type { ChatKey } from "../core/chat.ts";
import type { Accept } from "../core/inbound.ts";
import { cardEntryId, cardOf } from "../core/outbox.ts";
import type { Bot } from "../core/ports.ts";
import { deliverChat } from "../deliver/deliver-chat.ts";
import { createDrainWorker } from "../queue/drain-worker.ts";
import { deliveryQueueName } from "../queue/names.ts";
import { readChatStatus, readUnattended } from "../store/chat-status.ts";
import { createRegistration } from "../store/registration.ts";
import { heartbeatMs, type Services } from "./services.ts";

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
    readonly modelName: string;
    readonly console: ConsoleStreams | undefined;
    readonly signal: AbortSignal;
  },
): Promise<Receiving> {
  // Before anything is delivered: a card that is still on its way is not asked twice.
  if (options.console) await askAgain(services);
  const accept = createAccept(acceptDeps(services, options.modelName));
  const bots = createBots(services, accept, options);
  await using parts = new AsyncDisposableStack();
  for (const bot of bots) {
    // Disposed behind the worker: what the worker is sending is still being answered.
    parts.use(bot);
    const deps = {
      outbox: services.outbox,
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

function acceptDeps(
  { store, inbox, people, access, approvals, waker, post }: Services,
  modelName: string,
) {
  const wakeTurn = (chat: ChatKey) => waker.wake("turn", chat);
  return {
    access,
    people,
    approvals,
    commandDeps: {
      inbox,
      access,
      pairing: { access, people, post },
      status: (chat: ChatKey) => readChatStatus(store, chat),
      wakeTurn,
      modelName,
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
      return status.activity === "idle" && status.undelivered > 0
        ? "running"
        : status.activity;
    };
    bots.push(
      createConsoleBot({
        ...options.console,
        accept,
        commands,
        activity,
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

/** Tells a person whose message nobody has taken for a while that it is kept. Once per message. */
export async function tellKept(
  services: Services,
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
    text: "All workers are busy or down just now. Your message is kept and will be answered.",
    silent: true,
    ...(entry.group && entry.messageId !== undefined
      ? { replyTo: entry.messageId }
      : {}),
  });
}
