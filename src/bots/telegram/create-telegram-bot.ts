import { setTimeout } from "node:timers/promises";
import { Api } from "grammy";
import type { Logger } from "pino";
import { PermanentError } from "../../core/errors.ts";
import type { Accept } from "../../core/inbound.ts";
import type { Bot, CommandSpec } from "../../core/ports.ts";
import type { Sleep } from "./receive/patience.ts";
import { TelegramBot } from "./telegram-bot.ts";

export interface TelegramBotDependencies {
  readonly token: string;
  /** E.g. `https://api.telegram.org`. */
  readonly apiRoot: string;
  readonly accept: Accept;
  readonly commands: readonly CommandSpec[];
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
}

/** A message that is cut off has an unknown fate; a process that ends has 10 s in all. */
const sendingGraceMs = 5_000;

/** Seconds; grammY would wait 500. */
const requestTimeoutSeconds = 30;

/** @throws PermanentError when the token does not look like one. */
export function createTelegramBot(deps: TelegramBotDependencies): Bot {
  const { token, pollTimeoutSeconds = 30 } = deps;
  const botId = /^(\d+):[\w-]+$/.exec(token)?.[1];
  if (botId === undefined)
    throw new PermanentError(
      "TELEGRAM_BOT_TOKEN is malformed: expected <digits>:<letters and digits>, as @BotFather gives it",
    );
  const apiRoot = deps.apiRoot.replace(/\/+$/, "");
  return new TelegramBot({
    ...deps,
    botId,
    random: deps.random ?? Math.random,
    sleep:
      deps.sleep ?? ((ms, signal) => setTimeout(ms, undefined, { signal })),
    pollTimeoutSeconds,
    sendingGraceMs: deps.sendingGraceMs ?? sendingGraceMs,
    api: new Api(token, { apiRoot, timeoutSeconds: requestTimeoutSeconds }),
    pollApi: new Api(token, {
      apiRoot,
      timeoutSeconds: pollTimeoutSeconds + requestTimeoutSeconds / 2,
    }),
  });
}
