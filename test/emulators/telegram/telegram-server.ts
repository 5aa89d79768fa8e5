import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { BotCommand, Update } from "@grammyjs/types";
import { ApiHandler } from "./api-handler.ts";
import type { ChatState, StoredFile, StoredMessage } from "./chat-state.ts";
import { type ChatHandle, Group, type GroupOptions, newChatState } from "./chats.ts";
import { commandsKey } from "./command-methods.ts";
import { Dispatcher } from "./dispatcher.ts";
import { Fault, type FaultRule } from "./faults.ts";
import { storeFile } from "./file-methods.ts";
import { Person, type PersonOptions } from "./person.ts";
import { describe, waitUntil, type WaitOptions } from "./waiting.ts";
import {
  type Call,
  type CallbackState,
  type TelegramOptions,
  type Violation,
  World,
} from "./world.ts";

type ChatReference = number | ChatHandle;

const idOf = (chat: ChatReference): number => (typeof chat === "number" ? chat : chat.id);

/**
 * A strict emulator of Telegram's Bot API server on a real socket of 127.0.0.1. One bot, many
 * people and chats. State lives as long as this object: bots may connect, die and come back.
 * `starting → serving → disposed`. Facts and sentences come from tdlib/telegram-bot-api
 * (Client.cpp), TDLib and core.telegram.org/bots/api.
 */
export class TelegramServer {
  readonly #world: World;
  readonly #server: Server;
  readonly #dispatcher: Dispatcher;
  readonly #faults: Fault[] = [];

  private constructor(options: TelegramOptions) {
    this.#world = new World(options);
    this.#dispatcher = new Dispatcher(this.#world);
    const handler = new ApiHandler({
      world: this.#world,
      faults: this.#faults,
      perform: (call, gone) => this.#dispatcher.perform(call, gone),
    });
    this.#server = createServer((request, response) => {
      handler.handle(request, response).catch((error: unknown) => {
        this.#world.violate("emulator-failure", "", String(error));
        response.destroy();
      });
    });
  }

  static async start(options: TelegramOptions = {}): Promise<TelegramServer> {
    const telegram = new TelegramServer(options);
    const server = telegram.#server;
    server.listen(telegram.#world.options.port, "127.0.0.1");
    await once(server, "listening");
    return telegram;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** For `new Bot(token, { client: { apiRoot } })` and `TELEGRAM_API_ROOT`. */
  get apiRoot(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get token(): string {
    return this.#world.options.token;
  }

  get bot() {
    return this.#world.bot;
  }

  /**
   * Every call that reached the server with a good token, in order of arrival, getUpdates included.
   */
  get calls(): readonly Call[] {
    return this.#world.calls;
  }

  /** Calls of one method, and of one chat. */
  callsOf(method: string, chat?: ChatReference): readonly Call[] {
    return this.calls.filter(
      (call) =>
        call.method.toLowerCase() === method.toLowerCase() &&
        (chat === undefined || Number(call.payload["chat_id"]) === idOf(chat)),
    );
  }

  get violations(): readonly Violation[] {
    return this.#world.violations;
  }

  /** True while a getUpdates call waits for news. */
  get isPolled(): boolean {
    return this.#dispatcher.poller.isWaiting;
  }

  /** Updates that no one has confirmed. */
  get pendingUpdates(): readonly Update[] {
    return this.#world.queue.pending;
  }

  /** Every delivery attempt to the webhook. */
  get webhookAttempts() {
    return this.#dispatcher.webhook.attempts;
  }

  person(options: PersonOptions): Person {
    return new Person(this.#world, options);
  }

  /** The person's private chat with the bot, as after pressing Start. */
  privateChat(person: Person): ChatHandle {
    if (!this.#world.chats.has(person.id)) {
      const { id, first_name, last_name, username } = person.user;
      const state = newChatState({
        id,
        first_name,
        ...(last_name === undefined ? {} : { last_name }),
        ...(username === undefined ? {} : { username }),
        type: "private",
      });
      state.members.set(id, person.user);
      this.#world.chats.set(id, state);
    }
    return { id: person.id };
  }

  /** A topic of the person's private chat; what is sent with its number is in it. */
  privateTopic(chat: ChatHandle, name: string): number {
    const threadId = this.#world.nextMessageId(this.#chat(chat));
    this.#chat(chat).topics.set(threadId, { name, deleted: false });
    return threadId;
  }

  deletePrivateTopic(chat: ChatHandle, threadId: number): void {
    this.#chat(chat).topics.set(threadId, { name: "", deleted: true });
  }

  group(options: GroupOptions): Group {
    return new Group(this.#world, options);
  }

  /** Messages that people see in a chat now, in order, the bot's and theirs. */
  messages(chat: ChatReference): readonly StoredMessage[] {
    return [...this.#chat(chat).messages.values()];
  }

  botMessages(chat: ChatReference): readonly StoredMessage[] {
    return this.messages(chat).filter((message) => message.fromBot);
  }

  /** The chat actions that the bot showed, in order. */
  actions(chat: ChatReference): ChatState["actions"] {
    return this.#chat(chat).actions;
  }

  /** What `sendMessageDraft` showed, in order. */
  drafts(chat: ChatReference): ChatState["drafts"] {
    return this.#chat(chat).drafts;
  }

  /** The commands set for exactly this scope and language; undefined when none were. */
  commands(
    scope?: Readonly<Record<string, unknown>>,
    languageCode = "",
  ): readonly BotCommand[] | undefined {
    const key = commandsKey(this.#world, scope, languageCode);
    return this.#world.commands.get(key);
  }

  /** Callback queries without an answer. */
  get unansweredCallbacks(): readonly CallbackState[] {
    return [...this.#world.callbacks.values()].filter((query) => query.answer === undefined);
  }

  /** Makes coming calls go wrong. Rules are tried in order, each for its number of times. */
  inject(rule: FaultRule): Fault {
    const fault = new Fault(rule, this.#world);
    this.#faults.push(fault);
    return fault;
  }

  /**
   * An update of any content; undefined when `allowed_updates` leave its type out. With an id it is
   * sent as it is.
   */
  push(update: Omit<Update, "update_id"> | Update): Update | undefined {
    if (!("update_id" in update)) return this.#world.push(update);
    this.#world.queue.addRaw(update);
    this.#announceUpdate();
    return update;
  }

  /** Sends an update again under its old id, confirmed or not. */
  redeliver(updateId: number): void {
    this.#world.queue.redeliver(updateId);
    this.#announceUpdate();
  }

  /** Lets the ids of coming updates start at a random lower number, as after a quiet week. */
  restartIds(): void {
    this.#world.queue.restartIds();
  }

  /** A file that `getFile` and the file route know. */
  addFile(file: Omit<StoredFile, "fileId">): StoredFile {
    return storeFile(this.#world, file);
  }

  /** Ends the waiting poll as a second poller's would: 409. */
  conflictPoll(): void {
    this.#dispatcher.poller.conflict(
      "terminated by other getUpdates request; make sure that only one bot instance is running",
    );
  }

  /** Closes the connections that callers keep open, as a server does with idle ones. */
  closeIdleConnections(): void {
    this.#server.closeIdleConnections();
  }

  waitFor<T>(
    predicate: (server: TelegramServer) => T | undefined | false | null,
    options: WaitOptions = {},
  ): Promise<T> {
    return waitUntil(this.#world, () => predicate(this), options);
  }

  /** A visible message of the bot that contains the text, or for which the predicate holds. */
  waitForMessage(
    chat: ChatReference,
    wanted: string | ((message: StoredMessage) => boolean),
    options: WaitOptions = {},
  ): Promise<StoredMessage> {
    const fits =
      typeof wanted === "string"
        ? (message: StoredMessage) => message.text.includes(wanted)
        : wanted;
    return this.waitFor(() => this.botMessages(chat).find(fits), {
      what: typeof wanted === "string" ? `a message with ${JSON.stringify(wanted)}` : "a message",
      chatId: idOf(chat),
      ...options,
    });
  }

  /** What happened so far, for people. */
  describe(chat?: ChatReference): string {
    return describe(this.#world, chat === undefined ? chat : idOf(chat));
  }

  /** Closes every socket; waits that go on reject. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#world.changes.emit("disposed");
    for (const fault of this.#faults) fault.remove();
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await this.#dispatcher.webhook.dispose();
    await closed;
  }

  #chat(chat: ChatReference): ChatState {
    const state = this.#world.chats.get(idOf(chat));
    if (state === undefined) throw new Error(`no chat ${idOf(chat)}`);
    return state;
  }

  #announceUpdate(): void {
    this.#world.changes.emit("update");
    this.#world.changed();
  }
}
