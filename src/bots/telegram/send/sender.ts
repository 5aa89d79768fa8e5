import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { Api, type ApiClientOptions, InputFile } from "grammy";
import type { InlineKeyboardMarkup, MessageEntity } from "grammy/types";
import type { Logger } from "pino";
import type { ChatAddress } from "../../../core/chat.ts";
import type {
  Chunk,
  OutgoingFile,
  Sender,
  SendLimits,
  SendOptions,
  SendOutcome,
} from "../../../core/ports.ts";
import { formatMarkdown, formatPlain } from "../format/format.ts";
import { captionOf } from "./caption.ts";
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

/**
 * As Telegram's FAQ has it: 30 messages a second over all chats, 20 a minute in a group, about one a second elsewhere,
 * short bursts allowed. Edits count like messages.
 */
const limits: SendLimits = {
  bot: { count: 30, perMs: 1_000, burst: 6 },
  chat: ({ chat }) =>
    chat.startsWith("-")
      ? { count: 20, perMs: 60_000, burst: 8 }
      : { count: 70, perMs: 60_000, burst: 10 },
};

/** The General topic of a forum is 1 to `sendChatAction`, and must be left out everywhere else. */
const generalTopic = 1;

/** Seconds; the largest file that is sent, 8 MiB, at a quarter of a megabit per second. */
const uploadTimeoutSeconds = 300;

/** Telegram has no key against doubles: a send whose fate is unknown is repeated once and says so. */
const repeatedLabel = "(sent again: it may have arrived before)";

type Markup = Pick<SendOptions, "buttons">;

/** Says things in Telegram: text with entities, never a parse mode. */
export class TelegramSender implements Sender {
  readonly platform = "telegram";
  readonly deduplicates = false;
  readonly limits = limits;
  readonly #deps: TelegramSenderDependencies;
  /** The same server with more patience. */
  readonly #uploads: Api;
  /**
   * The same server, by a connection of its own: one that was kept open may be gone, and then nobody knows what became of
   * the request. For what is not sent for ever.
   */
  readonly #lastTries: { readonly texts: Api; readonly files: Api };

  constructor(deps: TelegramSenderDependencies) {
    const { api } = deps;
    this.#deps = deps;
    this.#uploads = likeApi(api, { timeoutSeconds: uploadTimeoutSeconds });
    this.#lastTries = {
      texts: withoutKeptConnection(api),
      files: withoutKeptConnection(this.#uploads),
    };
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
    const { signal } = this.#deps;
    const api = options.repeated ? this.#lastTries.texts : this.#deps.api;
    const others = {
      ...noPreview,
      ...newMessageOptions(address, options),
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

  /** As a document: whatever its bytes look like, it arrives as it is. */
  sendFile(
    address: ChatAddress,
    { name, bytes, caption = { text: "" } }: OutgoingFile,
    options: SendOptions,
  ): Promise<SendOutcome> {
    const { signal } = this.#deps;
    const api = options.repeated ? this.#lastTries.files : this.#uploads;
    const others = {
      ...newMessageOptions(address, options),
      disable_content_type_detection: true,
    };
    const label = options.repeated ? repeatedLabel : undefined;
    const shown = captionOf(caption, label);
    return this.#attempt({ type: "send" }, shown, async (entities) => {
      const message = await api.sendDocument(
        address.chat,
        new InputFile(bytes, name),
        {
          ...others,
          ...(shown.text === ""
            ? {}
            : { caption: shown.text, caption_entities: entities }),
        },
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
          { ...noPreview, ...markupOf(options), entities },
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

const withoutKeptConnection = (api: Api): Api =>
  likeApi(api, {
    baseFetchConfig: {
      ...api.options?.baseFetchConfig,
      agent: ({ protocol }: URL) =>
        protocol === "http:" ? new HttpAgent() : new HttpsAgent(),
    },
  });

function likeApi(api: Api, changes: ApiClientOptions): Api {
  const other = new Api(api.token, { ...api.options, ...changes });
  other.config.use(...api.config.installedTransformers());
  return other;
}

const noPreview = { link_preview_options: { is_disabled: true } } as const;

const newMessageOptions = (address: ChatAddress, options: SendOptions) => ({
  ...markupOf(options),
  ...topicOf(address),
  ...replyTo(options),
  disable_notification: options.silent === true,
});

/** Telegram's limit is 8 in a row; a phone shows two whole labels side by side. */
const buttonsPerRow = 2;

/** Buttons in rows; an edit without `reply_markup` takes them away. */
function markupOf({ buttons = [] }: Markup): {
  reply_markup?: InlineKeyboardMarkup;
} {
  if (buttons.length === 0) return {};
  const rows: InlineKeyboardMarkup["inline_keyboard"] = [];
  for (let at = 0; at < buttons.length; at += buttonsPerRow)
    rows.push(
      buttons
        .slice(at, at + buttonsPerRow)
        .map(({ label, data }) => ({ text: label, callback_data: data })),
    );
  return { reply_markup: { inline_keyboard: rows } };
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
