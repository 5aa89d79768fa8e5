import { GrammyError } from "grammy";
import type { Logger } from "pino";
import type { ChatAddress } from "../../../core/chat.ts";
import { messageOf } from "../../../core/errors.ts";
import type { ChatMoves, SendOutcome } from "../../../core/ports.ts";
import type { Decoration } from "../../../core/refusal.ts";
import { type Operation, outcomeOf } from "./outcome.ts";

export type Sent = Omit<SendOutcome & { type: "sent" }, "type">;

interface Attempt {
  /** Parts of the request next to its words. */
  readonly has: ReadonlySet<Decoration>;
  /**
   * @param chatId Telegram's own for the chat. Fulfils with the message; undefined: there is no such
   * message there.
   */
  readonly request: (chatId: string) => Promise<Sent | undefined>;
}

/**
 * Resolves a chat's current id and returns the result of a request there. Never throws if Telegram
 * or the store fails.
 */
export class Requests {
  readonly #deps: { readonly moves: ChatMoves; readonly log: Logger };

  constructor(deps: { readonly moves: ChatMoves; readonly log: Logger }) {
    this.#deps = deps;
  }

  /** Once; where the group has become a supergroup, there. */
  async attempt(
    operation: Operation,
    address: ChatAddress,
    { has, request }: Attempt,
  ): Promise<SendOutcome> {
    let chatId = await this.idOf(address);
    for (;;)
      try {
        const sent = await request(chatId);
        return sent === undefined
          ? { type: "gone", cause: "it is in the group's former chat" }
          : { type: "sent", ...sent };
      } catch (error) {
        const movedTo = newIdOf(error);
        const isNews = movedTo !== undefined && movedTo !== address.chat;
        if (!isNews || chatId !== address.chat) return outcomeOf(error, operation, has);
        await this.#learn(address.chat, movedTo);
        chatId = movedTo;
      }
  }

  /** Only groups move. If the store doesn't know the new id, Telegram reports it. */
  async idOf({ chat }: ChatAddress): Promise<string> {
    const { moves, log } = this.#deps;
    if (!mayHaveMoved(chat)) return chat;
    try {
      return await moves.idOf(chat);
    } catch (error) {
      log.debug({ chat, cause: messageOf(error) }, "unknown whether it moved");
      return chat;
    }
  }

  async #learn(from: string, to: string): Promise<void> {
    const { moves, log } = this.#deps;
    try {
      await moves.record(from, to);
      log.info({ from, to }, "a group has become a supergroup");
    } catch (error) {
      log.warn(
        { from, to, cause: messageOf(error) },
        "a group has become a supergroup, which could not be written down",
      );
    }
  }
}

/** The ids of supergroups and channels are below this; people's are positive. */
const lowestGroupId = -1_000_000_000_000;

const mayHaveMoved = (chat: string): boolean => Number(chat) < 0 && Number(chat) > lowestGroupId;

function newIdOf(thrown: unknown): string | undefined {
  const id = thrown instanceof GrammyError ? thrown.parameters.migrate_to_chat_id : undefined;
  return id === undefined ? undefined : String(id);
}
