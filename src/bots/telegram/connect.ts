import { type Api, GrammyError } from "grammy";
import type { UserFromGetMe } from "grammy/types";
import { PermanentError } from "../../core/errors.ts";
import type { CommandSpec } from "../../core/ports.ts";
import { Patience, type PatienceDependencies } from "./receive/patience.ts";
import { isTokenRefused, troubleOf } from "./receive/trouble.ts";
import { registerCommands } from "./register-commands.ts";
import { describe } from "./send/describe.ts";
import { requestSignal } from "./send/request-signal.ts";

export interface ConnectDependencies extends PatienceDependencies {
  readonly api: Api;
  readonly commands: readonly CommandSpec[];
}

/**
 * Makes Telegram ready to be polled, however long that takes: who we are, no webhook, the menu.
 * @throws PermanentError when the token is refused; the signal's reason when it aborts.
 */
export async function connect(
  deps: ConnectDependencies,
): Promise<UserFromGetMe> {
  const { api, commands, log, signal } = deps;
  const patience = new Patience(deps, "talking to Telegram");
  const insist = <T>(request: () => Promise<T>): Promise<T> =>
    insistOn(request, patience, signal);
  const me = await insist(() => api.getMe(requestSignal(signal)));
  const webhook = await insist(() => api.getWebhookInfo(requestSignal(signal)));
  if (webhook.url !== undefined && webhook.url !== "") {
    await insist(() => api.deleteWebhook({}, requestSignal(signal)));
    log.info("deleted the token's webhook, so that it can be polled");
  }
  try {
    await insist(() => registerCommands(api, commands, signal));
  } catch (error) {
    if (!(error instanceof GrammyError)) throw error;
    log.warn({ cause: describe(error) }, "the menu of commands was refused");
  }
  return me;
}

async function insistOn<T>(
  request: () => Promise<T>,
  patience: Patience,
  signal: AbortSignal,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await request();
      patience.itWorks();
      return result;
    } catch (error) {
      signal.throwIfAborted();
      if (isTokenRefused(error))
        throw new PermanentError(
          "TELEGRAM_BOT_TOKEN is not accepted by Telegram; copy it again from @BotFather",
        );
      if (error instanceof GrammyError && error.error_code === 400) throw error;
      await patience.wait(troubleOf(error), attempt);
    }
  }
}
