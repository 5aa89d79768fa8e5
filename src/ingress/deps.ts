import type { Logger } from "pino";
import type { MessageLimits } from "../limits/message-limits.ts";
import type { Command, CommandDeps } from "../commands/command.ts";
import type { ChatKey } from "../core/chat.ts";
import type { FairSlots, SlotLimits } from "../util/fair-slots.ts";
import type { Preference } from "../core/history.ts";
import type { Inbound, InboundCommand } from "../core/inbound.ts";
import type { Role } from "../core/roles.ts";
import type { ChatCount } from "../store/turns/chat-count.ts";
import type { PeopleStore } from "../store/people/people.ts";
import type { Locale } from "../locales/locale.ts";
import type { CommandPace } from "./command-pace.ts";
import type { Outcome } from "./outcome.ts";

/** Of messages whose files are fetched: a file has up to 8 MiB in memory then. */
export const fetchLimits: SlotLimits = { perProcess: 8, perPerson: 2 };

export interface AcceptDeps extends CommandDeps {
  readonly people: PeopleStore;
  readonly messageLimits: MessageLimits;
  /** Wakes the chat's turn after `inMs`, when a burst is complete. */
  readonly wakeTurnIn: (chat: ChatKey, inMs: number) => void;
  readonly chats: Pick<ChatCount, "note">;
  /** Whether voice notes are transcribed; else they are refused with a sentence. */
  readonly readsVoice: boolean;
  /** Where messages wait until there is room to fetch their files: the same for all that this process receives. */
  readonly fetchSlots: FairSlots;
  /** Short, for a person to quote and an operator to find in the log. */
  readonly newErrorId: () => string;
  readonly log: Logger;
}

/** Something that arrived, with what is known about its sender, whose language is the one in force. */
export interface Arrived<Kind extends Inbound = Inbound> {
  readonly inbound: Kind;
  readonly chat: ChatKey;
  /** What they may do, here and in general. */
  readonly role: Role;
  /** The same in this chat alone: a group's own administrator is an admin here where the operator trusts those. */
  readonly chatRole: () => Promise<Role>;
  /** The bot says nothing in this place, not even that. */
  readonly isSilent: boolean;
  /** What the person has chosen for themselves. */
  readonly preference: Preference;
  /** Limits how much they are answered without a turn. */
  readonly pace: CommandPace;
  /** In the person's language. */
  readonly locale: Locale;
  /** BCP 47: that language as the platform reports it, whatever they have chosen. */
  readonly reported: string | undefined;
}

/** With the command that its name stands for. */
export interface ArrivedCommand extends Arrived<InboundCommand> {
  readonly command: Command;
}

/** Decides what happens to something that arrived, or returns undefined: then the next step runs. */
export type Step<Given extends Arrived> = (
  deps: AcceptDeps,
  arrived: Given,
) => Promise<Outcome | undefined> | Outcome | undefined;
