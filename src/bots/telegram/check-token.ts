import { Api } from "grammy";
import { messageOf } from "../../core/errors.ts";
import { pooledFetch } from "../../util/pooled-fetch.ts";
import { isTokenRefused } from "./receive/failure.ts";

export type TelegramCheck =
  | { readonly state: "works"; readonly username: string; readonly readsGroups: boolean }
  | { readonly state: "refused" }
  | { readonly state: "unreachable"; readonly message: string };

/** Seconds; someone is waiting for the answer. */
const timeoutSeconds = 15;

/** Asks Telegram once whose token this is. Never rejects, and never repeats the token. */
export async function checkTelegramToken(options: {
  readonly token: string;
  readonly apiRoot: string;
}): Promise<TelegramCheck> {
  const { token, apiRoot } = options;
  try {
    const me = await new Api(token, { apiRoot, fetch: pooledFetch, timeoutSeconds }).getMe();
    const { username, can_read_all_group_messages: readsGroups } = me;
    return { state: "works", username, readsGroups };
  } catch (error) {
    return isTokenRefused(error)
      ? { state: "refused" }
      : { state: "unreachable", message: messageOf(error).replaceAll(token, "***") };
  }
}
