import type { CallbackQuery, User } from "@grammyjs/types";
import type { ChatState } from "./chat-state.ts";
import type { ChatHandle } from "./chats.ts";
import { waitUntil } from "./waiting.ts";
import { type CallbackState, digits, type World } from "./world.ts";

export interface TapOptions {
  readonly chat?: ChatHandle;
  /**
   * What the query says of its message: all (default), only its ids (too old or deleted), or
   * nothing.
   */
  readonly message?: "full" | "inaccessible" | "none";
}

export interface CallbackAnswer {
  readonly text: string;
  readonly showAlert: boolean;
  readonly url: string;
  /** Unix time in milliseconds. */
  readonly atMs: number;
}

/** A tap that the bot has been told of, and may answer once. */
export class Tap {
  readonly #world: World;
  readonly #query: CallbackState;
  /** Undefined when the bot's `allowed_updates` leave callback queries out. */
  readonly updateId: number | undefined;

  constructor(world: World, query: CallbackState, updateId: number | undefined) {
    this.#world = world;
    this.#query = query;
    this.updateId = updateId;
  }

  get queryId(): string {
    return this.#query.id;
  }

  /** The answer so far. */
  get answer(): CallbackAnswer | undefined {
    return this.#query.answer;
  }

  /** The answer, as soon as there is one. */
  answered(timeoutMs = 20_000): Promise<CallbackAnswer> {
    return waitUntil(this.#world, () => this.#query.answer, {
      timeoutMs,
      what: `an answer to callback query ${this.queryId}`,
      chatId: this.#query.chatId,
    });
  }
}

/** Taps a button that is there; throws, naming the buttons, when it is not. */
export function tapButton(
  world: World,
  state: ChatState,
  tap: TapOptions & {
    readonly user: User;
    readonly messageId: number;
    readonly button: string;
  },
): Tap {
  const message = state.messages.get(tap.messageId);
  const buttons = message?.replyMarkup?.inline_keyboard.flat() ?? [];
  const button = buttons.find(
    (candidate) =>
      candidate.text === tap.button ||
      ("callback_data" in candidate && candidate.callback_data === tap.button),
  );
  if (button === undefined || !("callback_data" in button)) {
    const labels = buttons.map((candidate) => candidate.text).join(", ");
    throw new Error(
      `message ${tap.messageId} of chat ${state.id} ${message === undefined ? "does not exist" : `has no callback button "${tap.button}", only [${labels}]`}`,
    );
  }
  return tapWithData(world, state, { ...tap, data: button.callback_data });
}

/** Tells the bot of a tap with any data. */
export function tapWithData(
  world: World,
  state: ChatState,
  tap: Pick<TapOptions, "message"> & {
    readonly user: User;
    readonly messageId: number;
    readonly data: string;
  },
): Tap {
  const query: CallbackState = {
    id: digits(19),
    createdAtMs: Date.now(),
    chatId: state.id,
    answer: undefined,
    answeredBy: undefined,
  };
  world.callbacks.set(query.id, query);
  const content: CallbackQuery = {
    id: query.id,
    from: tap.user,
    chat_instance: state.chatInstance,
    data: tap.data,
  };
  const stored = state.messages.get(tap.messageId)?.raw;
  const kind = tap.message ?? (stored === undefined ? "inaccessible" : "full");
  if (kind === "full" && stored !== undefined) content.message = structuredClone(stored);
  if (kind === "inaccessible")
    content.message = {
      chat: state.chat,
      message_id: tap.messageId,
      date: 0,
    } as never;
  const update = world.push({ callback_query: content });
  return new Tap(world, query, update?.update_id);
}
