import type { Chat, InlineKeyboardMarkup, Message, MessageEntity, User } from "@grammyjs/types";
import { badRequest, forbidden, migrated } from "./api-error.ts";

/**
 * Telegram's stand-in `from` of anonymous administrators.
 * https://core.telegram.org/bots/api#message
 */
export const anonymousAdmin: User = {
  id: 1_087_968_824,
  is_bot: true,
  first_name: "Group",
  username: "GroupAnonymousBot",
};

export interface StoredFile {
  readonly kind:
    "animation" | "audio" | "document" | "photo" | "sticker" | "video" | "video_note" | "voice";
  readonly fileId: string;
  readonly fileName?: string;
  readonly mimeType?: string;
  readonly bytes: Uint8Array;
}

/** A message as people see it now, and how it came to be. */
export interface StoredMessage {
  readonly messageId: number;
  readonly chatId: number;
  readonly from: User;
  readonly fromBot: boolean;
  /** Text or caption as shown. */
  text: string;
  /** UTF-16 code units. */
  entities: readonly MessageEntity[];
  replyMarkup: InlineKeyboardMarkup | undefined;
  readonly replyTo: number | undefined;
  readonly threadId: number | undefined;
  readonly disableNotification: boolean;
  editCount: number;
  /** Every text that was shown, the first one included; Unix time in milliseconds. */
  readonly history: { readonly text: string; readonly atMs: number }[];
  readonly file: StoredFile | undefined;
  /** The emoji with which the bot has reacted to it. */
  botReaction?: string | undefined;
  /** The Bot API object, kept up to date. */
  raw: Message;
  /** The call that wrote it last, to tell whether its sender ever learned of it. */
  lastCallId: number | undefined;
}

export type BotStatus = "member" | "administrator" | "left" | "kicked";

/**
 * One chat. `private`: blocked or not. Groups: the bot's status; a migrated group answers only with
 * its new id.
 */
export interface ChatState {
  readonly id: number;
  readonly chat: Chat;
  readonly members: Map<number, User>;
  readonly admins: Set<number>;
  readonly messages: Map<number, StoredMessage>;
  /** Topics of a forum, without General (1), or of a private chat, by thread id. */
  readonly topics: Map<number, { readonly name: string; deleted: boolean; closed?: boolean }>;
  readonly actions: {
    readonly action: string;
    readonly threadId: number | undefined;
    readonly atMs: number;
  }[];
  readonly drafts: {
    readonly draftId: number;
    readonly text: string;
    /** It has a button that stops it. */
    readonly canStop: boolean;
    readonly atMs: number;
  }[];
  readonly chatInstance: string;
  botStatus: BotStatus;
  blockedByPerson: boolean;
  /** The person's account, or the group, was deleted. */
  isDeleted: boolean;
  migratedTo: number | undefined;
  /** Unix time in milliseconds until which a 429 forbade sends. */
  limitedUntilMs: number;
  readonly sentAtMs: number[];
}

export const isForum = (state: ChatState): boolean =>
  state.chat.type === "supergroup" && state.chat.is_forum === true;

export const inGroup = (state: ChatState): boolean =>
  state.botStatus === "member" || state.botStatus === "administrator";

/**
 * Throws unless the bot may write there. The sentences are those of `Client::check_chat_access`.
 */
export function checkAccess(state: ChatState): void {
  if (state.migratedTo !== undefined) throw migrated(state.migratedTo);
  if (state.chat.type === "private") {
    if (state.isDeleted) throw forbidden("user is deactivated");
    if (state.blockedByPerson) throw forbidden("bot was blocked by the user");
    return;
  }
  if (state.isDeleted) throw forbidden("the group chat was deleted");
  const kind = state.chat.type;
  if (state.botStatus === "kicked") throw forbidden(`bot was kicked from the ${kind} chat`);
  if (state.botStatus === "left") throw forbidden(`bot is not a member of the ${kind} chat`);
}

/**
 * General (1) is addressed by leaving the thread out; only `sendChatAction` takes its number. In a
 * group that is no forum the server ignores the number. Closed topics take administrators' messages.
 */
export function checkThread(
  state: ChatState,
  threadId: number | undefined,
  allowGeneral: boolean,
): void {
  if (threadId === undefined || threadId === 0) return;
  if (state.chat.type !== "private" && !isForum(state)) return;
  if (threadId === 1 && allowGeneral) return;
  const topic = state.topics.get(threadId);
  if (topic === undefined || topic.deleted) throw badRequest("message thread not found");
  if (topic.closed && state.botStatus !== "administrator") throw badRequest("TOPIC_CLOSED");
}
