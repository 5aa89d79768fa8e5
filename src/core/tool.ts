import type { z } from "zod";
import type { ChatKey, Person } from "./chat.ts";
import type { Where } from "./history.ts";
import type { Role } from "./roles.ts";

/**
 * What a second run of the same call would do: `read` and `idempotent` may be run again freely
 * (`read` also in parallel); `keyed` is sent again with the same idempotency key; `once` is never
 * run again unasked, its outcome is then `unknown`.
 */
export const effects = ["read", "idempotent", "keyed", "once"] as const;
export type Effect = (typeof effects)[number];

/** The tool that keeps facts, as rules match it. */
export const rememberTool = "remember";

/** What a tool wants by itself; see `ToolDefinition.confirm`. */
export type Declared = "run" | "confirm" | "each-time";

export interface ToolContext {
  readonly chat: ChatKey;
  readonly requester: Person;
  /** When they asked; absent: not recorded. */
  readonly role?: Role | undefined;
  /** The requester's time zone, by its IANA name; absent: unknown. */
  readonly zone?: string | undefined;
  /** Absent: it is a direct chat. */
  readonly group?: true;
  /** The platform's id of the requester's newest message in the turn, where there is one. */
  readonly messageId?: string | undefined;
  /** As of the message that began the turn. */
  readonly where?: Where;
  /** When a person was asked about the call; absent: no one was. Milliseconds since the epoch. */
  readonly askedAtMs?: number | undefined;
  /** `<chat>/<turn>.<round>.<index>`: the same for every attempt at this call. */
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
  /** The skills whose text the model sees in this conversation. */
  readonly activeSkills?: () => ReadonlySet<string>;
  /** Whether the turn's persona has a tool, by the name that rules match. */
  readonly mayUse?: (name: string) => boolean;
  /** Takes one line for people about a call that is still running; only the newest counts. */
  readonly progress?: (line: string) => void;
}

/** A file in a tool's result. */
export interface ToolFile {
  /** Need not be one in every folder. */
  readonly name: string;
  /** E.g. `image/png`. */
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/**
 * A tool's result: `text` for the model and, optionally, `display` and `files`
 * for people.
 */
export interface ToolResult {
  readonly text: string;
  readonly display?: string;
  /**
   * Sent to the chat within limits; the model learns which ones were. Images
   * are also shown to vision models.
   */
  readonly files?: readonly ToolFile[];
}

/** The conversation of a call, as far as a tool may know it. */
export interface Conversation {
  /**
   * Whether an address appears in a person's message or in an earlier result.
   */
  names(address: string): boolean;
  /**
   * Whether the requester wrote these words in the message that is being answered, and nothing else
   * has reached the model since. Absent: that isn't known.
   */
  isOwnWords?(text: string): boolean;
  /** A schedule began the turn: no person has asked for it now. */
  readonly isScheduled?: boolean;
  /** The requester's, see `ToolContext`. */
  readonly role?: Role | undefined;
  readonly zone?: string | undefined;
}

export interface ToolDefinition<Arguments = unknown> {
  /** As rules match it: `name` or `server.name`. */
  readonly name: string;
  /** In a few words for people, by its author; absent: the locales have one, or its name is used. */
  readonly title?: string;
  /** For the model. */
  readonly description: string;
  readonly parameters: z.ZodType<Arguments>;
  /** The schema for the model instead of `parameters`, for tools with a foreign schema. */
  readonly jsonSchema?: Readonly<Record<string, unknown>>;
  /**
   * Changes whenever the definition does; an approval counts for one version only. Absent: it
   * changes with our code.
   */
  readonly version?: string;
  readonly effect: Effect;
  /** `each-time`: no rule, standing permission or mode makes it unnecessary to ask. */
  readonly confirm:
    "never" | "always" | ((given: Arguments, conversation: Conversation) => boolean | "each-time");
  /** What a card needs to know besides the arguments, e.g. what a turn costs in the chat. */
  readonly cardFacts?: (
    given: Arguments,
    asking: Pick<ToolContext, "chat" | "requester">,
  ) => Promise<Readonly<Record<string, string>>>;
  /** How old results are reduced in the view; see `docs/tools.md`. */
  readonly history: "state" | "action" | "keep";
  /** Shortens an old result of the class `action`; absent: to its first 200 characters. Pure. */
  readonly summarise?: (result: string) => string;
  /**
   * The arguments by which repeated calls are recognised: without volatile fields.
   * Absent: all of them. Pure.
   */
  readonly loopKey?: (given: Arguments) => unknown;
  /**
   * Whether many calls in a row with the same arguments and different results, or with different arguments and the
   * same result, are no sign of a loop. Absent: true for `read`.
   */
  readonly repeatable?: boolean;
  /**
   * How many repetitions of the same call, and of the same tool in a row, count as a loop; `false`:
   * never.
   */
  readonly loop?: false | { readonly sameCall?: number; readonly sameTool?: number };
  readonly timeoutMs: number;
  /** Characters of a result that the model sees. */
  readonly maxResultLength: number;
  /** @throws anything: the call fails with `tool-error` and the message. */
  run(given: Arguments, context: ToolContext): Promise<ToolResult>;
}

/** A tool as the loop holds it, whatever its argument type; `defineTool` makes one. */
export interface Tool extends Omit<ToolDefinition, "confirm" | "cardFacts" | "loopKey"> {
  /** Whether it declares that a person is asked. */
  readonly asks: OfferedTool["asks"];
  /** @param given what `parameters` parsed. */
  confirm(given: unknown, conversation?: Conversation): boolean | "each-time";
  cardFacts?(
    given: unknown,
    asking: Pick<ToolContext, "chat" | "requester">,
  ): Promise<Readonly<Record<string, string>>>;
  loopKey?(given: unknown): unknown;
}

/** A tool as shown to people. */
export interface OfferedTool {
  /** As rules match it: `name` or `server.name`. */
  readonly name: string;
  /** Its purpose in one sentence, by its author. */
  readonly description: string;
  /** Whether a person is asked before it runs; `sometimes`: that depends on its arguments. */
  readonly asks: "never" | "sometimes" | "always";
  /** Absent: an earlier version has reported it. */
  readonly effect?: Effect | undefined;
}

/** The notes of a chat, in the order in which they were written. */
export interface Notes {
  /** The chat's facts come after them. */
  read(chat: ChatKey): Promise<readonly string[]>;
  /** @param key names this write: repeated with the same key, it writes nothing. */
  write(chat: ChatKey, note: string, key: string): Promise<void>;
}

export interface Todo {
  readonly text: string;
  readonly done: boolean;
}

/** The to-do list of a chat. */
export interface Todos {
  read(chat: ChatKey): Promise<readonly Todo[]>;
  /**
   * The whole list; an empty one clears it.
   * @param key the idempotency key of the call that does it.
   */
  replace(chat: ChatKey, todos: readonly Todo[], key?: string): Promise<void>;
}

/**
 * Results that were too long to be shown whole, kept for a while. Offsets and lengths count UTF-16
 * units.
 */
export interface KeptResults {
  /**
   * @param turn whose result it is.
   * @returns an id that cannot be guessed.
   */
  keep(chat: ChatKey, text: string, turn?: number): Promise<string>;
  /** Undefined: this chat has no blob with this id, or no longer. */
  read(
    chat: ChatKey,
    where: {
      readonly id: string;
      readonly offset: number;
      readonly length: number;
    },
  ): Promise<{ readonly text: string; readonly total: number } | undefined>;
}
