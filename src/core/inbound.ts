import type { ChatAddress, Person } from "./chat.ts";
import type { Attachment, Quote } from "./history.ts";
import type { Button } from "./outbox.ts";

interface Arrival {
  /** The platform's id of this event; the same when it is delivered again. */
  readonly id: string;
  readonly address: ChatAddress;
  /** The Discord server, by its id; absent: none. */
  readonly guild?: string;
  /** See `Whereabouts`. */
  readonly threadOf?: string;
  readonly person: Person;
  /** A chat of two people, the bot being one. */
  readonly direct: boolean;
  readonly atMs: number;
  /**
   * Whether the platform considers them an administrator of this group. Called
   * only where the answer matters; false if it can't be determined. Never
   * rejects. Absent: they aren't one, or it can't be queried.
   */
  readonly isGroupAdmin?: () => Promise<boolean>;
  /** Aborts when a `/stop` that has overtaken it takes it back: nothing is kept then. */
  readonly dropped?: AbortSignal;
}

/** A file as it arrives. Nothing is fetched for people who may not talk to the bot. */
export interface InboundAttachment extends Omit<Attachment, "blob" | "size"> {
  /** Bytes, as the platform says; absent where it does not. */
  readonly size?: number;
  /**
   * The bytes, of which more than `maxBytes` are never held.
   * @throws PermanentError with a sentence for the person, where they cannot be had. @throws RetryableError
   */
  readonly fetch: (limit: {
    readonly maxBytes: number;
    readonly signal: AbortSignal;
    /** BCP 47: of the sentence; absent: English. */
    readonly language?: string | undefined;
  }) => Promise<Uint8Array>;
}

/** A message of a person; `isAddressed` says whether it is meant for the bot. */
export interface InboundMessage extends Arrival {
  readonly type: "message";
  readonly messageId?: string;
  /** May be blank where something is attached. */
  readonly text: string;
  readonly attachments?: readonly InboundAttachment[];
  /** What it answers, where that says more than the conversation. */
  readonly quote?: Quote;
  /**
   * False: in a group, and neither a mention, a reply to the bot nor a command. It is taken only in a chat whose
   * setting `activation` is `always`, and never answered otherwise. Absent: it is meant for the bot.
   */
  readonly isAddressed?: false;
  /** The platform's id of the message that it answers, where the bot wrote that. */
  readonly replyToId?: string;
  /**
   * Another person wrote its text: the model reads it as a quotation, and it
   * decides nothing.
   */
  readonly isForwarded?: true;
  /** Album id, or a mark of a split paste: such pieces form one turn. */
  readonly burst?: string;
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
  /** The arguments by name, where the platform tells them apart; `argument` is then what would be typed. */
  readonly options?: Readonly<Record<string, string>>;
  /**
   * The person it is about: the author of the message that it answers, or the
   * one selected in a platform field.
   */
  readonly about?: Person;
  /** The group's name as its members see it, where it is known. */
  readonly chatTitle?: string;
  /**
   * Takes back what was written before it in the chat and has not been taken in yet. @returns the ids of these events, every
   * time all of them: some may have been taken in all the same.
   * @param of a person's id: only what they wrote.
   */
  readonly dropEarlier?: (of?: string) => readonly string[];
  /** The adapter answers by itself (an interaction, the terminal); else the answer goes through the outbox. */
  readonly answersItself: boolean;
}

/**
 * A person has changed the text of a message. Taken only while that message waits or is being answered, and not where it is
 * a command now; else it is `ignored`, and nothing is said.
 */
export interface InboundEdit extends Arrival {
  readonly type: "edit";
  /** Of the message, as it was when that came. */
  readonly messageId: string;
  /** All of what it reads now. */
  readonly text: string;
}

/** A form that a tap opens. */
export interface InboundForm {
  /** Of the tap that brings it back, filled in; at most 64 bytes. */
  readonly data: string;
  /** 1 to 45 characters. */
  readonly title: string;
  /** 1 to 5. */
  readonly fields: readonly {
    /** 1 to 46 characters; names its text when it comes back. */
    readonly id: string;
    /** 1 to 45 characters. */
    readonly label: string;
    /** Its content; at most 4,000 characters. */
    readonly value: string;
    /** It has room for several lines. */
    readonly long: boolean;
  }[];
}

export interface InboundTap extends Arrival {
  readonly type: "tap";
  /** The platform's id of the message that has the button. */
  readonly messageId?: string;
  readonly data: string;
  /** The texts of the form that the same tap has opened, by the fields' ids; absent: nothing was filled in. */
  readonly filled?: Readonly<Record<string, string>>;
  /**
   * When the user is asked to tap again: a decision after this time must not be
   * made, or it could win against the later tap. Milliseconds since the epoch,
   * by the receiving process's clock.
   */
  readonly notAfterMs?: number;
}

export type Inbound =
  InboundMessage | InboundCommand | InboundEdit | InboundTap;

/** A button below an answer. */
export interface AnswerButton extends Button {
  /** What does the same where there is nothing to tap: a command as it is typed. */
  readonly typed: string;
}

/** What the adapter tells the person at once. */
export type Acceptance =
  /** It was not meant for the bot, or comes too late to matter: nothing is kept, and nothing said. */
  | { readonly type: "ignored" }
  /** It is in the inbox, durably. */
  | { readonly type: "queued" }
  /** It had been accepted before. */
  | { readonly type: "duplicate" }
  /** A command's answer or a tap's; `text` is for the adapter to show when it answers itself, else already in the outbox. */
  | {
      readonly type: "answered";
      readonly text: string;
      readonly isPrivate: boolean;
      /** At most 25. */
      readonly buttons?: readonly AnswerButton[];
      /** It also starts a turn. */
      readonly startsTurn?: boolean;
      /** The id of an approval that is closed by it, or `all` that wait in its chat: their cards say so soon. */
      readonly closes?: string;
      /** The card of that approval is about to say the same: a screen that prints both prints it once. */
      readonly isOnCard?: true;
    }
  /** A form is to be filled in; `text` is for where there are none. */
  | { readonly type: "form"; readonly form: InboundForm; readonly text: string }
  /**
   * Not kept, and nothing about it can be: the store is full. The adapter tells the person by itself; to be delivered
   * again would not help.
   */
  | { readonly type: "not-kept"; readonly text: string }
  /** Refused. `text` is absent when the person has been told already in this window. */
  | {
      readonly type: "refused";
      readonly text?: string;
      /** What the tapped message's buttons were for is over, and no other news will take them away. */
      readonly isStale?: true;
    };

/** The door: durable when the promise fulfils; rejects when the store cannot be reached, and the adapter must try again. */
export type Accept = (inbound: Inbound) => Promise<Acceptance>;
