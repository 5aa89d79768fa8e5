import { randomInt } from "node:crypto";
import type { Message, MessageEntity, TextQuote, User } from "@grammyjs/types";
import {
  anonymousAdmin,
  type ChatState,
  type StoredFile,
  type StoredMessage,
} from "./chat-state.ts";
import { type ChatHandle, pushMyChatMember } from "./chats.ts";
import { detectEntities } from "./detect-entities.ts";
import { mediaFields, storeFile } from "./file-methods.ts";
import { checkEntities, maxTextUnits } from "./formatted-text.ts";
import { addMessage, editMessage } from "./message-store.ts";
import { botReceives } from "./privacy.ts";
import { type Tap, type TapOptions, tapButton, tapWithData } from "./tap.ts";
import type { World } from "./world.ts";

export interface PersonOptions {
  readonly id?: number;
  readonly firstName: string;
  readonly lastName?: string;
  readonly username?: string;
  readonly languageCode?: string;
  readonly isBot?: boolean;
}

export interface SendOptions {
  readonly replyTo?: number | { readonly messageId: number };
  readonly threadId?: number;
  /** Replaces the entities that Telegram would find by itself; the server checks them. */
  readonly entities?: readonly MessageEntity[];
  /** A part of the text of `replyTo` that is marked. */
  readonly quote?: string;
  /** Written as an anonymous administrator of the group. */
  readonly anonymous?: boolean;
  /** Fields to add to the Bot API message, such as `forward_origin`. */
  readonly extra?: Partial<Message>;
}

export interface ForwardOptions extends SendOptions {
  readonly comment?: string;
  /** Title of the channel. */
  readonly from?: string;
}

export interface MediaOptions extends SendOptions {
  readonly caption?: string;
  readonly fileName?: string;
  readonly mimeType?: string;
  /** The same for every message of one album. */
  readonly mediaGroupId?: string;
}

/** Throws where the server would refuse the message. */
const entitiesIn = (text: string, given?: readonly MessageEntity[]): readonly MessageEntity[] =>
  given === undefined ? detectEntities(text) : checkEntities(text, [...given]);

/** Only these are kept in quotes. https://core.telegram.org/bots/api#textquote */
const keptInQuotes = new Set(
  "bold,italic,underline,strikethrough,spoiler,custom_emoji,date_time".split(","),
);

function quoteOf(target: StoredMessage | undefined, text: string): TextQuote {
  const position = target?.text.indexOf(text) ?? -1;
  if (target === undefined || position < 0) throw new Error("QUOTE_TEXT_INVALID");
  const end = position + text.length;
  const entities = target.entities.flatMap((entity) => {
    const from = Math.max(entity.offset, position);
    const to = Math.min(entity.offset + entity.length, end);
    const isKept = from < to && keptInQuotes.has(entity.type);
    return isKept ? [{ ...entity, offset: from - position, length: to - from }] : [];
  });
  return { text, position, is_manual: true, ...(entities.length === 0 ? {} : { entities }) };
}

/**
 * Someone with a Telegram account. What they do reaches the bot as updates, where a bot would be
 * told.
 */
export class Person {
  readonly user: User;
  readonly #world: World;

  constructor(world: World, options: PersonOptions) {
    this.#world = world;
    const { firstName, lastName, username, languageCode, isBot } = options;
    this.user = {
      id: options.id ?? randomInt(100_000_000, 2_000_000_000),
      is_bot: isBot ?? false,
      first_name: firstName,
      ...(lastName === undefined ? {} : { last_name: lastName }),
      ...(username === undefined ? {} : { username }),
      language_code: languageCode ?? "en",
    };
    world.people.set(this.user.id, this.user);
  }

  get id(): number {
    return this.user.id;
  }

  send(chat: ChatHandle, text: string, options: SendOptions = {}): StoredMessage {
    if (text.length > maxTextUnits) throw new Error("clients split such a text: use paste()");
    const entities = entitiesIn(text, options.entities);
    const content = {
      text,
      ...(entities.length > 0 ? { entities: [...entities] } : {}),
    };
    return this.#write(chat, { text, entities, content }, options);
  }

  /** A text of any length, split every 4096 units without regard to words, as clients do. */
  paste(chat: ChatHandle, text: string, options: SendOptions = {}): StoredMessage[] {
    const pieces: StoredMessage[] = [];
    for (let start = 0; start < text.length; start += maxTextUnits)
      pieces.push(this.send(chat, text.slice(start, start + maxTextUnits), options));
    return pieces;
  }

  /**
   * Forwards posts of a channel. Apps send the comment as a message of its own in front of them, within
   * milliseconds.
   */
  forwardPosts(
    chat: ChatHandle,
    posts: readonly string[],
    { comment, from = "News", ...options }: ForwardOptions = {},
  ): StoredMessage[] {
    const channel = { id: -1_001_234_567_890, type: "channel" as const, title: from };
    return [
      ...(comment === undefined ? [] : [this.send(chat, comment, options)]),
      ...posts.map((text, index) =>
        this.send(chat, text, {
          ...options,
          extra: {
            forward_origin: { type: "channel", chat: channel, message_id: index + 1, date: 1 },
          },
        }),
      ),
    ];
  }

  sendPhoto(chat: ChatHandle, bytes: Uint8Array, options: MediaOptions = {}): StoredMessage {
    return this.#sendFile(chat, { kind: "photo", bytes }, options);
  }

  sendDocument(chat: ChatHandle, bytes: Uint8Array, options: MediaOptions = {}): StoredMessage {
    const { fileName = "file.txt", mimeType = "text/plain" } = options;
    return this.#sendFile(chat, { kind: "document", bytes, fileName, mimeType }, options);
  }

  sendSticker(chat: ChatHandle, options: SendOptions = {}): StoredMessage {
    const bytes = new Uint8Array([1]);
    return this.#sendFile(chat, { kind: "sticker", bytes }, options);
  }

  /** Any other kind of file, as apps send it. */
  sendMedia(
    chat: ChatHandle,
    kind: StoredFile["kind"],
    bytes: Uint8Array,
    options: MediaOptions = {},
  ): StoredMessage {
    const { fileName, mimeType } = options;
    const file = {
      kind,
      bytes,
      ...(fileName === undefined ? {} : { fileName }),
      ...(mimeType === undefined ? {} : { mimeType }),
    };
    return this.#sendFile(chat, file, options);
  }

  /** A message of any content: a poll, a contact, a service message. */
  sendContent(
    chat: ChatHandle,
    content: Partial<Message>,
    options: SendOptions = {},
  ): StoredMessage {
    return this.#write(chat, { text: "", entities: [], content }, options);
  }

  /** Passes on a message: its origin is named, and of its buttons those with addresses stay. */
  forward(chat: ChatHandle, message: StoredMessage): StoredMessage {
    const { reply_to_message: _replied, quote: _quote, reply_markup: markup, ...raw } = message.raw;
    const { message_id: _id, from, chat: _chat, date, ...content } = raw;
    const rows = (markup?.inline_keyboard ?? [])
      .map((row) => row.filter((button) => "url" in button))
      .filter((row) => row.length > 0);
    const extra: Partial<Message> = {
      ...(from === undefined ? {} : { forward_origin: { type: "user", sender_user: from, date } }),
      ...(rows.length === 0 ? {} : { reply_markup: { inline_keyboard: rows } }),
    };
    const { text, entities } = message;
    return this.#write(chat, { text, entities, content: { ...content, ...extra } }, {});
  }

  /** @param given replaces the entities that Telegram would find by itself */
  edit(message: StoredMessage, text: string, given?: readonly MessageEntity[]): void {
    if (message.from.id !== this.id) throw new Error("people edit only their own messages");
    const state = this.#state({ id: message.chatId });
    editMessage(this.#world, message, {
      text,
      entities: entitiesIn(text, given),
      replyMarkup: message.replyMarkup,
    });
    if (botReceives(this.#world, state, message))
      this.#world.push({ edited_message: message.raw as never });
  }

  /** Bots aren't told. */
  delete(message: StoredMessage): void {
    this.#state({ id: message.chatId }).messages.delete(message.messageId);
    this.#world.changed();
  }

  /** Taps a button by its label or its data; without `chat`, in this person's private chat. */
  tap(messageId: number, button: string, options: TapOptions = {}): Tap {
    const state = this.#state(options.chat ?? this);
    return tapButton(this.#world, state, {
      user: this.user,
      messageId,
      button,
      ...options,
    });
  }

  /** A modified client's tap: any data, whether a button has it or not. */
  tapForged(chat: ChatHandle, messageId: number, data: string): Tap {
    return tapWithData(this.#world, this.#state(chat, false), {
      user: this.user,
      messageId,
      data,
    });
  }

  /** Presses Stop under a draft (`sendMessageDraft` with `can_stop`). */
  stopGeneration(draftId: number): void {
    const { chat, drafts } = this.#state(this);
    if (chat.type !== "private") throw new Error("drafts are private");
    const draft = drafts.findLast((each) => each.draftId === draftId);
    if (draft?.canStop !== true) throw new Error(`no draft ${draftId} that has a Stop button`);
    this.#world.push({
      stopped_message_generation: { chat, draft_id: draftId },
    });
  }

  block(): void {
    this.#setBlocked(true);
  }

  unblock(): void {
    this.#setBlocked(false);
  }

  /** Bots aren't told. */
  deleteAccount(): void {
    this.#state(this).isDeleted = true;
  }

  #setBlocked(blocked: boolean): void {
    const state = this.#state(this);
    state.blockedByPerson = blocked;
    pushMyChatMember(this.#world, state, {
      by: this.user,
      from: blocked ? "member" : "kicked",
      to: blocked ? "kicked" : "member",
    });
  }

  #sendFile(
    chat: ChatHandle,
    file: Omit<StoredFile, "fileId">,
    options: MediaOptions,
  ): StoredMessage {
    const stored = storeFile(this.#world, file);
    const { caption = "", mediaGroupId } = options;
    const entities = entitiesIn(caption, options.entities);
    const content: Partial<Message> = {
      ...mediaFields(stored),
      ...(caption === "" ? {} : { caption }),
      ...(entities.length > 0 ? { caption_entities: [...entities] } : {}),
      ...(mediaGroupId === undefined ? {} : { media_group_id: mediaGroupId }),
    };
    const message = { text: caption, entities, content, file: stored };
    return this.#write(chat, message, options);
  }

  #write(
    chat: ChatHandle,
    message: {
      readonly text: string;
      readonly entities: readonly MessageEntity[];
      readonly content: Partial<Message>;
      readonly file?: StoredFile;
    },
    options: SendOptions,
  ): StoredMessage {
    const state = this.#state(chat);
    const { replyTo, threadId, anonymous = false, quote, extra } = options;
    const replyId = typeof replyTo === "object" ? replyTo.messageId : replyTo;
    const target = replyId === undefined ? undefined : state.messages.get(replyId);
    if (replyId !== undefined && target === undefined)
      throw new Error(`no message ${replyId} to reply to in chat ${state.id}`);
    const stored = addMessage(this.#world, state, {
      ...message,
      from: anonymous ? anonymousAdmin : this.user,
      content: {
        ...message.content,
        ...(anonymous ? { sender_chat: state.chat } : {}),
        ...(quote === undefined ? {} : { quote: quoteOf(target, quote) }),
        ...extra,
      },
      replyTo: target,
      threadId: threadId ?? target?.threadId,
    });
    if (botReceives(this.#world, state, stored)) this.#world.push({ message: stored.raw as never });
    return stored;
  }

  #state(chat: ChatHandle, mustBeMember = true): ChatState {
    const state = this.#world.chats.get(chat.id);
    if (state === undefined)
      throw new Error(`no chat ${chat.id}: open it with privateChat() or group()`);
    if (mustBeMember && !state.members.has(this.id))
      throw new Error(`${this.user.first_name} is not in chat ${chat.id}`);
    return state;
  }
}
