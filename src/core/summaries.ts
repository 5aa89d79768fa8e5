import { z } from "zod";
import type { ChatKey } from "./chat.ts";
import type { LogEntry } from "./history.ts";
import type { Spending } from "./turn.ts";

/** A conversation is over after so long without a message. Milliseconds. */
export const silenceMs = 6 * 3_600_000;
/** How many summaries lead a request: the newest. */
export const shownSummaries = 3;
/** How many of a chat are kept. */
export const maxSummaries = 20;

/** What one conversation was about, once it was over. */
export const conversationSummarySchema = z.object({
  v: z.literal(1),
  /** Log positions of the conversation's first and last entry. */
  from: z.number().int().nonnegative(),
  to: z.number().int().nonnegative(),
  /** When its last message came. Milliseconds since the epoch. */
  atMs: z.number(),
  text: z.string(),
  /** Whose direct chat it is, by their id: the history may be gone. Absent: a group's, or not recorded. */
  person: z.string().optional(),
  /** `provider/model` that wrote it; absent if the text was only cut. */
  model: z.string().optional(),
});
export type ConversationSummary = Readonly<z.infer<typeof conversationSummarySchema>>;

/** Which log was read, and how much of it: another one, or more, may hold an `/undo`. */
export interface ReadLog {
  readonly epoch: string;
  /** The log position after its last entry. */
  readonly end: number;
}

/** A chat's history after its newest summary. */
interface Unsummarised extends ReadLog {
  /** With their log positions. */
  readonly entries: readonly { readonly position: number; readonly entry: LogEntry }[];
}

/** The summaries of chats' earlier conversations. */
export interface Summaries {
  /** Oldest first. */
  list(chat: ChatKey): Promise<readonly ConversationSummary[]>;
  /** The newest entries, oldest first. */
  unsummarised(chat: ChatKey): Promise<Unsummarised>;
  /**
   * Adds one per conversation. False: that has a summary already, or the log is no longer as it was
   * read; after the turn that has changed it, the chat is looked at again. Either way counts what
   * models took for it, once per call, unless the log is another one by now.
   */
  add(
    chat: ChatKey,
    summary: ConversationSummary,
    of: ReadLog & { readonly spent?: Readonly<Record<string, Spending>> },
  ): Promise<boolean>;
}
