import { Api } from "grammy";
import type { Logger } from "pino";
import { PermanentError } from "../../core/errors.ts";
import type { Accept } from "../../core/inbound.ts";
import type { PlatformWatch } from "../../core/outage.ts";
import type { Bot, ChatMoves, CommandSpec, Leases, NoteReach } from "../../core/ports.ts";
import { pooledFetch } from "../../util/pooled-fetch.ts";
import { sleep, type Sleep } from "../../util/sleep.ts";
import { TelegramBot } from "./telegram-bot.ts";
import type { Registration } from "./webhook/keep-webhook.ts";
import { secretFromToken } from "./webhook/webhook-secret.ts";

/** How Telegram's updates come to us. */
export type TelegramReceiving =
  | { readonly mode: "polling" }
  | {
      readonly mode: "webhook";
      /**
       * As registered with Telegram; it has to lead to the path `/telegram` of
       * any process.
       */
      readonly url: string;
      /** Undefined: one that all processes with this token have in common. */
      readonly secret: string | undefined;
    };

export interface TelegramBotDependencies {
  readonly token: string;
  /** E.g. `https://api.telegram.org`. */
  readonly apiRoot: string;
  readonly accept: Accept;
  readonly noteReach: NoteReach;
  /** Groups that have become supergroups. @param bot `telegram:<id>` */
  readonly movesOf: (bot: string) => ChatMoves;
  /** @param bot `telegram:<id>` */
  readonly watchOf: (bot: string) => PlatformWatch;
  readonly commands: readonly CommandSpec[];
  /** The ids of the people who are admins now; it is asked again now and then. */
  readonly admins: () => Promise<readonly string[]>;
  /**
   * Whether to ask Telegram for a group's administrators; false: not needed.
   */
  readonly asksGroupAdmins?: boolean;
  /**
   * Private chats show the growing answer by Telegram's own drafts; otherwise it is a message that
   * is edited.
   */
  readonly nativeDrafts: boolean;
  /** Finished answers of one message are shown by Telegram's own blocks, where it takes them. */
  readonly richMessages: boolean;
  readonly receiving: TelegramReceiving;
  /** Only the process with the bot's lease polls or sets the webhook. */
  /** Milliseconds since the epoch, by the clock that all processes share. */
  readonly now: () => number;
  readonly leases: Leases;
  readonly registration: Registration;
  readonly log: Logger;
  /** Ends receiving at once; messages being sent get a few seconds more. */
  readonly signal: AbortSignal;
  /** In `[0, 1)`. */
  readonly random?: () => number;
  readonly sleep?: Sleep;
  /** How long Telegram holds a request open while there is no news. At most 50. */
  readonly pollTimeoutSeconds?: number;
  /** How long messages being sent get after the end was announced. */
  readonly sendingGraceMs?: number;
  /** How long the process that receives tries to reach Telegram before it lets others try. */
  readonly outOfReachMs?: number;
  /** How long a post to the webhook may wait for its answer. */
  readonly answerWithinMs?: number;
}

/** A message that is cut off has an unknown fate; a process that ends has 10 s in all. */
const sendingGraceMs = 5_000;

/** Milliseconds; as long as a dead process' lease keeps the others waiting. */
const outOfReachMs = 10_000;

/** Seconds; grammY would wait 500. */
const requestTimeoutSeconds = 30;

/** @throws PermanentError when the token does not look like one. */
export function createTelegramBot(deps: TelegramBotDependencies): Bot {
  const { token, receiving, pollTimeoutSeconds = 30 } = deps;
  const botId = /^(\d+):[\w-]+$/.exec(token)?.[1];
  if (botId === undefined)
    throw new PermanentError(
      "TELEGRAM_BOT_TOKEN is malformed: expected <digits>:<letters and digits>, as @BotFather gives it",
    );
  const apiRoot = deps.apiRoot.replace(/\/+$/, "");
  return new TelegramBot({
    ...deps,
    botId,
    apiRoot,
    moves: deps.movesOf(`telegram:${botId}`),
    watch: deps.watchOf(`telegram:${botId}`),
    ...(receiving.mode === "webhook"
      ? {
          webhookSettings: {
            url: receiving.url,
            secret: receiving.secret ?? secretFromToken(token),
          },
        }
      : {}),
    random: deps.random ?? Math.random,
    sleep: deps.sleep ?? sleep,
    pollTimeoutSeconds,
    sendingGraceMs: deps.sendingGraceMs ?? sendingGraceMs,
    outOfReachMs: deps.outOfReachMs ?? outOfReachMs,
    api: new Api(token, { apiRoot, fetch: pooledFetch, timeoutSeconds: requestTimeoutSeconds }),
    pollApi: new Api(token, {
      apiRoot,
      fetch: pooledFetch,
      timeoutSeconds: pollTimeoutSeconds + requestTimeoutSeconds / 2,
    }),
  });
}
