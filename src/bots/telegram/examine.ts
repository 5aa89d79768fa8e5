import { Api, GrammyError } from "grammy";
import type { CommandSpec } from "../../core/ports.ts";
import { pooledFetch } from "../../util/pooled-fetch.ts";
import { isTokenRefused } from "./receive/failure.ts";
import { areCommandsCurrent, registerCommands } from "./register-commands.ts";
import { describe } from "./send/describe.ts";
import { requestSignal } from "./send/request-signal.ts";

/** Seconds. */
const timeoutSeconds = 8;
/** How long another poller is waited for, which asks again as soon as it gets an answer. Seconds. */
const lookForPollerSeconds = 3;

export interface TelegramFacts {
  readonly username: string;
  /** False: privacy mode; in groups Telegram withholds what isn't addressed to the bot. */
  readonly readsGroups: boolean;
  readonly webhookUrl: string;
  /** Updates that no one has taken yet. */
  readonly waiting: number;
  /** Why Telegram couldn't post to the webhook last. */
  readonly webhookError: string | undefined;
  readonly hasCommands: boolean;
}

export type TelegramExamined =
  | { readonly type: "refused" }
  | { readonly type: "unreachable"; readonly reason: string }
  | { readonly type: "answered"; readonly facts: TelegramFacts };

/** Questions about a bot, and what sets it right; none of them takes an update away. */
export function createTelegramExaminer(options: {
  readonly token: string;
  readonly apiRoot: string;
  readonly commands: readonly CommandSpec[];
}) {
  const { token, apiRoot, commands } = options;
  const api = new Api(token, { apiRoot, fetch: pooledFetch, timeoutSeconds });
  return {
    async examine(signal: AbortSignal): Promise<TelegramExamined> {
      try {
        const [me, webhook, hasCommands] = await Promise.all([
          api.getMe(requestSignal(signal)),
          api.getWebhookInfo(requestSignal(signal)),
          areCommandsCurrent(api, commands, signal),
        ]);
        return {
          type: "answered",
          facts: {
            username: me.username,
            readsGroups: me.can_read_all_group_messages,
            webhookUrl: webhook.url ?? "",
            waiting: webhook.pending_update_count,
            webhookError: webhook.last_error_message,
            hasCommands,
          },
        };
      } catch (error) {
        if (isTokenRefused(error)) return { type: "refused" };
        return { type: "unreachable", reason: describe(error) };
      }
    },
    /**
     * Whether another program polls with this token: its next request ends ours. Confirms nothing.
     * Only where no process of this deployment polls.
     */
    async hasOtherPoller(signal: AbortSignal): Promise<boolean> {
      try {
        await api.getUpdates({ limit: 1, timeout: lookForPollerSeconds }, requestSignal(signal));
        return false;
      } catch (error) {
        return error instanceof GrammyError && error.error_code === 409;
      }
    },
    /**
     * Whether the bot is a member that privacy mode keeps messages from; admins get all of them.
     * Undefined: Telegram didn't say. Never rejects.
     */
    async isPlainMember(chatId: string, signal: AbortSignal): Promise<boolean | undefined> {
      const [own = ""] = token.split(":", 1);
      try {
        const { status } = await api.getChatMember(chatId, Number(own), requestSignal(signal));
        return status === "member" || status === "restricted";
      } catch (error) {
        // It has left the group, or there is no such group any more.
        const isGone = error instanceof GrammyError && [400, 403].includes(error.error_code);
        return isGone ? false : undefined;
      }
    },
    registerCommands: (signal: AbortSignal) => registerCommands(api, commands, signal),
    deleteWebhook: (signal: AbortSignal) => api.deleteWebhook({}, requestSignal(signal)),
  };
}
