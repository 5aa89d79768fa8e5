import { GrammyError } from "grammy";
import type { MessageEntity } from "grammy/types";
import type { Logger } from "pino";
import type { ChatAddress } from "../../../core/chat.ts";
import { messageOf } from "../../../core/errors.ts";
import type { ChatMoves, Chunk, SendOutcome } from "../../../core/ports.ts";
import { describe } from "./describe.ts";
import { blocksOf, entitiesOf } from "../format/markup.ts";
import type { Block } from "../format/rich-limits.ts";
import { isAboutBlocks, isAboutEntities, type Operation, outcomeOf } from "./outcome.ts";

interface Attempt {
  readonly chunk: Chunk;
  /**
   * @param chatId Telegram's own for the chat. Fulfils with the message's id; undefined: there is
   * no such message there.
   */
  readonly request: (chatId: string, entities: MessageEntity[]) => Promise<string | undefined>;
  /** The same with rich blocks, for a chunk that has them. */
  readonly richRequest?: (chatId: string, blocks: readonly Block[]) => Promise<string | undefined>;
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

  /**
   * Once with the chunk's formatting and, if that is what Telegram refuses, once without; rich
   * blocks come before both. Where the group has become a supergroup, there.
   */
  async attempt(
    operation: Operation,
    address: ChatAddress,
    { chunk, request, richRequest }: Attempt,
  ): Promise<SendOutcome> {
    let chatId = await this.idOf(address);
    let entities = [...entitiesOf(chunk)];
    let blocks = richRequest && blocksOf(chunk);
    for (;;)
      try {
        const messageId = await (richRequest && blocks
          ? richRequest(chatId, blocks)
          : request(chatId, entities));
        return messageId === undefined
          ? { type: "gone", cause: "it is in the group's former chat" }
          : { type: "sent", messageId };
      } catch (error) {
        const movedTo = newIdOf(error);
        const isNews = movedTo !== undefined && movedTo !== address.chat;
        if (isNews && chatId === address.chat) {
          await this.#learn(address.chat, movedTo);
          chatId = movedTo;
        } else if (blocks && isAboutBlocks(error)) {
          this.#deps.log.warn(
            { cause: describe(error) },
            "Telegram refused a rich message; sending it as text",
          );
          blocks = undefined;
        } else if (entities.length > 0 && isAboutEntities(error)) {
          this.#deps.log.warn(
            { cause: describe(error) },
            "Telegram refused the formatting; sending the words alone",
          );
          entities = [];
        } else return outcomeOf(error, operation);
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
