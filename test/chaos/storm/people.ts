import { setTimeout as pause } from "node:timers/promises";
import type { StoredMessage } from "../../emulators/telegram/chat-state.ts";
import type { Person } from "../../emulators/telegram/person.ts";
import type { TelegramServer } from "../../emulators/telegram/telegram-server.ts";
import type { PlannedMessage, PlannedTap } from "./plan.ts";

/** Who has this many questions open waits for an answer before the next one. */
const maxOpen = 6;
/** Who waits for a card to close writes on after this. Milliseconds. */
const cardTimeoutMs = 60_000;
/** A tap that did nothing is repeated after this. Milliseconds. */
const tapAgainMs = 6_000;
const lookEveryMs = 150;

export interface SentMessage extends PlannedMessage {
  readonly sentAtMs: number;
}

export interface PeopleOptions {
  readonly telegram: TelegramServer;
  readonly beganMs: number;
  /** Nothing is sent after it has aborted. */
  readonly signal: AbortSignal;
  /** No one looks at their chat any more. */
  readonly over: AbortSignal;
}

/** Everybody who writes to the bot: one person per chat, who does what the plan says. */
export class People {
  readonly sent: SentMessage[] = [];
  readonly persons: Person[] = [];
  taps = 0;
  redelivered = 0;
  readonly #options: PeopleOptions;

  constructor(options: PeopleOptions) {
    this.#options = options;
  }

  join(count: number): void {
    const { telegram } = this.#options;
    while (this.persons.length < count) {
      const firstName = `Person${this.persons.length}`;
      const person = telegram.person({ firstName });
      telegram.privateChat(person);
      this.persons.push(person);
    }
  }

  /**
   * Fulfils when everything is said in all chats; people go on to tap the cards that come later.
   */
  async talk(chats: readonly (readonly PlannedMessage[])[]): Promise<void> {
    this.join(chats.length);
    await Promise.all(
      chats.map(async (messages, chat) => {
        const person = this.persons[chat];
        if (person) await this.#converse(person, messages);
      }),
    );
  }

  async #converse(person: Person, messages: readonly PlannedMessage[]): Promise<void> {
    let isDealtWith: Promise<unknown> = Promise.resolve();
    for (const [index, message] of messages.entries()) {
      await this.#until(message.atMs);
      if (!message.followsAtOnce) {
        await Promise.race([isDealtWith, pause(cardTimeoutMs)]);
        await this.#fewOpen(person, messages.slice(0, index));
      }
      if (this.#options.signal.aborted) break;
      this.#send(person, message);
      const { tap } = message;
      if (tap === undefined) continue;
      isDealtWith = this.#card(person, message.mark);
      if (tap.decision === "ignore")
        // Where the next message did not supersede it after all, someone has to end it.
        void this.#decide(person, message.mark, {
          ...tap,
          afterMs: cardTimeoutMs,
        });
      else isDealtWith = this.#decide(person, message.mark, tap);
    }
  }

  async #fewOpen(person: Person, asked: readonly PlannedMessage[]): Promise<void> {
    const { telegram, signal } = this.#options;
    const recent = asked.slice(-maxOpen);
    while (recent.length === maxOpen && !signal.aborted) {
      const shown = telegram.botMessages(person);
      // Errors name no mark: any word below the last answer will do.
      if (
        shown.some(({ text }) => recent.some(({ mark }) => text.includes(`end of ${mark}`))) ||
        shown.at(-1)?.text.startsWith("Sorry, ")
      )
        return;
      await pause(lookEveryMs);
    }
  }

  #send(person: Person, message: PlannedMessage): void {
    const { telegram } = this.#options;
    person.send(person, message.text);
    const update = telegram.pendingUpdates.at(-1);
    this.sent.push({ ...message, sentAtMs: Date.now() });
    if (message.redeliveredAfterMs === undefined || update === undefined) return;
    setTimeout(() => {
      this.redelivered += 1;
      telegram.redeliver(update.update_id);
    }, message.redeliveredAfterMs).unref();
  }

  /** Taps until the buttons are gone, as people do when nothing happens. */
  async #decide(person: Person, mark: string, tap: PlannedTap): Promise<void> {
    if ((await this.#card(person, mark)) === undefined) return;
    await pause(tap.afterMs);
    let tappedMs = 0;
    while (!this.#options.over.aborted) {
      // Where a card was sent twice the newer one counts.
      const card = this.#newestCard(person, mark);
      if (card === undefined || !hasButtons(card)) return;
      if (Date.now() - tappedMs > tapAgainMs) {
        tappedMs = Date.now();
        for (let times = tap.twice ? 2 : 1; times > 0; times -= 1) {
          this.taps += 1;
          person.tap(card.messageId, tap.decision === "ignore" ? "Deny" : tap.decision);
        }
      }
      await pause(lookEveryMs);
    }
  }

  #newestCard(person: Person, mark: string): StoredMessage | undefined {
    return this.#options.telegram.botMessages(person).findLast(({ text }) => isCardOf(text, mark));
  }

  /** The card of a mark, as soon as it is there; undefined when the turn has ended without one. */
  async #card(person: Person, mark: string): Promise<StoredMessage | undefined> {
    const { telegram, over } = this.#options;
    while (!over.aborted) {
      const card = this.#newestCard(person, mark);
      if (card !== undefined) return card;
      const messages = telegram.botMessages(person);
      if (messages.some(({ text }) => text.includes(`end of ${mark}`))) return undefined;
      await pause(lookEveryMs);
    }
    return undefined;
  }

  async #until(atMs: number): Promise<void> {
    const { beganMs, signal } = this.#options;
    const waitMs = beganMs + atMs - Date.now();
    if (waitMs > 0) await pause(waitMs, undefined, { signal }).catch(() => undefined);
  }
}

const hasButtons = ({ replyMarkup }: StoredMessage): boolean =>
  (replyMarkup?.inline_keyboard.length ?? 0) > 0;

/** Whether a text is an approval card, open or closed, for the call of this mark. */
export const isCardOf = (text: string, mark: string): boolean => text.includes(`for: ${mark}k`);
