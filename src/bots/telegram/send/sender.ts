import { type Api, InputFile } from "grammy";
import type { InputRichMessage, Message } from "grammy/types";
import type { Logger } from "pino";
import type { ChatAddress } from "../../../core/chat.ts";
import type {
  ChatMoves,
  Chunk,
  FleetingDrafts,
  OutgoingFile,
  Sender,
  SendOptions,
  SendOutcome,
} from "../../../core/ports.ts";
import { inSlices } from "../../markdown/in-slices.ts";
import { localeFor } from "../../../locales/locale-for.ts";
import { formatPlain, formatRichSteps, formatSteps } from "../format/format.ts";
import { blocksOf, entitiesOf } from "../format/markup.ts";
import type { Block } from "../format/rich-limits.ts";
import { afterMove, messageNumber } from "../moved-ids.ts";
import { editIntervalMs, limits } from "./limits.ts";
import { captionOf } from "./caption.ts";
import { describe } from "./describe.ts";
import { draftNumber } from "./draft-number.ts";
import {
  decorationsOf,
  isThreadedByReply,
  markupOf,
  mentionOf,
  newMessageOptions,
  noPreview,
  topicOf,
  type Markup,
} from "./message-options.ts";
import { likeApi, withoutKeptConnection } from "./other-apis.ts";
import { Requests, type Sent } from "./requests.ts";
import { requestSignal } from "./request-signal.ts";

export interface TelegramSenderDependencies {
  readonly api: Api;
  readonly moves: ChatMoves;
  /** The growing answer is shown by Telegram's own drafts in private chats. */
  readonly nativeDrafts: boolean;
  /** Finished answers of one message are shown by Telegram's own blocks, where it takes them. */
  readonly richMessages: boolean;
  readonly log: Logger;
  /** Aborts requests in flight; the delivery of their messages is then unknown. */
  readonly signal: AbortSignal;
}

/** Seconds; the largest file that is sent, 8 MiB, at a quarter of a megabit per second. */
const uploadTimeoutSeconds = 300;

/**
 * Milliseconds before an upload indicator is shown, and between repetitions:
 * each is shown for 5 s.
 */
const uploadShownAfterMs = 400;
const uploadShownEveryMs = 4_500;

/** Milliseconds; Telegram takes a draft away after 30 s. */
const draftShowAgainMs = 20_000;

/** Telegram has no key against doubles: a send whose fate is unknown is repeated, and says so. */
const labelOf = ({ repeated = false, language }: SendOptions): string | undefined =>
  repeated ? `(${localeFor(language, "telegram").delivery.sentAgain})` : undefined;

/** Says things in Telegram: text with entities, never a parse mode. */
export class TelegramSender implements Sender {
  readonly platform = "telegram";
  readonly deduplicates = false;
  readonly hasForms = true;
  readonly limits = limits;
  readonly fleeting?: FleetingDrafts;
  readonly renderFinal?: NonNullable<Sender["renderFinal"]>;
  readonly #deps: TelegramSenderDependencies;
  readonly #requests: Requests;
  /** The same server with a longer time limit. */
  readonly #uploads: Api;
  /**
   * The same server over a separate connection: a kept-alive one may be gone,
   * and then the request's outcome is unknown. For requests that aren't retried
   * forever.
   */
  readonly #lastTries: { readonly texts: Api; readonly files: Api };

  constructor(deps: TelegramSenderDependencies) {
    const { api } = deps;
    this.#deps = deps;
    this.#requests = new Requests(deps);
    if (deps.nativeDrafts)
      this.fleeting = {
        has: ({ chat }) => !chat.startsWith("-"),
        showAgainMs: draftShowAgainMs,
        show: (address, id, chunk, without) =>
          this.#showDraft(address, id, { chunk, ...(without ? { without } : {}) }),
      };
    if (deps.richMessages)
      this.renderFinal = (markdown, note) => inSlices(formatRichSteps(markdown, note));
    this.#uploads = likeApi(api, { timeoutSeconds: uploadTimeoutSeconds });
    this.#lastTries = {
      texts: withoutKeptConnection(api),
      files: withoutKeptConnection(this.#uploads),
    };
  }

  editIntervalMs({ chat }: ChatAddress): number {
    return chat.startsWith("-") ? editIntervalMs.group : editIntervalMs.private;
  }

  async render(markdown: string, note?: string): Promise<readonly Chunk[]> {
    return await inSlices(formatSteps(markdown, note));
  }

  plain(text: string): readonly Chunk[] {
    return formatPlain(text);
  }

  async send(address: ChatAddress, chunk: Chunk, options: SendOptions): Promise<SendOutcome> {
    const { signal } = this.#deps;
    const api = options.repeated ? this.#lastTries.texts : this.#deps.api;
    const label = labelOf(options);
    const mention = mentionOf(address, options);
    const addressed =
      mention === undefined ? chunk.text : `${mention.user.first_name}: ${chunk.text}`;
    const text = label === undefined ? addressed : `${addressed}\n\n${label}`;
    const has = decorationsOf(address, options, { chunk, type: "text" });
    const blocks = has.has("blocks") ? blocksOf(chunk) : undefined;
    const entities = has.has("markup") ? [...(mention ? [mention] : entitiesOf(chunk))] : [];
    return await this.#requests.attempt({ type: "send" }, address, {
      has,
      request: async (chatId) => {
        const more = newMessageOptions(address, options, chatId);
        const message = await (blocks
          ? api.sendRichMessage(
              chatId,
              richMessage(
                label === undefined ? blocks : [...blocks, { type: "paragraph", text: label }],
              ),
              more,
              requestSignal(signal),
            )
          : api.sendMessage(
              chatId,
              text,
              { ...noPreview(options), ...more, entities },
              requestSignal(signal),
            ));
        return sentAs(message, chatId !== address.chat);
      },
    });
  }

  /** As a document: whatever its bytes look like, it arrives as it is. */
  async sendFile(
    address: ChatAddress,
    { name, bytes, caption = { text: "" } }: OutgoingFile,
    options: SendOptions,
  ): Promise<SendOutcome> {
    const { signal } = this.#deps;
    const api = options.repeated ? this.#lastTries.files : this.#uploads;
    const shown = captionOf(caption, labelOf(options));
    const has = decorationsOf(address, options, { chunk: shown, type: "file" });
    const entities = has.has("markup") ? [...entitiesOf(shown)] : [];
    using showing = new DisposableStack();
    showing.use(this.#showingUpload(address));
    return await this.#requests.attempt({ type: "send" }, address, {
      has,
      request: async (chatId) => {
        const message = await api.sendDocument(
          chatId,
          new InputFile(bytes, name),
          {
            ...newMessageOptions(address, options, chatId),
            disable_content_type_detection: true,
            ...(shown.text === "" ? {} : { caption: shown.text, caption_entities: entities }),
          },
          requestSignal(signal),
        );
        return sentAs(message, chatId !== address.chat);
      },
    });
  }

  async edit(
    address: ChatAddress,
    messageId: string,
    chunk: Chunk,
    options: Markup,
  ): Promise<SendOutcome> {
    const { api, signal } = this.#deps;
    const has = decorationsOf(address, options, { chunk, type: "edit" });
    const blocks = has.has("blocks") ? blocksOf(chunk) : undefined;
    const entities = has.has("markup") ? [...entitiesOf(chunk)] : [];
    return await this.#requests.attempt({ type: "edit", messageId }, address, {
      has,
      request: async (chatId) => {
        const isMoved = chatId !== address.chat;
        const number = messageNumber(messageId, isMoved);
        if (number === undefined) return undefined;
        const edited = await (blocks
          ? api.editMessageText(
              chatId,
              number,
              richMessage(blocks),
              markupOf(options),
              requestSignal(signal),
            )
          : api.editMessageText(
              chatId,
              number,
              chunk.text,
              { ...noPreview(options), ...markupOf(options), entities },
              requestSignal(signal),
            ));
        return { ...(edited === true ? {} : sentAs(edited, isMoved)), messageId };
      },
    });
  }

  async typing(address: ChatAddress): Promise<void> {
    await this.#act(address, "typing");
  }

  /** Nothing is left of it: that it was shown twice, or not at all, does no harm. */
  async #showDraft(
    address: ChatAddress,
    id: string,
    { chunk, without = new Set() }: { readonly chunk: Chunk } & Pick<SendOptions, "without">,
  ): Promise<SendOutcome> {
    const { api, signal } = this.#deps;
    const number = draftNumber(id);
    const asText = { without: new Set([...without, "blocks" as const]) };
    const has = decorationsOf(address, asText, { chunk, type: "text" });
    return await this.#requests.attempt({ type: "edit", messageId: id }, address, {
      has,
      request: async (chatId) => {
        await api.sendMessageDraft(
          Number(chatId),
          number,
          chunk.text,
          {
            ...topicOf(address, { without }),
            entities: has.has("markup") ? [...entitiesOf(chunk)] : [],
            can_stop: true,
            keep_on_stop: true,
          },
          requestSignal(signal),
        );
        return { messageId: id };
      },
    });
  }

  #showingUpload(address: ChatAddress): Disposable {
    let timer: NodeJS.Timeout;
    const show = (): void => {
      void this.#act(address, "upload_document");
      timer = setTimeout(show, uploadShownEveryMs).unref();
    };
    timer = setTimeout(show, uploadShownAfterMs).unref();
    return { [Symbol.dispose]: () => clearTimeout(timer) };
  }

  async #act(address: ChatAddress, action: "typing" | "upload_document"): Promise<void> {
    const { api, log, signal } = this.#deps;
    const { thread } = address;
    const topic = thread === undefined ? {} : { message_thread_id: Number(thread) };
    const chat = await this.#requests.idOf(address);
    try {
      await api.sendChatAction(chat, action, topic, requestSignal(signal));
    } catch (error) {
      log.debug({ chat, cause: describe(error) }, `${action} was not shown`);
    }
  }
}

/**
 * Text in a model's answer that looks like a name or a tag must not notify
 * anyone.
 */
const richMessage = (blocks: readonly Block[]): InputRichMessage => ({
  blocks: [...blocks],
  skip_entity_detection: true,
});

const sentAs = (message: Message, isMoved: boolean): Sent => ({
  messageId: isMoved ? afterMove(String(message.message_id)) : String(message.message_id),
  ...(isThreadedByReply(message) ? { threadedByReply: true } : {}),
});
