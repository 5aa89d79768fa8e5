import type { Api } from "grammy";
import type { InlineKeyboardMarkup, MessageEntity } from "grammy/types";
import type { Logger } from "pino";
import type { ChatAddress } from "../../../core/chat.ts";
import type {
  Chunk,
  Sender,
  SendOptions,
  SendOutcome,
} from "../../../core/ports.ts";
import { formatMarkdown, formatPlain } from "../format/format.ts";
import { describe } from "./describe.ts";
import { isAboutEntities, type Operation, outcomeOf } from "./outcome.ts";
import { requestSignal } from "./request-signal.ts";

export interface TelegramSenderDependencies {
  readonly api: Api;
  readonly log: Logger;
  /** Aborts requests in flight; a message in flight then has an unknown fate. */
  readonly signal: AbortSignal;
}

/** Milliseconds between edits: what Telegram bears for long, and about 20 a minute in groups. */
const editIntervalMs = { private: 1_200, group: 3_500 };

/** The General topic of a forum is 1 to `sendChatAction`, and must be left out everywhere else. */
const generalTopic = 1;

/** Telegram has no key against doubles: a send whose fate is unknown is repeated once and says so. */
const repeatedLabel = "(sent again: it may have arrived before)";

type Markup = Pick<SendOptions, "buttons">;

/** Says things in Telegram: text with entities, never a parse mode. */
export class TelegramSender implements Sender {
  readonly platform = "telegram";
  readonly deduplicates = false;
  readonly #deps: TelegramSenderDependencies;

  constructor(deps: TelegramSenderDependencies) {
    this.#deps = deps;
  }

  editIntervalMs({ chat }: ChatAddress): number {
    return chat.startsWith("-") ? editIntervalMs.group : editIntervalMs.private;
  }

  render(markdown: string): readonly Chunk[] {
    return formatMarkdown(markdown);
  }

  plain(text: string): readonly Chunk[] {
    return formatPlain(text);
  }

  send(
    address: ChatAddress,
    chunk: Chunk,
    options: SendOptions,
  ): Promise<SendOutcome> {
    const { api, signal } = this.#deps;
    const others = {
      ...sharedOptions(options),
      ...topicOf(address),
      ...replyTo(options),
      disable_notification: options.silent === true,
    };
    return this.#attempt({ type: "send" }, chunk, async (entities) => {
      const message = await api.sendMessage(
        address.chat,
        options.repeated ? `${chunk.text}\n\n${repeatedLabel}` : chunk.text,
        { ...others, entities },
        requestSignal(signal),
      );
      return String(message.message_id);
    });
  }

  edit(
    address: ChatAddress,
    messageId: string,
    chunk: Chunk,
    options: Markup,
  ): Promise<SendOutcome> {
    const { api, signal } = this.#deps;
    return this.#attempt(
      { type: "edit", messageId },
      chunk,
      async (entities) => {
        await api.editMessageText(
          address.chat,
          Number(messageId),
          chunk.text,
          { ...sharedOptions(options), entities },
          requestSignal(signal),
        );
        return messageId;
      },
    );
  }

  async typing({ chat, thread }: ChatAddress): Promise<void> {
    const { api, log, signal } = this.#deps;
    const topic =
      thread === undefined ? {} : { message_thread_id: Number(thread) };
    try {
      await api.sendChatAction(chat, "typing", topic, requestSignal(signal));
    } catch (error) {
      log.debug({ chat, cause: describe(error) }, "typing was not shown");
    }
  }

  /** Once with the chunk's formatting and, if that is what Telegram refuses, once without. */
  async #attempt(
    operation: Operation,
    chunk: Chunk,
    request: (entities: MessageEntity[]) => Promise<string>,
  ): Promise<SendOutcome> {
    const entities = (chunk.markup ?? []) as MessageEntity[];
    try {
      return { type: "sent", messageId: await request(entities) };
    } catch (error) {
      if (entities.length === 0 || !isAboutEntities(error))
        return outcomeOf(error, operation);
      this.#deps.log.warn(
        { cause: describe(error) },
        "Telegram refused the formatting; sending the words alone",
      );
    }
    try {
      return { type: "sent", messageId: await request([]) };
    } catch (error) {
      return outcomeOf(error, operation);
    }
  }
}

/** One row of buttons; an edit without `reply_markup` takes them away. */
function sharedOptions({ buttons = [] }: Markup): {
  link_preview_options: { is_disabled: true };
  reply_markup?: InlineKeyboardMarkup;
} {
  const preview = { link_preview_options: { is_disabled: true } } as const;
  if (buttons.length === 0) return preview;
  const row = buttons.map(({ label, data }) => ({
    text: label,
    callback_data: data,
  }));
  return { ...preview, reply_markup: { inline_keyboard: [row] } };
}

function topicOf({ thread }: ChatAddress): { message_thread_id?: number } {
  const topic = Number(thread ?? generalTopic);
  return topic === generalTopic ? {} : { message_thread_id: topic };
}

const replyTo = ({ replyTo }: Pick<SendOptions, "replyTo">) =>
  replyTo === undefined
    ? {}
    : {
        reply_parameters: {
          message_id: Number(replyTo),
          allow_sending_without_reply: true,
        },
      };
