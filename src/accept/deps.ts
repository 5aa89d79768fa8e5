import type { Logger } from "pino";
import type { Access, Role } from "../access/access.ts";
import type { CommandDeps } from "../commands/command.ts";
import type { ChatKey } from "../core/chat.ts";
import type { Preference } from "../core/history.ts";
import type { Inbound } from "../core/inbound.ts";
import type { PeopleStore } from "../store/people.ts";
import type { Words } from "../words/words.ts";

export interface AcceptDeps {
  readonly access: Access;
  readonly people: PeopleStore;
  readonly commandDeps: CommandDeps;
  readonly wake: {
    readonly turn: (chat: ChatKey) => Promise<void>;
    readonly delivery: (chat: ChatKey) => Promise<void>;
    /** A burst is complete at this time, in ms since the epoch. */
    readonly turnAt: (chat: ChatKey, atMs: number) => void;
  };
  /** Whether voice notes are transcribed; else they are refused with a sentence. */
  readonly readsVoice?: boolean;
  /** Short, for a person to quote and an operator to find in the log. */
  readonly newErrorId: () => string;
  readonly log: Logger;
}

/** Something that arrived, with what the door has found out about it; its person's language is the one in force. */
export interface Arrived<Kind extends Inbound = Inbound> {
  readonly inbound: Kind;
  readonly chat: ChatKey;
  readonly role: Role;
  /** What the person has chosen for themselves. */
  readonly preference: Preference;
  /** In the person's language. */
  readonly words: Words;
  /** BCP 47: that language as the platform tells it, whatever they have chosen. */
  readonly reported?: string | undefined;
}
