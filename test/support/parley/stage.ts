/**
 * How long anything is waited for: long, since a busy machine is slow and a lost worker's lease
 * lasts 6 s.
 */
export const timeoutMs = 45_000;

/** A message of the bot as people see it now. */
export interface Shown {
  readonly id: string;
  readonly text: string;
  /** Labels. */
  readonly buttons: readonly string[];
  /** What the buttons carry, in the same order. */
  readonly data: readonly string[];
  /** Every text that it has shown, oldest first. */
  readonly history: readonly string[];
}

export interface SayOptions {
  /** Addresses the bot by name. */
  readonly mention?: boolean;
  readonly replyTo?: Shown;
}

export type ShownMatch = string | ((message: Shown) => boolean);

/** One chat as one person uses it. */
export interface TestChat {
  readonly platform: Stage["name"];
  /** As Parley calls the person: `telegram:1`. */
  readonly personId: string;
  readonly personName: string;
  /** Sends a message; returns what `redeliver` takes. */
  say(text: string, options?: SayOptions): string;
  /** Forwards these texts of others, with a comment as the platform's app sends it. */
  forward(texts: readonly string[], comment?: string): void;
  /** Sends a poll. */
  poll(question: string, answers: readonly string[]): void;
  redeliver(message: string): void;
  /** Changes the text of what `say` sent. */
  edit(message: string, text: string): void;
  /** Uses a command, the platform's way; fulfils with its answer. */
  command(name: string, argument?: string): Promise<string>;
  /** The bot's messages that everybody here sees, oldest first. */
  shown(): readonly Shown[];
  /** The first message of the bot that holds the text or meets the condition. */
  wait(match: ShownMatch): Promise<Shown>;
  /** Taps a button that is there; fulfils with what the tapper alone is told. */
  tap(message: Shown, label: string): Promise<string>;
  /** The bot is removed from the group or server, or added again. */
  setBotIn(isIn: boolean): void;
  /** The topic or thread is deleted. */
  deleteTopic(): void;
  /** Blocks the bot. */
  block(): void;
  unblock(): void;
  /** From now on the platform takes no formatting here. @throws on Discord, where it is part of the words. */
  refuseFormatting(): void;
  /** Taps with any data, as a modified client can. */
  forge(message: Pick<Shown, "id">, data: string): Promise<string>;
}

/** One emulated platform with a bot on it. */
export interface Stage extends AsyncDisposable {
  readonly name: "telegram" | "discord";
  readonly environment: Readonly<Record<string, string>>;
  /** Everything that anybody has written. */
  readonly said: readonly string[];
  readonly violations: readonly unknown[];
  /** Fulfils when the bot can be spoken to: it is connected and its commands are known. */
  connected(): Promise<void>;
  /** A new person's private chat with the bot. */
  direct(name: string): TestChat;
  /** The private chat of someone known. */
  directOf(chat: TestChat): TestChat;
  /** One group with the bot, as each of these new people uses it; the first administers it. */
  group(...names: readonly string[]): readonly TestChat[];
  /** The same people in a new group of their own. */
  groupOf(chats: readonly TestChat[]): readonly TestChat[];
  /** New people in a topic or thread of a new group, and the same people in the group beside it. */
  topic(...names: readonly string[]): {
    readonly inside: readonly TestChat[];
    readonly beside: readonly TestChat[];
  };
  /** Fulfils when the condition holds; it is asked after every change. */
  until(condition: () => boolean, what: string): Promise<void>;
}

/** What a tap that decided something tells: Telegram a word, Discord the card as it is then. */
export const taken = /^Approved\.$|^(?!This |Only ).*approved by /s;

/** What a tap that denied something tells, in the same way. */
export const denied = /^Denied\.$|^✗ .*denied by /s;

export const matchesShown = (message: Shown, match: ShownMatch): boolean =>
  typeof match === "string" ? message.text.includes(match) : match(message);
