import type { Logger } from "pino";
import type { MessageLimits } from "../limits/message-limits.ts";
import type { Command, CommandDeps } from "../commands/command.ts";
import type { ChatKey } from "../core/chat.ts";
import type { FairSlots, SlotLimits } from "../util/fair-slots.ts";
import type { Preference } from "../core/history.ts";
import type { Metrics } from "../core/metrics.ts";
import type { Inbound, InboundCommand, InboundMessage } from "../core/inbound.ts";
import type { Role } from "../core/roles.ts";
import type { ChatCount } from "../store/turns/chat-count.ts";
import type { PeopleStore } from "../store/people/people.ts";
import type { Locale } from "../locales/locale.ts";
import type { CommandPace } from "./command-pace.ts";
import type { Gestures } from "./gestures.ts";
import type { Outcome } from "./outcome.ts";

/** Messages whose files are fetched at the same time: each file takes up to 8 MiB of memory. */
export const fetchLimits: SlotLimits = { perProcess: 8, perPerson: 2 };

export interface AcceptDeps extends CommandDeps {
  readonly people: PeopleStore;
  readonly messageLimits: MessageLimits;
  readonly metrics: Metrics;
  /** Wakes the turn of a new message; a worker of this process takes it at once. */
  readonly startTurn: (chat: ChatKey) => Promise<void>;
  /** Wakes the chat's turn after `inMs`, when a burst is complete. */
  readonly wakeTurnIn: (chat: ChatKey, inMs: number) => void;
  readonly chats: Pick<ChatCount, "note">;
  /** Whether voice notes are transcribed; otherwise they are refused with a sentence. */
  readonly readsVoice: boolean;
  /** Whether a model sees pictures; otherwise no sentence asks for some. */
  readonly seesPictures: () => Promise<boolean>;
  /**
   * Messages wait here for memory to fetch their files; shared by all receivers of this process.
   */
  readonly fetchSlots: FairSlots;
  /** Short: people quote it, and operators search for it in the log. */
  readonly newErrorId: () => string;
  readonly log: Logger;
}

/**
 * An inbound event with what is known about its sender; the person's language is the effective one.
 */
export interface Arrived<Kind extends Inbound = Inbound> {
  readonly inbound: Kind;
  readonly chat: ChatKey;
  /** The person's role, in this chat and in general. */
  readonly role: Role;
  /**
   * The role in this chat alone: a group's own administrator is an admin here if the operator
   * trusts those.
   */
  readonly chatRole: () => Promise<Role>;
  /** The bot is muted in this chat, and doesn't even say so. */
  readonly isSilent: boolean;
  /** What the person has chosen for themselves. */
  readonly preference: Preference;
  /** The persona that was chosen for the place. */
  readonly placePersona: string | undefined;
  /** Limits answers without a turn. */
  readonly pace: CommandPace;
  /** What people are saying with several messages. */
  readonly gestures: Gestures<Arrived<InboundMessage>>;
  /** Their message here answers a question about a persona that they are making. */
  readonly isDrafting: boolean;
  /** In the person's language. */
  readonly locale: Locale;
  /** BCP 47: the language that the platform reports, whatever the person has chosen. */
  readonly reported: string | undefined;
}

/** With the command that its name resolves to. */
export interface ArrivedCommand extends Arrived<InboundCommand> {
  readonly command: Command;
}

/** Decides what happens to an inbound event; undefined: the next step runs. */
export type Step<Given extends Arrived> = (
  deps: AcceptDeps,
  arrived: Given,
) => Promise<Outcome | undefined> | Outcome | undefined;
