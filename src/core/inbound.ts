import type { ChatAddress, Person } from "./chat.ts";
import type { Attachment, Opening, Origin, Quote } from "./history.ts";
import type { Button } from "./outbox.ts";
import type { Place } from "./places.ts";

interface Arrival {
  /** The platform's id of this event; the same when it is delivered again. */
  readonly id: string;
  readonly address: ChatAddress;
  /** The Discord server, by its id; absent: none. */
  readonly guild?: string;
  /** See `Whereabouts`. */
  readonly threadOf?: string;
  readonly person: Person;
  /** A private chat between a person and the bot. */
  readonly direct: boolean;
  readonly atMs: number;
  /**
   * Whether the platform considers them an administrator of this group. Called
   * only where the answer matters; false if it can't be determined. Never
   * rejects. Absent: they aren't one, or it can't be queried.
   */
  readonly isGroupAdmin?: () => Promise<boolean>;
  /** Aborts when a `/stop` that overtook it withdraws it: nothing is stored then. */
  readonly dropped?: AbortSignal;
}

/** A file as it arrives. Files of people who may not talk to the bot are not fetched. */
export interface InboundAttachment extends Omit<Attachment, "blob" | "size"> {
  /** Bytes, as the platform reports them; absent if it doesn't. */
  readonly size?: number;
  /**
   * The earlier message that holds the file, where this message only points at it: it is fetched unless
   * the conversation still shows it. Absent: this message holds it.
   */
  readonly pointedAt?: {
    /** Absent: it is in another chat. */
    readonly messageId?: string;
    /** The file holds an answer of the bot, which the conversation shows as text. */
    readonly isAnswer?: true;
  };
  /**
   * The bytes; never holds more than `maxBytes` of them.
   * @throws PermanentError with a sentence for the person if they can't be fetched. @throws
   * RetryableError
   */
  readonly fetch: (limit: {
    readonly maxBytes: number;
    readonly signal: AbortSignal;
    /** BCP 47: the language of the sentence; absent: English. */
    readonly language?: string | undefined;
    /** Whether a model sees pictures, so that the sentence may ask for some; absent: one does. */
    readonly seesPictures?: () => Promise<boolean>;
  }) => Promise<Uint8Array>;
}

export interface ThreadOpening extends Opening {
  readonly attachments: readonly InboundAttachment[];
}

/** A message of a person; `isAddressed` says whether it is meant for the bot. */
export interface InboundMessage extends Arrival {
  readonly type: "message";
  readonly messageId?: string;
  /** As it was typed: commands and decisions read this. May be blank if there are attachments. */
  readonly text: string;
  /**
   * The text as a model reads it: with its formatting, hidden addresses and content that is no file, in
   * Markdown. Absent: as `text`.
   */
  readonly markdown?: string;
  readonly attachments?: readonly InboundAttachment[];
  /** The quoted message, unless the conversation already contains it. */
  readonly quote?: Quote;
  /**
   * How its thread began, with the files of that message. Called only where the message begins a
   * conversation; undefined: nothing that can be read. Never rejects. Absent: it is in no thread.
   */
  readonly opening?: () => Promise<ThreadOpening | undefined>;
  /**
   * False: a group message that neither mentions the bot, replies to it nor is a command. It is
   * accepted only in a chat with the setting `activation: always`. Absent: it is meant for the bot.
   */
  readonly isAddressed?: false;
  /** The platform's id of the bot's message that it replies to. */
  readonly replyToId?: string;
  /**
   * Another person wrote its text: the model reads it as a quotation, and it
   * can't decide an approval.
   */
  readonly isForwarded?: true;
  /** Who wrote the forwarded text, or where. */
  readonly origin?: Origin;
  /** Album id, or the key of a split paste: such pieces form one turn. */
  readonly burst?: string;
  /** When it was written, by the platform's clock. Milliseconds since the epoch. */
  readonly sentAtMs?: number;
  /**
   * It isn't addressed and looks like a command for another bot: it is only taken as a piece of a
   * message that is meant for this one.
   */
  readonly looksLikeCommand?: true;
  /**
   * The adapter reports the result at once (`/ask`, the terminal); otherwise a
   * refusal goes through the outbox.
   */
  readonly answersItself?: boolean;
}

export interface InboundCommand extends Arrival {
  readonly type: "command";
  readonly messageId?: string;
  /** Without the slash, lower case. */
  readonly name: string;
  readonly argument: string;
  /**
   * The arguments by name, if the platform has named ones; `argument` then holds the typed
   * equivalent.
   */
  readonly options?: Readonly<Record<string, string>>;
  /**
   * The person it is about: the author of the message that it answers, or the
   * one selected in a platform field.
   */
  readonly about?: Person;
  /** The group's name as its members see it, where it is known. */
  readonly chatTitle?: string;
  /**
   * Withdraws earlier messages of the chat that have not been accepted yet. @returns the ids of
   * these events, the same ones on each call: some may have been accepted nevertheless.
   * @param of a person's id: only their messages.
   */
  readonly dropEarlier?: (of?: string) => readonly string[];
  /**
   * The adapter shows the answer itself (an interaction, the terminal); otherwise it goes through
   * the outbox.
   */
  readonly answersItself: boolean;
}

/**
 * An edit of a message's text. Accepted only while that message waits or is being answered, and if
 * its new text is no command; otherwise it is `ignored` without an answer.
 */
export interface InboundEdit extends Arrival {
  readonly type: "edit";
  /** Of the message, as it was when the message came. */
  readonly messageId: string;
  /** The whole new text. */
  readonly text: string;
  /** See `InboundMessage`. */
  readonly markdown?: string;
}

/** A form that a tap opens. */
export interface InboundForm {
  /** Data of the tap that submits it; at most 64 bytes. */
  readonly data: string;
  /** 1 to 45 characters. */
  readonly title: string;
  /** 1 to 5. */
  readonly fields: readonly {
    /** 1 to 46 characters; identifies the field's text when the form is submitted. */
    readonly id: string;
    /** 1 to 45 characters. */
    readonly label: string;
    /** Its content; at most 4,000 characters. */
    readonly value: string;
    /** It has room for several lines. */
    readonly long: boolean;
  }[];
}

/**
 * Data of a button that does what typing a command does, or opens the command's form where forms can
 * be opened. `cc:<command>:<argument>`, `cf:<command>:<argument>`.
 */
export const commandData = (command: string, argument: string): string =>
  `cc:${command}:${argument}`;
export const formData = (command: string, argument: string): string => `cf:${command}:${argument}`;

/** The inverse of both; undefined: another button. Pure. */
export function parseCommandData(data: string) {
  const [, kind, command, argument = ""] = /^(cc|cf):([a-z0-9_]{1,32}):(.*)$/s.exec(data) ?? [];
  if (command === undefined) return undefined;
  return { isForm: kind === "cf", command, argument };
}

export interface InboundTap extends Arrival {
  readonly type: "tap";
  /** The platform's id of the message that has the button. */
  readonly messageId?: string;
  readonly data: string;
  /**
   * The submitted texts of the form that the same tap has opened, by the fields' ids; absent: none.
   */
  readonly filled?: Readonly<Record<string, string>>;
  /**
   * When the user is asked to tap again: a decision after this time must not be
   * made, or it could win against the later tap. Milliseconds since the epoch,
   * by the receiving process's clock.
   */
  readonly notAfterMs?: number;
}

/** The bot was added to a group or server; `person` is who added it, as far as the platform says. */
export interface InboundJoin extends Arrival {
  readonly type: "join";
  /** The group's or server's name. */
  readonly title: string;
  /** Never set: no message says it. */
  readonly messageId?: string;
}

export type Inbound = InboundMessage | InboundCommand | InboundEdit | InboundTap | InboundJoin;

/** A button below an answer. */
export interface AnswerButton extends Button {
  /** The equivalent command, for platforms without buttons. */
  readonly typed: string;
}

/** What the adapter shows the person at once. */
export type Acceptance =
  /**
   * Not meant for the bot, or too late to matter: nothing is stored, and nothing shown. `settled`: its
   * writer may mention the bot in a moment, and then it is taken; until that fulfils the event has to
   * be delivered again after a crash.
   */
  | { readonly type: "ignored"; readonly settled?: Promise<void> }
  /** It is in the inbox, durably. */
  | { readonly type: "queued" }
  /** It had been accepted before. */
  | { readonly type: "duplicate" }
  /**
   * The answer to a command or tap; `text` is for the adapter to show if it answers itself,
   * otherwise already in the outbox.
   */
  | {
      readonly type: "answered";
      readonly text: string;
      readonly isPrivate: boolean;
      /** At most 25. */
      readonly buttons?: readonly AnswerButton[];
      /** It also starts a turn. */
      readonly startsTurn?: boolean;
      /**
       * The id of an approval that it closes, or `all` for those waiting in its chat: their cards
       * will be updated.
       */
      readonly closes?: string;
      /** The card, or the answer that was stopped, will say the same: no screen needs it twice. */
      readonly isOnCard?: true;
      /** The bot has to leave this group or server. */
      readonly leaves?: Place;
      /** As of a refusal. */
      readonly isStale?: true;
    }
  /** Asks the adapter to open a form; `text` is for platforms without forms. */
  | { readonly type: "form"; readonly form: InboundForm; readonly text: string }
  /**
   * Not stored, since the store is full. The adapter shows the text itself; a repeated delivery
   * would not help.
   */
  | { readonly type: "not-kept"; readonly text: string }
  /** Refused. `text` is absent if the person has been notified before in this window. */
  | {
      readonly type: "refused";
      readonly text?: string;
      /** They were told before which limit refuses it: a reaction says that it is refused again. */
      readonly isMarked?: true;
      /**
       * The buttons of the tapped message no longer apply, and no later update will remove them.
       */
      readonly isStale?: true;
    };

/**
 * Accepts inbound events: durable when the promise fulfils; rejects if the store can't be reached,
 * and the adapter must retry.
 */
export type Accept = (inbound: Inbound) => Promise<Acceptance>;
