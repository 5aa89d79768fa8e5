import type { Api } from "grammy";
import type { Logger } from "pino";
import { describe } from "../send/describe.ts";
import { requestSignal } from "../send/request-signal.ts";

/** For how long an answer of Telegram's is taken for true. Milliseconds. */
const rememberedMs = 60_000;
/** A tap has to be answered within seconds. Milliseconds. */
const timeoutMs = 3_000;
const maxRemembered = 10_000;

export interface GroupAdminsDependencies {
  readonly api: Pick<Api, "getChatMember">;
  readonly log: Logger;
  readonly signal: AbortSignal;
  /** Milliseconds, by a clock that never goes back. */
  readonly now?: () => number;
}

/**
 * The administrators of groups, according to Telegram. Without a timely answer
 * it is a no, and is asked again.
 */
export class GroupAdmins {
  readonly #deps: GroupAdminsDependencies;
  readonly #now: () => number;
  /** By group and person, oldest first. */
  readonly #known = new Map<string, { isAdmin: boolean; untilMs: number }>();

  constructor(deps: GroupAdminsDependencies) {
    this.#deps = deps;
    this.#now = deps.now ?? (() => performance.now());
  }

  /** Never rejects. @param chatId Telegram's own, whatever we call the group. */
  async has(chatId: number, userId: number): Promise<boolean> {
    const name = `${chatId} ${userId}`;
    const known = this.#known.get(name);
    if (known !== undefined && known.untilMs > this.#now()) return known.isAdmin;
    const { api, log, signal } = this.#deps;
    try {
      const { status } = await api.getChatMember(
        chatId,
        userId,
        requestSignal(AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])),
      );
      const isAdmin = status === "creator" || status === "administrator";
      this.#remember(name, isAdmin);
      return isAdmin;
    } catch (error) {
      log.warn(
        { chatId, cause: describe(error) },
        "Telegram did not report a group's administrators",
      );
      return false;
    }
  }

  #remember(name: string, isAdmin: boolean): void {
    this.#known.delete(name);
    const [oldest] = this.#known.keys();
    if (oldest !== undefined && this.#known.size >= maxRemembered) this.#known.delete(oldest);
    this.#known.set(name, { isAdmin, untilMs: this.#now() + rememberedMs });
  }
}
