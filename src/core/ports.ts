import type { Approval, ApprovalStatus, ApprovalView } from "./approval.ts";
import type { ChatAddress, ChatKey, Person } from "./chat.ts";
import type { InboxEntry, LogEntry, UnreadableReason } from "./history.ts";
import type { Draft, OutboxEntry } from "./outbox.ts";
import type { Decoration, RefusalReason } from "./refusal.ts";
import type { ChatSettings } from "./chat-settings.ts";
import type { Fact } from "./facts.ts";
import type { ScheduleEnd } from "./schedule.ts";
import type { ConversationSummary } from "./summaries.ts";
import type { Todo } from "./tool.ts";
import type { JournalEntry, Spending, TurnState } from "./turn.ts";

/**
 * The right to change one chat's turn: worthless once another session has begun or the lease has
 * run out.
 */
export interface Session {
  readonly chat: ChatKey;
  readonly token: string;
}

/** The work that `begin` found. */
export interface BegunTurn {
  readonly type: "begun";
  readonly session: Session;
  readonly revision: number;
  /** Undefined: the chat is idle; the inbox says what is next. */
  readonly state: TurnState | undefined;
  /** Entries that wait, oldest first; positions grow by one. */
  readonly inbox: readonly {
    readonly position: number;
    readonly entry: InboxEntry;
  }[];
  /** Everything at or below this inbox position is to be cancelled. */
  readonly stopAt: number;
  /**
   * The view's part of the history: the entries since the last reset, or after
   * what the newest compaction summarised.
   */
  readonly transcript: readonly LogEntry[];
  /** The log position of the transcript's first entry; the others follow without a gap. */
  readonly viewStart: number;
  readonly settings: ChatSettings;
  /** The personas that people have chosen in this chat, as references, by id. Absent: none. */
  readonly personas?: ReadonlyMap<string, string>;
  /** The chat's newest notes, oldest first, and its to-dos, as of `begin`. */
  readonly notes: readonly string[];
  readonly todos: readonly Todo[];
  /** The chat's facts, superseded ones too, and its newest summaries; both oldest first. */
  readonly facts: readonly Fact[];
  readonly summaries: readonly ConversationSummary[];
  /** Results of the open round's settled calls. */
  readonly journal: ReadonlyMap<string, JournalEntry>;
  /** The open round's approvals, as decided so far. */
  readonly approvals: readonly ApprovalView[];
  /** How many owners of this turn have died, i.e. lost their lease during the turn. */
  readonly deaths: number;
  /**
   * True when `begin` itself moved the inbox's head into the log and opened the turn in `state`.
   */
  readonly opened: boolean;
  /** Nothing of the turn has been committed since `begin` opened it, by this session or another. */
  readonly isUncommitted?: true;
  /** The chat's last owner stopped renewing its lease. */
  readonly isTakenOver?: true;
  /** The chat is paused: no turn may be opened in it. */
  readonly isHeld?: true;
}

export type BeginOutcome =
  | BegunTurn
  /** Nothing waits. */
  | { readonly type: "nothing" }
  /** Something waits, and the chat is paused. It is looked at again by itself. */
  | { readonly type: "held" }
  /** Another session has it, or it isn't due; look again in `againInMs`. */
  | { readonly type: "later"; readonly againInMs: number };

/** Log positions, both included; without `to`, all that follow. */
export interface ChangedEntries {
  readonly from: number;
  readonly to?: number;
  /** Who edited them. */
  readonly person?: Person;
}

/** One atomic change of a chat: all of it happens, or none. */
export interface Commit {
  /** Undefined: the turn has ended, the chat is idle. */
  readonly state: TurnState | undefined;
  /** The turn that this commit belongs to. */
  readonly turn: number;
  readonly append?: readonly LogEntry[];
  readonly outbox?: readonly OutboxEntry[];
  readonly journal?: Readonly<Record<string, JournalEntry>>;
  /** Approvals to open. */
  readonly ask?: readonly Approval[];
  /** Approvals to close; the whole commit is refused if one of them has been decided since. */
  readonly close?: readonly {
    readonly id: string;
    readonly status: ApprovalStatus;
  }[];
  /** How many of the inbox's oldest entries this commit consumes. */
  readonly take?: number;
  /**
   * Appended to the chat's inbox, after everything that waits there: the chat continues by itself.
   * Left out when the turn has been stopped.
   */
  readonly enqueue?: readonly InboxEntry[];
  /**
   * The log position at which the view begins from now on; set with a compaction. A reset sets it
   * by itself.
   */
  readonly viewStart?: number;
  /** Stored entries that read otherwise from now on: undos or edits are appended. */
  readonly changed?: readonly ChangedEntries[];
  /**
   * Set with the last commit of this session: gives the chat back. `left` says how many inbox
   * entries were seen and left on purpose, `wakeInMs` when to look at them again.
   */
  readonly release?: { readonly left?: number; readonly wakeInMs?: number };
  /** The turn made progress: earlier deaths of its workers no longer count. */
  readonly isProgress?: boolean;
  /** What became of the slot of a schedule that began the turn. */
  readonly plan?: ScheduleEnd;
  /** The chat's usage grows by these. */
  readonly usage?: {
    readonly turns: number;
    readonly modelCalls: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    /** By `provider/model`. */
    readonly models?: Readonly<Record<string, Spending>>;
  };
}

export type CommitOutcome =
  /** `again`: released, and something came that this session has not seen: wake the chat. */
  | {
      readonly type: "committed";
      readonly revision: number;
      readonly stopAt: number;
      readonly again: boolean;
      /** Entries that wait in the inbox now. */
      readonly waiting: number;
    }
  /** Another session owns the chat: this one must stop at once and change nothing more. */
  | { readonly type: "fenced" }
  /** An approval that was to be closed has been decided: look at the approvals again. */
  | { readonly type: "decided" };

/** The parts of a chat to erase, and how many of the inbox's oldest entries that consumes. */
export interface Erasure {
  readonly take: number;
  /**
   * `chat`: everything in it. `turns`: what these turns of one person left
   * besides the history, whose entries were overwritten before.
   */
  readonly of:
    | { readonly what: "chat" }
    | {
        readonly what: "turns";
        readonly personId: string;
        readonly turns: readonly number[];
      };
}

/** A history entry and its log position. */
export interface PlacedEntry {
  readonly position: number;
  readonly entry: LogEntry;
}

/** The loop's interface to the store. */
export interface TurnStore {
  begin(chat: ChatKey): Promise<BeginOutcome>;
  commit(session: Session, revision: number, commit: Commit): Promise<CommitOutcome>;
  /**
   * Renews the lease. Undefined when the session is fenced; else the stop watermark and how many
   * inbox entries wait.
   */
  heartbeat(
    session: Session,
  ): Promise<{ readonly stopAt: number; readonly waiting: number } | undefined>;
  /**
   * The current inbox, oldest first; positions grow by one. Undefined when the
   * session is fenced.
   */
  waiting(session: Session): Promise<BegunTurn["inbox"] | undefined>;
  /**
   * Looks at the entries before a log position, the newest first, until something is found; of the newest
   * 1,000 alone.
   */
  lookBack<Found>(
    chat: ChatKey,
    look: (entry: PlacedEntry) => Found | undefined,
    before?: number,
  ): Promise<Found | undefined>;
  /** Overwrites the growing text; false when the session is fenced. */
  draft(session: Session, draft: Draft): Promise<boolean>;
  /** Gives an unfinished turn back as it was last committed; false when the session is fenced. */
  release(session: Session): Promise<boolean>;
  newApprovalId(chat: ChatKey): string;
  /**
   * The whole history as it is now, oldest first; where what is stored is no entry, only its place.
   * @throws RetryableError when a newer version wrote one.
   */
  history(
    chat: ChatKey,
  ): AsyncIterable<PlacedEntry | { readonly position: number; readonly entry?: never }>;
  /**
   * Overwrites entries of the history, which only erasure may. False when the session is fenced.
   */
  overwrite(session: Session, revision: number, entries: readonly PlacedEntry[]): Promise<boolean>;
  /** Erases and gives the chat back. `again`: something waits in the inbox. */
  erase(
    session: Session,
    revision: number,
    erasure: Erasure,
  ): Promise<{ readonly type: "erased"; readonly again: boolean } | { readonly type: "fenced" }>;
}

/** The bytes of files on their way from or to a chat; each is kept for a day. */
export interface FileStore {
  /** Undefined: this chat has no blob with this id, or no longer. */
  get(chat: ChatKey, id: string): Promise<Uint8Array | undefined>;
  /** Returns an id that cannot be guessed. @throws PermanentError for a file that is too large */
  put(chat: ChatKey, bytes: Uint8Array): Promise<string>;
  /**
   * As `put`, for an image that a tool returned for the model. Undefined: the chat has the most
   * already.
   */
  putShown(chat: ChatKey, bytes: Uint8Array): Promise<string | undefined>;
}

/** The text of a file. */
export type FileText =
  | { readonly type: "read"; readonly text: string }
  | { readonly type: "unreadable"; readonly why: UnreadableReason };

/** Turns what a person has sent into text. */
export interface FileReader {
  /** @throws the signal's reason, what `load` throws, and nothing else. */
  read(
    file: {
      readonly kind: "document" | "voice";
      /** As the platform reports it; may be wrong. */
      readonly mediaType: string;
      /** The id of the person who sent it: different people's files are read side by side. */
      readonly person: string;
      /**
       * Undefined: it is no longer stored. May be called again, so that a file that waits to be
       * read takes no memory.
       */
      readonly load: () => Promise<Uint8Array | undefined>;
    },
    signal: AbortSignal,
  ): Promise<FileText>;
}

/** A message as a platform wants it: its text and how to mark it up, both the sender's business. */
export interface Chunk {
  readonly text: string;
  /** Platform-specific markup, e.g. Telegram's entities. */
  readonly markup?: unknown;
}

export interface SendOptions {
  readonly replyTo?: string;
  /** The same for every attempt at the same chunk, at most 25 characters. */
  readonly nonce: string;
  readonly silent?: boolean;
  /**
   * An earlier attempt may have arrived: the message must say so. Never set where the platform
   * still knows its nonce.
   */
  readonly repeated?: boolean;
  /** BCP 47: in which it says so; absent: English. */
  readonly language?: string;
  /** False for a draft that will be overwritten; true for the last word of its entry's chunk. */
  readonly final: boolean;
  readonly buttons?: readonly {
    readonly label: string;
    readonly data: string;
  }[];
  /** This person is to reply to it: the platform opens a reply for them, if it can. */
  readonly replyFrom?: { readonly id: string; readonly name: string };
  /** Parts to leave out, since the platform has refused them. */
  readonly without?: ReadonlySet<Decoration>;
}

/** The result of a request to a platform. Never thrown. */
export type SendOutcome =
  /** `messageId` is the platform's id. */
  | {
      readonly type: "sent";
      readonly messageId: string;
      /** Only a reply to it keeps the next message in the same thread. */
      readonly threadedByReply?: true;
    }
  /** It certainly did not happen; try again after `retryAfterMs`. */
  | {
      readonly type: "retry";
      readonly retryAfterMs: number;
      readonly cause: string;
      /**
       * The platform refuses all of the bot's requests for that time, not only those to this chat.
       */
      readonly wholeBot?: true;
      /** The bot makes more requests than the platform takes. */
      readonly throttled?: true;
    }
  /** It may have happened: the connection was lost after the request was written. */
  | { readonly type: "unknown"; readonly cause: string }
  /** It certainly did not happen, and never will: blocked, deleted, forbidden. */
  | {
      readonly type: "refused";
      readonly cause: string;
      /** Without this part the platform may take it. */
      readonly about?: Decoration;
      readonly reason?: RefusalReason;
      /** Nothing can be sent to this chat any more: the bot or the chat is gone from there. */
      readonly isChatDead?: true;
    }
  /** The message to edit is gone or can no longer be edited; a new one may be sent. */
  | { readonly type: "gone"; readonly cause: string };

/** A file as a sender takes it. */
export interface OutgoingFile {
  /** As `safeFileName` makes it. */
  readonly name: string;
  /** E.g. `text/markdown`. */
  readonly mediaType: string;
  /** Not empty. */
  readonly bytes: Uint8Array;
  /** The file's caption; cut to the platform's limit. */
  readonly caption?: Chunk;
}

/**
 * At most `count` requests in any `perMs` milliseconds, of which at most `burst` come at once:
 * fewer than `count`.
 */
export interface PaceLimit {
  readonly count: number;
  readonly perMs: number;
  readonly burst: number;
}

/**
 * A bot's rate limits on its platform, across all sending processes.
 */
export interface SendLimits {
  readonly bot: PaceLimit;
  /**
   * Of one of the platform's chats with its threads; undefined: only the bot's limit applies there.
   */
  chat(address: ChatAddress): PaceLimit | undefined;
}

/** Sends to one platform. Every sender passes `test/contracts/sender`. */
export interface Sender {
  readonly platform: ChatAddress["platform"];
  /** Whether `nonce` makes a repeated send harmless. */
  readonly deduplicates: boolean;
  /** Whether it does in this chat. Absent: wherever `deduplicates` says so. */
  deduplicatesIn?(chat: ChatAddress): boolean;
  /** How long the platform remembers a nonce. Absent: as long as it matters. */
  readonly deduplicatesForMs?: number;
  /** Kept before a request is made; absent: there is no limit but the platform's own word. */
  readonly limits?: SendLimits;
  /** Milliseconds between two edits of a draft in this chat. */
  editIntervalMs(chat: ChatAddress): number;
  /**
   * The model's Markdown, as chunks within the platform's limits. Never empty
   * for non-blank text. Yields to the event loop during long texts.
   * @param note our own plain text, shown below it; nothing in the Markdown
   * affects its look.
   */
  render(markdown: string, note?: string): Promise<readonly Chunk[]>;
  /**
   * As `render`, for a finished answer, if the platform shows that in another way. Absent: the
   * same.
   */
  renderFinal?(markdown: string, note?: string): Promise<readonly Chunk[]>;
  /** Our own plain text, not Markdown. */
  plain(text: string): readonly Chunk[];
  /**
   * Markdown that shows a moment (ms since the epoch) in each reader's own time. Absent: the
   * platform has no such thing.
   */
  moment?(atMs: number): string;
  /** A tap can open a form, or ask for a reply. Absent: it cannot. */
  readonly hasForms?: true;
  /**
   * A replacement is printed below the old message, so one line is enough for a decided card.
   * Absent: it replaces the message.
   */
  readonly showsOutcomesBelow?: true;
  /** A draft is edited once more when it is final, though its text is the same. Absent: it isn't. */
  readonly endsDrafts?: true;
  send(chat: ChatAddress, chunk: Chunk, options: SendOptions): Promise<SendOutcome>;
  /** One message with one file. */
  sendFile(chat: ChatAddress, file: OutgoingFile, options: SendOptions): Promise<SendOutcome>;
  /** Replaces text and buttons; "not modified" counts as sent. */
  edit(
    chat: ChatAddress,
    messageId: string,
    chunk: Chunk,
    options: Pick<SendOptions, "buttons" | "final" | "without">,
  ): Promise<SendOutcome>;
  /**
   * Shows that the bot is working; failures don't matter and are only logged at
   * `debug`.
   */
  typing(chat: ChatAddress): Promise<void>;
  /** Another way to show the growing answer. Absent: it is a message that is edited. */
  readonly fleeting?: FleetingDrafts;
}

/**
 * Drafts that disappear by themselves and leave no message: the answer is then sent like any other
 * message.
 */
export interface FleetingDrafts {
  /** Whether this chat has them. */
  has(chat: ChatAddress): boolean;
  /** Milliseconds after which one that did not change is shown again, or it would go. */
  readonly showAgainMs: number;
  /** `id` is the draft's, the same for every text of one answer. */
  show(
    chat: ChatAddress,
    id: string,
    chunk: Chunk,
    without?: ReadonlySet<Decoration>,
  ): Promise<SendOutcome>;
}

/** The identity of the requester, as commands and access checks see it. */
export interface Asker {
  readonly person: Person;
  readonly address: ChatAddress;
  /** The Discord server, by its id; absent: none. */
  readonly guild?: string;
  /** See `Whereabouts`. */
  readonly threadOf?: string;
  readonly chat: ChatKey;
  /** A private chat, in which private texts may be sent. */
  readonly direct: boolean;
}

/** An argument of a command. */
export interface CommandArgument {
  /** 1 to 32 characters of `[a-z0-9_]`. */
  readonly name: string;
  /** 1 to 100 characters. */
  readonly description: string;
  /** The same in other languages, by their ISO 639-1 codes. */
  readonly descriptions?: Readonly<Record<string, string>>;
  readonly required: boolean;
  /** The accepted values, if they are known beforehand; at most 25. */
  readonly choices?: readonly string[];
  /** It is a whole number between these, both included. */
  readonly range?: { readonly min: number; readonly max: number };
  /**
   * It names a person: by an id such as `telegram:1`, by `@name`, or selected
   * in a platform field.
   */
  readonly kind?: "person";
}

/**
 * One of an admin's commands as it stands below `/admin`, where a platform groups them. It does
 * what its command does: what is typed is `/<command> <action> <arguments>`, and by name the action
 * is the option `action`.
 */
export interface AdminForm {
  /** 1 to 32 characters of `[a-z0-9-]`, e.g. `limits-set`. */
  readonly name: string;
  readonly description: string;
  readonly descriptions?: Readonly<Record<string, string>>;
  readonly action?: string;
  readonly arguments?: readonly CommandArgument[];
}

/** One use of a command, where a platform groups them below its name; see `AdminForm`. */
interface Subcommand extends AdminForm {
  readonly action: string;
  /**
   * Where a form can be opened at once, it is: by a tap with this followed by the argument `name`.
   */
  readonly opens?: string;
}

/** A command as menus and registrations show it; what it does is `src/commands`' business. */
export interface CommandSpec {
  /** 1 to 32 characters of `[a-z0-9_]`. */
  readonly name: string;
  /** Other names that people type for it; menus leave them out. */
  readonly aliases?: readonly string[];
  /** 1 to 100 characters. */
  readonly description: string;
  /** The same in other languages, by their ISO 639-1 codes. */
  readonly descriptions?: Readonly<Record<string, string>>;
  /** The arguments in typing order, required ones first; absent: none. */
  readonly arguments?: readonly CommandArgument[];
  /** It starts a turn, whose answer is an ordinary message in the chat. */
  readonly startsTurn?: boolean;
  /**
   * It works on what was written before it, and so waits until that is taken in, with its files.
   */
  readonly isInOrder?: boolean;
  /** It sends files to the chat where it was used. */
  readonly sendsFiles?: boolean;
  /** Shown in menus to admins only; who may use it is checked when it is used. */
  readonly adminOnly?: boolean;
  /**
   * What of it is for admins. Where a platform groups such things, the command itself is then
   * offered without arguments. Absent for `adminOnly`: all of it.
   */
  readonly adminForms?: readonly AdminForm[];
  /** Where a platform has subcommands, the command is offered as these, and not by itself. */
  readonly subcommands?: readonly Subcommand[];
}

/** A suggestion for an argument while the user types it. */
export interface Completion {
  /** Whether there is anything to offer beyond its fixed choices. */
  offers(command: string, argument: string): boolean;
  /** At most 25 of at most 100 characters, the best first. */
  complete(typing: {
    readonly asker: Asker;
    readonly command: string;
    readonly argument: string;
    readonly typed: string;
    /** The other arguments, as far as they are filled in. */
    readonly given: Readonly<Record<string, string>>;
  }): Promise<readonly string[]>;
}

/** The HTTP server's response to a platform's webhook. */
export interface WebhookAnswer {
  readonly status: number;
  /** Seconds after which the platform may post the same again. */
  readonly retryAfterSeconds?: number;
}

/** The webhook of a platform. */
export interface Webhook {
  /** E.g. `/telegram`. */
  readonly path: string;
  /** Whether the sender may post here; asked before the body is read. */
  allows(headers: Readonly<Record<string, string | readonly string[] | undefined>>): boolean;
  /** Never rejects. */
  handle(body: string): Promise<WebhookAnswer>;
}

/**
 * One platform connection: receives events and sends messages. Disposing closes it; accepted events
 * stay accepted.
 */
export interface Bot extends AsyncDisposable {
  /** `platform:bot`. */
  readonly id: string;
  readonly sender: Sender;
  /** Who it is, once it has started, and where people find it. Absent: not known, or of no use. */
  readonly profile?: { readonly name: string; readonly url: string } | undefined;
  /** The webhook's path, if the platform delivers by webhook. */
  readonly webhook?: Webhook;
  /**
   * Fulfils once the platform delivers events to us. @throws PermanentError when the platform
   * refuses the token.
   */
  start(): Promise<void>;
  /**
   * Fulfils when the bot has ended by itself (the console's end of input); never, for a network
   * bot.
   */
  readonly ended: Promise<void>;
}

/** A platform says that the bot can't write in some chats any more, or that it can again. */
export interface ReachChange {
  /** `platform:bot`. */
  readonly bot: string;
  /** The platform's ids, each with its topics and threads. */
  readonly chats: readonly string[];
  /** Of the only chat, this topic or thread alone. */
  readonly thread?: string;
  /** A Discord server, by its id: chats of it that the adapter doesn't know are included. */
  readonly guild?: string;
  readonly isReachable: boolean;
}

/** Durable when it fulfils. @throws when the store cannot be reached. */
export type NoteReach = (change: ReachChange) => Promise<void>;

/** Chats whose platform id has changed: Parley keeps using their first one. */
export interface ChatMoves {
  /**
   * The chat `from` is `to` from now on. Durable when it fulfils. @throws when the store cannot be
   * reached.
   */
  record(from: string, to: string): Promise<void>;
  /** The platform's id of the chat that we call so. @throws when the store cannot be reached. */
  idOf(chat: string): Promise<string>;
  /** Our key of the chat with this id. @throws if the store can't be reached. */
  nameOf(id: string): Promise<string>;
}

/**
 * The right to do something that only one process at a time may do, e.g. to poll with a token.
 * Disposing gives it back.
 */
export interface HeldLease extends AsyncDisposable {
  /** Greater than that of every owner before. */
  readonly fence: number;
  /** Aborts when another process may have it from now on; not when it is disposed. */
  readonly lost: AbortSignal;
}

/** Leases over all processes of a deployment. */
export interface Leases {
  /** One try. Undefined: another process has it. @throws when the store cannot be reached. */
  take(name: string): Promise<HeldLease | undefined>;
}
