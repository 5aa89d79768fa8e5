import { randomInt } from "node:crypto";
import type { Chat, ChatMember, Message, User } from "@grammyjs/types";
import { administrator } from "./chat-methods.ts";
import type { BotStatus, ChatState, StoredMessage } from "./chat-state.ts";
import { addMessage } from "./message-store.ts";
import { botUser } from "./message-methods.ts";
import type { Person } from "./person.ts";
import { botReceives } from "./privacy.ts";
import { digits, unixSeconds, type World } from "./world.ts";

/** Anything that names a chat to the emulator. */
export interface ChatHandle {
  readonly id: number;
}

export interface GroupOptions {
  readonly title: string;
  readonly members: readonly Person[];
  readonly admins?: readonly Person[];
  readonly kind: "group" | "supergroup";
  readonly isForum?: boolean;
  readonly username?: string;
  /** `member` by default; an `administrator` is sent everything. */
  readonly botStatus?: BotStatus;
}

export function newChatState(chat: Chat): ChatState {
  return {
    id: chat.id,
    chat,
    members: new Map(),
    admins: new Set(),
    messages: new Map(),
    topics: new Map(),
    actions: [],
    drafts: [],
    chatInstance: digits(18),
    botStatus: "member",
    blockedByPerson: false,
    isDeleted: false,
    migratedTo: undefined,
    limitedUntilMs: 0,
    sentAtMs: [],
  };
}

/** Sends the bot what became of its own membership. */
export function pushMyChatMember(
  world: World,
  state: ChatState,
  change: {
    readonly by: User;
    readonly from: BotStatus;
    readonly to: BotStatus;
  },
): void {
  const user = botUser({ world });
  const member = (status: BotStatus): ChatMember => {
    if (status === "administrator") return administrator(user);
    return status === "kicked" ? { user, status, until_date: 0 } : { user, status };
  };
  world.push({
    my_chat_member: {
      chat: state.chat,
      from: change.by,
      date: unixSeconds(),
      old_chat_member: member(change.from),
      new_chat_member: member(change.to),
    },
  });
}

const supergroupId = (): number => Number(`-100${randomInt(1_000_000_000, 3_000_000_000)}`);

/** A group as its members use it. Its history stays with the server. */
export class Group implements ChatHandle {
  readonly #world: World;
  readonly #state: ChatState;
  readonly #options: GroupOptions;

  constructor(world: World, options: GroupOptions) {
    this.#world = world;
    this.#options = options;
    const { title, username, kind, isForum = false } = options;
    if (isForum && kind !== "supergroup") throw new Error("only a supergroup can have topics");
    const chat: Chat =
      kind === "group"
        ? { id: -randomInt(1_000_000, 900_000_000), type: kind, title }
        : {
            id: supergroupId(),
            type: kind,
            title,
            ...(username === undefined ? {} : { username }),
            ...(isForum ? { is_forum: true } : {}),
          };
    this.#state = newChatState(chat);
    this.#state.botStatus = options.botStatus ?? "member";
    for (const person of [...options.members, ...(options.admins ?? [])])
      this.#state.members.set(person.id, person.user);
    for (const admin of options.admins ?? []) this.#state.admins.add(admin.id);
    world.chats.set(chat.id, this.#state);
  }

  get id(): number {
    return this.#state.id;
  }

  get chat(): Chat {
    return this.#state.chat;
  }

  /** Opens a topic; returns its thread id. */
  topic(name: string, by: Person): number {
    const message = this.#service(by.user, {
      forum_topic_created: { name, icon_color: 7_322_096 },
      is_topic_message: true,
    });
    message.raw.message_thread_id = message.messageId;
    this.#state.topics.set(message.messageId, { name, deleted: false });
    this.#announce(message);
    return message.messageId;
  }

  /** Bots aren't told. */
  deleteTopic(threadId: number): void {
    const topic = this.#state.topics.get(threadId);
    if (topic === undefined) throw new Error(`no topic ${threadId}`);
    topic.deleted = true;
  }

  closeTopic(threadId: number): void {
    const topic = this.#state.topics.get(threadId);
    if (topic === undefined) throw new Error(`no topic ${threadId}`);
    topic.closed = true;
  }

  /** A post of the channel whose comments this group is; comments are replies to it. */
  channelPost(text: string): StoredMessage {
    const channel = { id: supergroupId(), type: "channel" as const, title: "News" };
    const from = { id: 777_000, is_bot: false, first_name: "Telegram" };
    const content = { text, sender_chat: channel, is_automatic_forward: true as const };
    return addMessage(this.#world, this.#state, { from, text, entities: [], content });
  }

  join(person: Person): void {
    this.#state.members.set(person.id, person.user);
    this.#announce(this.#service(person.user, { new_chat_members: [person.user] }));
  }

  leave(person: Person): void {
    this.#state.members.delete(person.id);
    this.#announce(this.#service(person.user, { left_chat_member: person.user }));
  }

  /** Its owner deletes it for all: bots aren't told. */
  delete(): void {
    this.#state.isDeleted = true;
  }

  /**
   * Adds the bot, promotes it, or removes it (`left`, `kicked`), with the updates that it is sent.
   */
  setBotStatus(to: BotStatus, by: Person): void {
    const from = this.#state.botStatus;
    this.#state.botStatus = to;
    pushMyChatMember(this.#world, this.#state, { by: by.user, from, to });
  }

  /** Turns a basic group into a supergroup: a new chat; calls to the old one answer with its id. */
  migrate(by: Person): Group {
    if (this.#options.kind !== "group") throw new Error("only a basic group can migrate");
    const next = new Group(this.#world, {
      ...this.#options,
      members: [],
      admins: [],
      kind: "supergroup",
      botStatus: this.#state.botStatus,
    });
    for (const [id, user] of this.#state.members) next.#state.members.set(id, user);
    for (const id of this.#state.admins) next.#state.admins.add(id);
    this.#announce(this.#service(by.user, { migrate_to_chat_id: next.id }));
    this.#state.migratedTo = next.id;
    next.#announce(next.#service(by.user, { migrate_from_chat_id: this.id }));
    return next;
  }

  #service(from: User, content: Partial<Message>): StoredMessage {
    const message = { from, text: "", entities: [], content };
    return addMessage(this.#world, this.#state, message);
  }

  #announce(message: StoredMessage): void {
    if (botReceives(this.#world, this.#state, message))
      this.#world.push({ message: message.raw as never });
  }
}
