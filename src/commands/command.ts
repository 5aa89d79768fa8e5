import type { z } from "zod";
import type { Access } from "../access/access.ts";
import type { MessageLimits } from "../limits/message-limits.ts";
import type { LimitService } from "../limits/limit-service.ts";
import type { AttemptOutcome } from "../approvals/decide-approval.ts";
import type { PairingDeps } from "../access/pairing.ts";
import type {
  ChatSettings,
  CompactionStrategy,
  ToolDisplay,
  WhileBusy,
} from "../core/chat-settings.ts";
import type { ChatKey, Person } from "../core/chat.ts";
import type { Facts } from "../core/facts.ts";
import type { Auto, Preference } from "../core/history.ts";
import type { Recall } from "../core/memory.ts";
import type { Finding } from "../core/finding.ts";
import { commandData, type AnswerButton, type InboundForm } from "../core/inbound.ts";
import type { ChatTierName, ModelOptions } from "../core/model.ts";
import type { OutboxEntry } from "../core/outbox.ts";
import type { Asker, CommandSpec } from "../core/ports.ts";
import type { Role } from "../core/roles.ts";
import type { Schedules } from "../core/schedule.ts";
import type { Summaries } from "../core/summaries.ts";
import type { OfferedTool, Todos } from "../core/tool.ts";
import type { TurnPolicy, TurnPolicyChanges } from "../core/turn.ts";
import type { ApprovalStore } from "../store/approvals/approvals.ts";
import type { AuditStore } from "../store/operations/audit.ts";
import type { Blobs } from "../store/turns/blobs.ts";
import type { PersonaExtrasFormat } from "../core/persona.ts";
import type { PersonaDrafts } from "../store/personas/persona-drafts.ts";
import type { ErrorReports } from "../store/operations/error-reports.ts";
import type { SkillReviews } from "../store/operations/skill-reviews.ts";
import type { ChatSettingsStore } from "../store/turns/chat-settings.ts";
import type { ChatStatus } from "../store/turns/chat-status.ts";
import type { Erasures } from "../store/erasure/erasures.ts";
import type { GrantStore } from "../store/approvals/grants.ts";
import type { HistoryEntry } from "../store/turns/history.ts";
import type { Personas } from "../store/personas/choices.ts";
import type { NoteStore } from "../store/turns/notes.ts";
import type { Inbox, Ingested } from "../store/turns/inbox.ts";
import type { ToolSchemas } from "../store/approvals/tool-schemas.ts";
import type { PauseStore } from "../store/operations/pauses.ts";
import type { Locale } from "../locales/locale.ts";
import type { BroadcastPort, Figures, ImportedPort, PagePort } from "./ports.ts";

export interface CommandDeps {
  readonly inbox: Inbox;
  readonly access: Access;
  readonly pairing: PairingDeps;
  readonly settings: ChatSettingsStore;
  readonly status: (chat: ChatKey) => Promise<ChatStatus>;
  /** The `/auto` that runs or waits in a chat. */
  readonly runningAuto: (chat: ChatKey) => Promise<Auto | undefined>;
  readonly wakeTurn: (chat: ChatKey) => Promise<void>;
  readonly wakeDelivery: (chat: ChatKey) => Promise<void>;
  readonly approvals: ApprovalStore;
  readonly grants: GrantStore;
  /** The tools' parameter schemas, as workers last reported them. */
  readonly toolSchemas: Pick<ToolSchemas, "read">;
  /** What workers have of skills, and what admins decided about them. */
  readonly skillReviews: SkillReviews;
  readonly audit: AuditStore;
  readonly errors: Pick<ErrorReports, "list">;
  readonly pauses: Pick<PauseStore, "read" | "pause" | "resume">;
  readonly figures: () => Promise<Figures>;
  /** Examines the deployment; takes up to some seconds. What it finds is said in any language. */
  readonly doctor: () => Promise<(locale: Locale) => readonly Finding[]>;
  readonly broadcasts: BroadcastPort;
  readonly page: PagePort;
  readonly imported: ImportedPort;
  /** The models' tools, as workers last reported them; empty if none has. */
  readonly tools: () => Promise<readonly OfferedTool[]>;
  /** Whether the settings have a provider of web searches. */
  readonly canSearch: boolean;
  readonly todos: Pick<Todos, "read">;
  readonly facts: Facts;
  readonly notes: Pick<NoteStore, "list" | "remove">;
  readonly summaries: Pick<Summaries, "list">;
  /** Undefined: nothing is indexed. */
  readonly recall: Recall | undefined;
  /** How what was said is found, for `/status`. */
  readonly memory: MemoryMode;
  readonly schedules: Schedules;
  readonly personas: Personas;
  readonly personaDrafts: PersonaDrafts;
  readonly personaExtras: PersonaExtrasFormat;
  readonly messageLimits: Pick<MessageLimits, "isLimited" | "count" | "countUnlimited">;
  readonly models: ModelChoices;
  readonly defaults: SettingDefaults;
  /** Parsers of limits, the same as for the operator's file. */
  readonly limits: LimitReaders;
  /** Limits and usage of people and chats. */
  readonly limitService: LimitService;
  /** The candidate that a mistyped word was meant to be, if there is one. */
  readonly nearest: (
    word: string,
    candidates: readonly string[],
    atMost?: number,
  ) => string | undefined;
  /** A chat's whole raw history, oldest first. */
  readonly history: (chat: ChatKey) => AsyncIterable<HistoryEntry>;
  readonly blobs: Pick<Blobs, "put" | "putSent" | "remove">;
  readonly erasures: Pick<Erasures, "offer" | "idOf" | "ask" | "list">;
  /** Puts an entry into a chat's outbox, once per entry id, and wakes its delivery. */
  readonly post: (chat: ChatKey, entry: OutboxEntry) => Promise<Ingested>;
  readonly commands: readonly Command[];
  readonly now: () => number;
}

interface MemoryMode {
  readonly recall: "auto" | "tool" | "off";
  /** Whether embeddings are used, and whether they could be when they were needed last. */
  readonly embeddings: "none" | "used" | "failing";
}

/** The options of `/tier` and `/model`. */
export interface ModelChoices {
  /** Every model that may be asked for, `provider/model`. */
  readonly keys: readonly string[];
  /** The tiers between which there is a choice. */
  readonly tiers: readonly ChatTierName[];
  /** The other tiers, each the same as one of `tiers`. */
  readonly aliases: ReadonlyMap<ChatTierName, ChatTierName>;
  /** The models of a tier in the order in which they are asked, `first` before all others. */
  readonly modelsOf: (tier: ChatTierName, first?: string) => readonly string[];
}

/** The defaults for a chat without settings: the operator's file, or its defaults. */
export interface SettingDefaults {
  readonly whileBusy: WhileBusy;
  readonly tools: ToolDisplay;
  readonly thinking: boolean;
  readonly policy: TurnPolicy;
  /** A tier's overrides of the policy. */
  readonly tierPolicies: Partial<Record<ChatTierName, TurnPolicyChanges>>;
  readonly context: {
    readonly compactAt: number;
    readonly keepTurns: number;
    readonly strategy: CompactionStrategy;
  };
  /** By tier, as its first model is asked. */
  readonly modelOptions: Partial<Record<ChatTierName, ModelOptions>>;
  /** The longest time for which a rule allows the permission mode `auto`; 0: none does. */
  readonly autoMs: number;
}

/** The limits that are numbers; `deadline` in milliseconds, `maxCost` in US dollars. */
export type LimitName = Extract<
  keyof ChatSettings,
  | "maxModelCalls"
  | "maxToolExecutions"
  | "deadline"
  | "maxTokens"
  | "maxCost"
  | "loopSameCall"
  | "loopSameTool"
  | "loopHints"
>;

/** The other settings that are numbers. */
type ContextNumber = Extract<keyof ChatSettings, "compactAt" | "keepTurns">;
export type OptionName = Extract<
  keyof ChatSettings,
  "temperature" | "maxOutputTokens" | "repeatPenalty"
>;

/** Each parses a person's text; the message of an issue says what was expected. */
export type LimitReaders = Readonly<
  Record<LimitName | ContextNumber | OptionName, z.ZodType<number | "off">>
>;

export interface CommandCall extends Asker {
  /** The asker's role, in this chat and in general. */
  readonly role: Role;
  /**
   * The same for what concerns this chat alone, as its settings and approvals do: a group's own
   * administrator may be an admin here and nowhere else.
   */
  readonly chatRole: Role;
  /** The asker's own choices. */
  readonly preference: Preference;
  /** In the asker's language. */
  readonly locale: Locale;
  /** The persona that was chosen for the place: see `personaRefText`. */
  readonly placePersona?: string | undefined;
  /** BCP 47: the asker's language as the platform reports it, whatever they have chosen here. */
  readonly reported?: string | undefined;
  readonly argument: string;
  /**
   * The arguments by name, if the platform separates them; then `argument`
   * needn't be parsed.
   */
  readonly options?: Readonly<Record<string, string>>;
  /**
   * The person it is about: the author of the message that it answers, or the
   * one selected.
   */
  readonly about?: Person;
  /**
   * The event that brought it; what a command writes to the inbox is remembered under ids made of
   * it.
   */
  readonly eventId: string;
  /** Its adapter shows the answer; else the outbox brings it. */
  readonly answersItself?: boolean;
  /** The group's name, where the platform says it. */
  readonly chatTitle?: string;
  /** The platform's id of the message that brought it, where there is one. */
  readonly messageId?: string;
  /**
   * Withdraws earlier messages that have not been accepted yet. @returns the ids of these events.
   * @param of a person's id: only what they wrote.
   */
  readonly dropEarlier?: ((of?: string) => readonly string[]) | undefined;
}

export interface CommandAnswer {
  readonly text: string;
  /** At most 25. */
  readonly buttons?: readonly AnswerButton[];
  /** It starts a turn; absent if the command was refused. */
  readonly startsTurn?: boolean;
  /** The id of an approval that is closed by it, or `all` that wait in its chat. */
  readonly closes?: string;
  /**
   * The card of that approval, or the answer that was stopped, is about to say the same: a screen
   * that prints both prints it once.
   */
  readonly isOnCard?: true;
  /** For the asker alone, whatever its command says. */
  readonly isPrivate?: true;
  /** It gives way to what others are sent. */
  readonly isLowPriority?: true;
  /** In a group the person is to reply to it: the platform opens a reply for them, if it can. */
  readonly asksReply?: true;
  /** Of answers with this name a person reads one per chat and time; the others are left out. */
  readonly atMostOnce?: { readonly name: string; readonly perMs: number };
}

/** One thing a person can ask the bot itself: the same on every platform. */
export interface Command {
  readonly spec: CommandSpec;
  /** Who may use it at least. */
  readonly role: Exclude<Role, "banned">;
  /** In a group the answer is shown to the asker alone, or goes to their direct chat. */
  readonly isPrivate: boolean;
  /** A button can be the command with an argument: see `commandData`. */
  readonly hasButtons?: true;
  run(call: CommandCall, deps: CommandDeps): Promise<CommandAnswer>;
  /**
   * Where forms can be opened: the one to fill in in place of what would be typed. Sent, it comes as
   * the command with the options `form`, which is that argument, and the fields.
   */
  readonly form?: (
    call: CommandCall,
    deps: CommandDeps,
    argument: string,
  ) => Promise<{ readonly form: InboundForm } | { readonly problem: string }>;
}

/** The answer to an attempt at an approval. */
export const answerTo = (outcome: AttemptOutcome): CommandAnswer =>
  outcome.type === "decided"
    ? { text: outcome.text, closes: outcome.approval.id, isOnCard: true }
    : { text: outcome.text };

export const answer = (...lines: readonly string[]): CommandAnswer => ({
  text: lines.join("\n"),
});

/** Buttons that are the command with an argument, in place of which something else may be typed. */
export const commandButtons =
  (command: string) =>
  (label: string, argument: string, instead = argument): AnswerButton => ({
    label,
    data: commandData(command, argument),
    typed: `/${command} ${instead}`,
  });

/** A page of a list, from 1; the nearest one, where there is none of that number. */
export function pageOf<Item>(all: readonly Item[], page: number, size: number) {
  const found = Math.min(Math.max(1, page), Math.ceil(all.length / size));
  const from = (found - 1) * size;
  const next = all.length > from + size ? found + 1 : undefined;
  return { from, shown: all.slice(from, from + size), next };
}

/** The user's input, shortened to be quoted back. */
export const typed = (text: string): string =>
  `"${text.length > 50 ? `${text.slice(0, 50)}…` : text}"`.toWellFormed();
