import type { Logger } from "pino";
import { parseChatKey, type ChatKey } from "../core/chat.ts";
import { messageOf } from "../core/errors.ts";
import { holdOf, pauseOf, type Hold, type Pause, type Pauses } from "../core/pause.ts";
import type { TurnResult } from "../loop/turn-result.ts";
import type { DrainResult } from "../queue/drain.ts";
import { pausesCountForMs, type PauseStore } from "../store/operations/pauses.ts";

/** Interval for reading the pauses, so that turns needn't. Milliseconds. */
const intervalMs = 500;
/**
 * Chats woken by the process that held them; others wake by themselves a few
 * seconds later.
 */
const maxHeld = 10_000;
/** Most held chats that are woken in one interval. */
const wakeBatch = 200;

export interface PauseWatchDeps {
  readonly pauses: Pick<PauseStore, "read">;
  readonly wake: (chat: ChatKey) => Promise<void>;
  /**
   * Says in a chat that it is paused, once per pause. Returns whether there was
   * a recipient.
   */
  readonly notify: (chat: ChatKey, pause: Pause) => Promise<boolean>;
  /** Stops a chat's turn, if there is one, and posts a notice there. */
  readonly halt: (chat: ChatKey, pause: Pause) => Promise<void>;
  /** Milliseconds, never going back. */
  readonly monotonic: () => number;
  readonly log: Pick<Logger, "warn">;
}

/**
 * One worker's view of the kill switch. It knows the chats that the worker is working on, so that
 * `now` stops them, and the chats that it has skipped, so that they continue at once when the pause
 * ends.
 */
export class PauseWatch implements AsyncDisposable {
  readonly #deps: PauseWatchDeps;
  #pauses: Pauses = {};
  #readAtMs = -Infinity;
  #reading: Promise<void> | undefined;
  readonly #running = new Set<ChatKey>();
  /** By chat: whether it was notified. */
  readonly #held = new Map<ChatKey, boolean>();
  #timer: NodeJS.Timeout | undefined;
  #step: Promise<void> = Promise.resolve();
  #isFailing = false;
  #isOver = false;

  constructor(deps: PauseWatchDeps) {
    this.#deps = deps;
    this.#schedule(0);
  }

  /**
   * The pause of a chat, at most a second old. @throws if it is unknown and Redis can't be reached.
   */
  hold(chat: ChatKey): Hold | undefined | Promise<Hold | undefined> {
    const age = this.#deps.monotonic() - this.#readAtMs;
    if (age < pausesCountForMs) return holdOf(this.#pauseOf(chat));
    return this.#read().then(() => holdOf(this.#pauseOf(chat)));
  }

  /** Runs a chat's turn, or posts a notice there if the chat is paused. */
  async drain(chat: ChatKey, run: () => Promise<TurnResult>): Promise<DrainResult> {
    this.#running.add(chat);
    try {
      const result = await run();
      if (result.type !== "held") return result;
      await this.#leave(chat);
      return { type: "done" };
    } finally {
      this.#running.delete(chat);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    await this.#step;
  }

  async #leave(chat: ChatKey): Promise<void> {
    const pause = this.#pauseOf(chat);
    if (pause === undefined || this.#held.get(chat) === true) return;
    let isNotified = false;
    try {
      isNotified = await this.#deps.notify(chat, pause);
    } catch (error) {
      // The message is kept; that matters more than the notice.
      this.#complain(error, "could not say that a chat is paused");
    }
    if (this.#held.size < maxHeld || this.#held.has(chat)) this.#held.set(chat, isNotified);
  }

  #pauseOf(chat: ChatKey): Pause | undefined {
    return pauseOf(this.#pauses, parseChatKey(chat).platform);
  }

  #read(): Promise<void> {
    this.#reading ??= this.#ask().finally(() => {
      this.#reading = undefined;
    });
    return this.#reading;
  }

  async #ask(): Promise<void> {
    const askedAtMs = this.#deps.monotonic();
    this.#pauses = await this.#deps.pauses.read();
    this.#readAtMs = askedAtMs;
  }

  #schedule(waitMs: number): void {
    if (this.#isOver) return;
    this.#timer = setTimeout(() => {
      this.#step = this.#lookSafely().finally(() => this.#schedule(intervalMs));
    }, waitMs).unref();
  }

  async #lookSafely(): Promise<void> {
    try {
      await this.#look();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#complain(error, "could not read or apply the pauses");
      this.#isFailing = true;
    }
  }

  async #look(): Promise<void> {
    await this.#read();
    const errors = await this.#haltAll();
    const free = [...this.#held.keys()].filter((chat) => this.#pauseOf(chat) === undefined);
    for (const chat of free.slice(0, wakeBatch)) {
      await this.#deps.wake(chat);
      this.#held.delete(chat);
    }
    if (errors.length > 0) throw errors[0];
  }

  /** Returns what went wrong: one chat that cannot be stopped keeps no other one running. */
  async #haltAll(): Promise<readonly unknown[]> {
    const errors: unknown[] = [];
    for (const chat of this.#running) {
      const pause = this.#pauseOf(chat);
      if (!pause?.isNow) continue;
      try {
        await this.#deps.halt(chat, pause);
      } catch (error) {
        errors.push(error);
      }
    }
    return errors;
  }

  #complain(error: unknown, what: string): void {
    this.#deps.log.warn({ error: messageOf(error) }, what);
  }
}
