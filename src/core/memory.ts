import type { ChatKey, Person } from "./chat.ts";
import type { Spender } from "./limits.ts";

/** A run of neighbouring messages, as one thing that can be found again. */
export interface MemoryWindow {
  /** Log positions of its first and its last message. */
  readonly from: number;
  readonly to: number;
  /** When its first dated message came: milliseconds since the epoch. */
  readonly atMs: number;
  readonly lines: readonly MemoryLine[];
}

export interface MemoryLine {
  /** Its position in the log. */
  readonly position: number;
  /** The person's displayed name; undefined: the bot. */
  readonly who: string | undefined;
  readonly text: string;
  /** The platform's id of the message; absent where the platform has none, and for answers. */
  readonly messageId?: string;
  /** The Discord server; absent: none. */
  readonly guild?: string;
}

export interface RecallQuery {
  readonly words: string;
  /** Milliseconds since the epoch, both included. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  /** A part of a speaker's displayed name. */
  readonly who?: string | undefined;
  /** Only what was said before this position of the log. */
  readonly before?: number | undefined;
  /** The most windows, at least 1. */
  readonly limit: number;
  /** Who asks: where that needs a model they pay for it. */
  readonly by: Person;
}

export interface Recalled {
  /** The best first. */
  readonly windows: readonly (MemoryWindow & { readonly score: number })[];
  /** Undefined: all that was said is indexed, but for the last minutes. */
  readonly behind: "indexing" | "too-long" | undefined;
}

/** Finds what was said in one chat, and in no other. */
export interface Recall {
  /** @throws when the store cannot be reached. */
  find(chat: ChatKey, query: RecallQuery, signal: AbortSignal): Promise<Recalled>;
}

/** Makes vectors of texts: the capability `embeddings` of a provider. */
export interface Embedder {
  /** `provider/model`. */
  readonly model: string;
  /**
   * One vector for each text, all of one dimension.
   * @throws PermanentError whose message is for the operator's log; the signal's reason.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}

/**
 * Pays for vectors of texts; undefined: limits leave no room for them.
 * @returns to be called once, at the end: whether the provider may have made them. It never rejects.
 * @throws what the limits' store throws.
 */
export type PayForTexts = (
  spender: Spender,
  texts: readonly string[],
) => Promise<((isMade: boolean) => Promise<void>) | undefined>;
