import { createHash } from "node:crypto";
import { type Api, GrammyError } from "grammy";
import type { WebhookInfo } from "grammy/types";
import { PermanentError } from "../../../core/errors.ts";
import type { PlatformWatch } from "../../../core/outage.ts";
import { unlessAborted } from "../../../util/abort.ts";
import { retryUntilAccepted } from "../receive/retry-until-accepted.ts";
import { Backoff, type BackoffDependencies } from "../receive/backoff.ts";
import { allowedUpdates } from "../receive/update.ts";
import { requestSignal } from "../send/request-signal.ts";

/** The last registration: Telegram doesn't report which secret it has. */
export interface Registration {
  read(): Promise<string | undefined>;
  write(digest: string): Promise<void>;
}

export interface WebhookSettings {
  /** As registered with Telegram. */
  readonly url: string;
  readonly secret: string;
}

export interface KeepWebhookDependencies extends BackoffDependencies {
  readonly api: Pick<Api, "getWebhookInfo" | "setWebhook">;
  readonly webhook: WebhookSettings;
  readonly registration: Registration;
  /** How long it is tried while Telegram is out of reach. */
  readonly outOfReachMs: number;
  /** Called whenever Telegram is known to post to us. */
  readonly onSet: () => void;
  readonly watch: PlatformWatch;
}

/**
 * Chats whose updates Telegram posts at the same time; a chat's own come one after another. The
 * most that it allows.
 */
const maxConnections = 100;
/** Milliseconds between looks at what Telegram says of the webhook. */
const lookAgainMs = 120_000;

/**
 * Tells Telegram where to post, where it does not know, looks again now and then, and says what
 * keeps Telegram from posting. Ends with the signal's reason.
 * @throws PermanentError when Telegram refuses the address; OutOfReachError when it has been out of
 * reach for too long.
 */
export async function keepWebhook(deps: KeepWebhookDependencies): Promise<never> {
  const { api, log, signal, sleep, webhook, registration, onSet } = deps;
  const backoff = new Backoff(
    { ...deps, serving: deps.watch },
    "talking to Telegram",
    deps.outOfReachMs,
  );
  const digest = digestOf(webhook);
  let loggedErrorAt: number | undefined;
  for (;;) {
    const info = await retryUntilAccepted(() => api.getWebhookInfo(requestSignal(signal)), {
      backoff,
      signal,
    });
    const told = await unlessAborted(registration.read(), signal);
    if (!isAsWanted(info, webhook) || told !== digest) {
      await set(deps, backoff);
      await unlessAborted(registration.write(digest), signal);
      log.info("set Telegram's webhook");
    }
    onSet();
    const { last_error_date: errorAt = 0, last_error_message: cause } = info;
    // Errors from before this process are not logged.
    if (loggedErrorAt !== undefined && errorAt > loggedErrorAt)
      log.warn(
        { cause, waiting: info.pending_update_count },
        "Telegram could not post to telegram.webhook.url",
      );
    loggedErrorAt = errorAt;
    await sleep(lookAgainMs, signal);
  }
}

async function set(
  { api, signal, webhook: { url, secret } }: KeepWebhookDependencies,
  backoff: Backoff,
): Promise<void> {
  const others = {
    secret_token: secret,
    max_connections: maxConnections,
    allowed_updates: allowedUpdates,
    drop_pending_updates: false,
  };
  await retryUntilAccepted(() => api.setWebhook(url, others, requestSignal(signal)), {
    backoff,
    signal,
    refuses(error) {
      if (error instanceof GrammyError && error.error_code === 400)
        throw new PermanentError(
          `telegram.webhook.url is ${url}, which Telegram refuses: ${error.description}`,
          { cause: error },
        );
    },
  });
}

function isAsWanted(info: WebhookInfo, { url }: WebhookSettings): boolean {
  const given = URL.parse(info.url ?? "")?.href;
  const allowed = info.allowed_updates ?? [];
  return (
    given === new URL(url).href &&
    info.max_connections === maxConnections &&
    allowed.length === allowedUpdates.length &&
    allowedUpdates.every((each) => allowed.includes(each))
  );
}

const digestOf = ({ url, secret }: WebhookSettings): string =>
  createHash("sha256")
    .update(JSON.stringify([url, secret]))
    .digest("hex");
