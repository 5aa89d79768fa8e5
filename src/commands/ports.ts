import type { ImportedKnowledge, TakenOver } from "../core/imported.ts";
import type { Pauses } from "../core/pause.ts";
import type { Broadcasts } from "../store/operations/broadcasts.ts";
import type { PageSessions } from "../store/operations/page-sessions.ts";

/** The dependencies of `/broadcast` besides its own store. */
export interface BroadcastPort extends Pick<
  Broadcasts,
  "offer" | "offered" | "ask" | "isConfirmed"
> {
  /** To how many chats it would go; `isAll` is false where there are more. */
  count(): Promise<{ readonly count: number; readonly isAll: boolean }>;
}

/** The operator's page. */
export interface PagePort {
  /** Its origin. Undefined: this process doesn't serve it. */
  readonly url: () => string | undefined;
  readonly sessions: Omit<PageSessions, "open" | "use">;
}

/** What `init --from` has found in another bot. */
export interface ImportedPort {
  /** Undefined: there is nothing. @throws PermanentError when it can't be understood. */
  read(): Promise<ImportedKnowledge | undefined>;
  /** Removes it; what became of it stays known. Done again, it changes nothing. */
  finish(done: TakenOver): Promise<void>;
  /** What was taken over last. @throws PermanentError when it can't be understood. */
  takenOver(): Promise<TakenOver | undefined>;
}

export interface Spent {
  readonly messages: number;
  readonly tokens: number;
  readonly costUsd: number;
}

interface Depth {
  readonly waiting: number;
  readonly active: number;
}

/** The deployment in figures; none takes longer the more chats there are. */
export interface Figures {
  readonly version: string;
  /** Of the process that is asked. Milliseconds. */
  readonly uptimeMs: number;
  /** About. */
  readonly chats: { readonly today: number; readonly thisMonth: number };
  readonly spent: { readonly today: Spent; readonly thisMonth: Spent };
  /** Answers that wait for a worker, and those that are begun, as the page's view Now counts them. */
  readonly turns: Depth;
  /** Chats that wait to be sent to. */
  readonly deliveries: number;
  readonly deadLetters: number;
  readonly pauses: Pauses;
}
