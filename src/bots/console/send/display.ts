import type { Chunk } from "../../../core/ports.ts";
import type { TypedLine } from "../screen/prompt.ts";
import type { Question } from "./questions.ts";

/**
 * Where the conversation is seen: a terminal, or a pipe. Promises fulfil once the text has left:
 * false when it could not.
 */
export interface Display {
  /** Whether a growing message is shown. */
  readonly hasDraft: boolean;
  /** A finished message. */
  print(chunk: Chunk): Promise<boolean>;
  /** A message that will grow or change; there is one at a time. */
  draft(messageId: string, chunk: Chunk): Promise<boolean>;
  /** The last word of a message that was a draft. */
  finish(messageId: string, chunk: Chunk): Promise<boolean>;
  /** Takes a draft away. */
  drop(messageId: string): Promise<boolean>;
  /** The bot is working. @param isNew it has begun just now, if it wasn't working before. */
  working(isNew?: boolean): void;
  /** Asks a question, whose text is shown when it `isNew`; undefined: nothing is asked any more. */
  ask(question: Question | undefined, isNew: boolean): Promise<boolean>;
  /** Words to the person that belong to no message. */
  note(text: string): Promise<boolean>;
}

/** A display at which a person types. */
export interface TypingDisplay extends Display {
  /** When the question that is asked now was shown, by `performance.now()`. */
  readonly askedAtMs: number;
  /** Shows the line that is typed, and what stands before it. */
  attach(typed: TypedLine): void;
  /** Nothing is typed any more. */
  detach(): Promise<void>;
  /** What stands before the line; by default what is asked. */
  label(text?: string): void;
  /** Words below the line, until the next key. */
  hint(text: string): void;
  /** The line, or the window, has changed. */
  redraw(): void;
  /** A line was entered. */
  entered(text: string): void;
  /** The person clears the screen. */
  clear(): void;
}
