import type { Poll } from "grammy/types";
import type { StoredMessage } from "../../emulators/telegram/chat-state.ts";
import { Group, type ChatHandle } from "../../emulators/telegram/chats.ts";
import type { Person } from "../../emulators/telegram/person.ts";
import { TelegramServer } from "../../emulators/telegram/telegram-server.ts";
import type { TelegramOptions } from "../../emulators/telegram/world.ts";
import {
  matchesShown,
  timeoutMs,
  type SayOptions,
  type Shown,
  type ShownMatch,
  type Stage,
  type TestChat,
} from "./stage.ts";

/** The emulated Telegram as the scenarios see it. */
export class TelegramStage implements Stage {
  readonly name = "telegram";
  readonly server: TelegramServer;
  readonly said: string[] = [];
  readonly #people = new Map<string, Person>();

  private constructor(server: TelegramServer) {
    this.server = server;
  }

  static async start(options: TelegramOptions = {}): Promise<TelegramStage> {
    return new TelegramStage(await TelegramServer.start(options));
  }

  get environment() {
    return {
      TELEGRAM_BOT_TOKEN: this.server.token,
      TELEGRAM_API_ROOT: this.server.apiRoot,
    };
  }

  get violations() {
    return this.server.violations;
  }

  async connected(): Promise<void> {
    await this.until(() => this.server.isPolled, "a poll");
  }

  /** @param id of the person; a random one without it. */
  direct(name: string, id?: number): TelegramChat {
    return this.#directOf(this.#person(name, id));
  }

  directOf({ personId }: TestChat): TelegramChat {
    return this.#directOf(this.#known(personId));
  }

  group(...names: readonly string[]): readonly TelegramChat[] {
    return this.#groupOf(names.map((name) => this.#person(name)));
  }

  groupOf(chats: readonly TestChat[]): readonly TelegramChat[] {
    return this.#groupOf(chats.map(({ personId }) => this.#known(personId)));
  }

  topic(...names: readonly string[]) {
    const members = names.map((name) => this.#person(name));
    const [opener] = members;
    if (!opener) throw new Error("a topic has somebody in it");
    const group = this.server.group({
      title: "Friends",
      kind: "supergroup",
      isForum: true,
      members,
    });
    const threadId = group.topic("Tea", opener);
    const chatsIn = (thread: number | undefined) =>
      members.map((person) => new TelegramChat(this, person, group, thread));
    return { inside: chatsIn(threadId), beside: chatsIn(undefined) };
  }

  async until(condition: () => boolean, what: string): Promise<void> {
    await this.server.waitFor(condition, { what, timeoutMs });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }

  #directOf(person: Person): TelegramChat {
    return new TelegramChat(this, person, this.server.privateChat(person));
  }

  #known(personId: string): Person {
    const person = this.#people.get(personId);
    if (!person) throw new Error(`nobody is ${personId}`);
    return person;
  }

  #person(name: string, id?: number): Person {
    const person = this.server.person({
      firstName: name,
      ...(id === undefined ? {} : { id }),
    });
    this.#people.set(`telegram:${person.id}`, person);
    return person;
  }

  #groupOf(members: readonly Person[]): readonly TelegramChat[] {
    const group = this.server.group({
      title: "Friends",
      kind: "supergroup",
      members,
      // As on Discord: the first has opened it.
      admins: members.slice(0, 1),
    });
    return members.map((person) => new TelegramChat(this, person, group));
  }
}

class TelegramChat implements TestChat {
  readonly platform = "telegram";
  readonly handle: ChatHandle;
  readonly #stage: TelegramStage;
  readonly #person: Person;
  readonly #threadId: number | undefined;
  /** What was said here, by the ids of its updates. */
  readonly #said = new Map<string, ReturnType<Person["send"]>>();

  constructor(stage: TelegramStage, person: Person, handle: ChatHandle, threadId?: number) {
    this.#stage = stage;
    this.#person = person;
    this.handle = handle;
    this.#threadId = threadId;
  }

  get personId(): string {
    return `telegram:${this.#person.id}`;
  }

  get personName(): string {
    return this.#person.user.first_name;
  }

  say(text: string, { mention, replyTo }: SayOptions = {}): string {
    const { server } = this.#stage;
    this.#stage.said.push(text);
    const before = new Set(server.pendingUpdates.map((each) => each.update_id));
    const addressed = mention ? `@${server.bot.username} ${text}` : text;
    const target = replyTo === undefined ? {} : { replyTo: Number(replyTo.id) };
    const options = { ...target, ...this.#thread };
    const sent = this.#person.send(this.handle, addressed, options);
    const update = server.pendingUpdates.find(({ update_id: id }) => !before.has(id));
    const id = String(update?.update_id ?? "");
    this.#said.set(id, sent);
    return id;
  }

  forward(texts: readonly string[], comment?: string): void {
    this.#stage.said.push(...texts, ...(comment === undefined ? [] : [comment]));
    const said = comment === undefined ? {} : { comment };
    this.#person.forwardPosts(this.handle, texts, { ...said, ...this.#thread });
  }

  poll(question: string, answers: readonly string[]): void {
    this.#stage.said.push(question);
    const options = answers.map((text, index) => ({
      persistent_id: String(index),
      text,
      voter_count: 0,
    }));
    const poll: Poll = {
      id: "1",
      question,
      options,
      total_voter_count: 0,
      is_closed: false,
      is_anonymous: true,
      type: "regular",
      allows_multiple_answers: false,
      allows_revoting: true,
      members_only: false,
    };
    this.#person.sendContent(this.handle, { poll }, this.#thread);
  }

  edit(message: string, text: string): void {
    const sent = this.#said.get(message);
    if (sent === undefined) throw new Error(`nothing was said as ${message}`);
    this.#stage.said.push(text);
    this.#person.edit(sent, text);
  }

  redeliver(message: string): void {
    this.#stage.server.redeliver(Number(message));
  }

  async command(name: string, argument = ""): Promise<string> {
    const known = new Set(this.shown().map(({ id }) => id));
    const typed = `/${name} ${argument}`.trim();
    this.#person.send(this.handle, typed, this.#thread);
    const { text } = await this.wait(({ id }) => !known.has(id));
    return text;
  }

  shown(): readonly Shown[] {
    return this.#stage.server
      .botMessages(this.handle)
      .filter(({ threadId }) => threadId === this.#threadId)
      .map(shownOf);
  }

  get #thread(): { readonly threadId?: number } {
    return this.#threadId === undefined ? {} : { threadId: this.#threadId };
  }

  async wait(match: ShownMatch): Promise<Shown> {
    const what = typeof match === "string" ? JSON.stringify(match) : String(match);
    return await this.#stage.server.waitFor(
      () => this.shown().find((message) => matchesShown(message, match)),
      {
        what: `a message with ${what}`,
        chatId: this.handle.id,
        timeoutMs,
      },
    );
  }

  async tap(message: Shown, label: string): Promise<string> {
    const tap = this.#person.tap(Number(message.id), label, {
      chat: this.handle,
    });
    return (await tap.answered(timeoutMs)).text;
  }

  setBotIn(isIn: boolean): void {
    this.#group.setBotStatus(isIn ? "member" : "kicked", this.#person);
  }

  deleteTopic(): void {
    this.#group.deleteTopic(this.#threadId ?? 0);
  }

  block(): void {
    this.#person.block();
  }

  unblock(): void {
    this.#person.unblock();
  }

  refuseFormatting(): void {
    this.#stage.server.inject({
      chatId: this.handle.id,
      match: ({ payload }) => isDecorated(payload["entities"]),
      times: Infinity,
      kind: { type: "status", code: 400, description: "Bad Request: ENTITY_BOUNDS_INVALID" },
    });
  }

  get #group(): Group {
    if (this.handle instanceof Group) return this.handle;
    throw new Error("this is no group");
  }

  async forge(message: Pick<Shown, "id">, data: string): Promise<string> {
    const tap = this.#person.tapForged(this.handle, Number(message.id), data);
    return (await tap.answered(timeoutMs)).text;
  }
}

const shownOf = (message: StoredMessage): Shown => {
  const buttons = message.replyMarkup?.inline_keyboard.flat() ?? [];
  return {
    id: String(message.messageId),
    text: message.text,
    buttons: buttons.map(({ text }) => text),
    data: buttons.map((each) => ("callback_data" in each ? each.callback_data : "")),
    history: message.history.map(({ text }) => text),
  };
};

const isDecorated = (entities: unknown): boolean => Array.isArray(entities) && entities.length > 0;
