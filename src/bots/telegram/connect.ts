import type { Api } from "grammy";
import type { UserFromGetMe } from "grammy/types";
import { PermanentError } from "../../core/errors.ts";
import { insist } from "./receive/insist.ts";
import { Patience, type PatienceDependencies } from "./receive/patience.ts";
import { isTokenRefused } from "./receive/trouble.ts";
import { requestSignal } from "./send/request-signal.ts";

interface ConnectDependencies extends PatienceDependencies {
  readonly api: Api;
}

/**
 * Asks Telegram who we are, however long that takes.
 * @throws PermanentError when the token is refused; the signal's reason when it aborts.
 */
export async function connect(
  deps: ConnectDependencies,
): Promise<UserFromGetMe> {
  const { api, signal } = deps;
  const patience = new Patience(deps, "talking to Telegram");
  return await insist(() => api.getMe(requestSignal(signal)), {
    patience,
    signal,
    refuses(error) {
      if (isTokenRefused(error))
        throw new PermanentError(
          "TELEGRAM_BOT_TOKEN is not accepted by Telegram; copy it again from @BotFather",
        );
    },
  });
}

/** Fulfils once Telegram answers us, however long that takes. @throws the signal's reason when it aborts. */
export async function withinReach(deps: ConnectDependencies): Promise<void> {
  const { api, signal } = deps;
  const patience = new Patience(deps, "talking to Telegram");
  await insist(() => api.getMe(requestSignal(signal)), { patience, signal });
}

/**
 * Makes the token one that can be polled: it has no webhook.
 * @throws the signal's reason when it aborts; OutOfReachError when Telegram has been out of reach for too long.
 */
export async function removeWebhook(
  deps: ConnectDependencies & { readonly outOfReachMs: number },
): Promise<void> {
  const { api, log, signal, outOfReachMs } = deps;
  const insistence = {
    patience: new Patience(deps, "talking to Telegram", outOfReachMs),
    signal,
  };
  const { url } = await insist(
    () => api.getWebhookInfo(requestSignal(signal)),
    insistence,
  );
  if (url === undefined || url === "") return;
  await insist(() => api.deleteWebhook({}, requestSignal(signal)), insistence);
  log.info("deleted the token's webhook, so that it can be polled");
}
