import type { Api } from "grammy";
import type { UserFromGetMe } from "grammy/types";
import { PermanentError } from "../../core/errors.ts";
import type { PlatformWatch } from "../../core/outage.ts";
import { retryUntilAccepted } from "./receive/retry-until-accepted.ts";
import { Backoff, type BackoffDependencies } from "./receive/backoff.ts";
import { isTokenRefused } from "./receive/failure.ts";
import { requestSignal } from "./send/request-signal.ts";

interface ConnectDependencies extends BackoffDependencies {
  readonly api: Api;
  readonly watch: PlatformWatch;
}

const standingBy = (watch: PlatformWatch): PlatformWatch => ({
  failed: (failure) => watch.failed({ ...failure, isStandingBy: true }),
  // Whether messages are received shows later, and in one process only.
  served: () => undefined,
});

/**
 * Asks Telegram who we are, however long that takes.
 * @throws PermanentError when the token is refused; the signal's reason when it aborts.
 */
export async function connect(deps: ConnectDependencies): Promise<UserFromGetMe> {
  const { api, signal } = deps;
  const backoff = new Backoff({ ...deps, serving: standingBy(deps.watch) }, "talking to Telegram");
  return await retryUntilAccepted(() => api.getMe(requestSignal(signal)), {
    backoff,
    signal,
    refuses(error) {
      if (isTokenRefused(error))
        throw new PermanentError(
          "TELEGRAM_BOT_TOKEN is not accepted by Telegram; copy it again from @BotFather",
        );
    },
  });
}

/**
 * Fulfils once Telegram answers us, however long that takes. @throws the signal's reason when it
 * aborts.
 */
export async function withinReach(deps: ConnectDependencies): Promise<void> {
  const { api, signal } = deps;
  const backoff = new Backoff({ ...deps, serving: standingBy(deps.watch) }, "talking to Telegram");
  await retryUntilAccepted(() => api.getMe(requestSignal(signal)), {
    backoff,
    signal,
  });
}

/**
 * Makes the token one that can be polled: it has no webhook.
 * @throws the signal's reason when it aborts; OutOfReachError when Telegram has been out of reach
 * for too long.
 */
export async function removeWebhook(
  deps: ConnectDependencies & { readonly outOfReachMs: number },
): Promise<void> {
  const { api, log, signal, outOfReachMs } = deps;
  const retryOptions = {
    backoff: new Backoff({ ...deps, serving: deps.watch }, "talking to Telegram", outOfReachMs),
    signal,
  };
  const { url } = await retryUntilAccepted(
    () => api.getWebhookInfo(requestSignal(signal)),
    retryOptions,
  );
  if (url === undefined || url === "") return;
  await retryUntilAccepted(() => api.deleteWebhook({}, requestSignal(signal)), retryOptions);
  log.info("deleted the token's webhook, so that it can be polled");
}
