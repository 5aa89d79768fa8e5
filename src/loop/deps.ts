import type { Logger } from "pino";
import type { ApproverPolicy } from "../core/approval.ts";
import type { AuditLog } from "../core/audit.ts";
import type { ChatKey, Person } from "../core/chat.ts";
import type { ToolDisplay, WhileBusy } from "../core/chat-settings.ts";
import type { Budget } from "../core/limits.ts";
import type { Recall } from "../core/memory.ts";
import type { ErrorReport } from "../core/error-report.ts";
import type { TierName } from "../core/model.ts";
import type { PersonFacts } from "../core/facts.ts";
import type { GrantReader } from "../core/grants.ts";
import type { Metrics } from "../core/metrics.ts";
import type { ModelWatch } from "../core/outage.ts";
import type { FileReader, FileStore, TurnStore } from "../core/ports.ts";
import type { Skill } from "../core/skill.ts";
import type { KeptResults } from "../core/tool.ts";
import type { TraceSink } from "../core/trace.ts";
import type { TurnPolicy, TurnPolicyChanges } from "../core/turn.ts";
import type { ModelCatalogue } from "../models/create-models.ts";
import type { Compactor } from "./compaction/compactor.ts";
import type { ContextSettings } from "./compaction/settings.ts";
import type { TurnEvent } from "./machine/apply.ts";
import type { PersonaSource } from "../core/persona.ts";
import type { ToolPolicy } from "./tools/prepare-call.ts";
import type { Toolbox } from "./tools/toolbox.ts";
import type { TurnStarts } from "./session/turn-starts.ts";

/** Defaults for chats without their own setting. */
export interface LoopDefaults {
  readonly whileBusy: WhileBusy;
  /** How much of its tools the growing answer shows. */
  readonly tools: ToolDisplay;
  /** Whether models that can think are asked to, and their thoughts shown. */
  readonly thinking: boolean;
}

/** All that the loop needs; nothing in it knows a platform or Redis. */
export interface LoopDeps {
  readonly store: TurnStore;
  readonly models: ModelCatalogue;
  /** May change between two calls. */
  readonly toolbox: Toolbox;
  /** The approved skills, sorted by name; the same list until it changes. */
  readonly skills: () => readonly Skill[];
  /** Where the rest of a cut result is kept. */
  readonly kept: KeptResults;
  /** The bytes of what people send and tools return. */
  readonly blobs: FileStore;
  /** Makes text of documents and voice notes. */
  readonly reader: FileReader;
  readonly toolPolicy: ToolPolicy;
  /** The digest of what a schedule's watch saw last; undefined: nothing. */
  readonly watched: (chat: ChatKey, id: string) => Promise<string | undefined>;
  /** The chats' standing permissions. */
  readonly grants: GrantReader;
  readonly policy: TurnPolicy;
  /** What a tier changes of the policy. */
  readonly tierPolicies: Partial<Record<TierName, TurnPolicyChanges>>;
  readonly defaults: LoopDefaults;
  /** Where no persona has another. */
  readonly systemPrompt: string;
  /** Recalls for each turn of a direct chat. Undefined: only the tool does. */
  readonly recall: Recall | undefined;
  /** Undefined: there are none. */
  readonly personas: PersonaSource | undefined;
  /** People's own facts. */
  readonly personFacts: PersonFacts;
  /** Whether summaries of earlier conversations lead the requests. */
  readonly showsSummaries: boolean;
  readonly context: ContextSettings;
  readonly compactor: Compactor;
  /** Undefined: nothing is traced. */
  readonly trace: TraceSink | undefined;
  readonly metrics: Metrics;
  /** Watches the machine's events. Undefined: no one does. */
  readonly onEvent: ((chat: ChatKey, event: TurnEvent) => void) | undefined;
  readonly audit: AuditLog;
  /** People who must no longer be answered, though their messages were accepted. */
  readonly banCache: {
    /** Runs in the same round trip as `begin`; `store`: bypasses the cache. */
    refresh(from?: "cache" | "store"): Promise<void>;
    has(person: Pick<Person, "id">, chat: ChatKey): boolean;
  };
  /** Which turns may begin now. */
  readonly turnStarts: Pick<TurnStarts, "enter">;
  /** What model calls are paid from. */
  readonly budget: Budget;
  /**
   * Whether a cheaper tier is asked where a limit on cost has no room for the one that would be.
   */
  readonly downgrade: boolean;
  readonly approvalTtlMs: number;
  /** Whether a person who may decide can be asked in a direct chat of their own. */
  readonly canReach: (approvers: ApproverPolicy) => Promise<boolean>;
  /** How many calls one card may ask for in this chat. */
  readonly callsPerCard: (chat: ChatKey) => number;
  /**
   * How long another person's message waits for a decision before it supersedes
   * the open calls.
   */
  readonly timeoutMs: number;
  /** When a turn whose models were all away asks them again, each after the attempt before. */
  readonly askAgainAfterMs: readonly number[];
  /** A third of the store's lease, or less. */
  readonly heartbeatMs: number;
  /** Milliseconds between two overwrites of a chat's draft. */
  readonly draftIntervalMs: (chat: ChatKey) => number;
  readonly wakeDelivery: (chat: ChatKey) => Promise<void>;
  /**
   * Calls `onNews` when this chat may have been stopped or received a message;
   * the store is the truth.
   */
  readonly onNews: (chat: ChatKey, onNews: () => void) => Disposable;
  readonly clock: {
    /** Milliseconds, never going back. */
    readonly monotonic: () => number;
    /** Milliseconds since the epoch, by the clock that all processes share: Redis'. */
    readonly wall: () => number;
  };
  /** Short, for a person to quote and an operator to find in the log. */
  readonly newErrorId: () => string;
  /** Removes the settings' secrets, and text that looks like one. */
  readonly redact: (text: string) => string;
  /** Keeps an error for owners, who may ask about its id. Never throws; not awaited. */
  readonly noteError: (report: ErrorReport) => void;
  /** Tells owners when models stop answering people, and when they answer again. */
  readonly modelWatch: ModelWatch;
  /** The log's file, the first time, where a terminal's chat hides the log; else undefined. */
  readonly logFileOnce: () => string | undefined;
  readonly log: Logger;
}
