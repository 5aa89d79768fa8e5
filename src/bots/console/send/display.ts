import type { Chunk } from "../../../core/ports.ts";
import type { Question } from "./questions.ts";

/**
 * Where the conversation is seen: a terminal, or a pipe. Promises fulfil once the text has left:
 * false when it could not.
 */
export interface Display {
  /** A finished message. */
  print(chunk: Chunk): Promise<boolean>;
  /** A message that will grow or change; there is one at a time. */
  draft(messageId: string, chunk: Chunk): Promise<boolean>;
  /** The last word of a message that was a draft. */
  finish(messageId: string, chunk: Chunk): Promise<boolean>;
  /** Takes a draft away. */
  drop(messageId: string): Promise<boolean>;
  /** The bot is working. */
  working(): void;
  /** Asks a question, whose text is shown when it `isNew`; undefined: nothing is asked any more. */
  ask(question: Question | undefined, isNew: boolean): Promise<boolean>;
  /** Words to the person that belong to no message. */
  note(text: string): Promise<boolean>;
}
