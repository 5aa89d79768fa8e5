import type { Logger } from "pino";
import type { Accept } from "../../../core/inbound.ts";
import type { KeyedQueue } from "../../keyed-queue/keyed-queue.ts";
import type { Commands } from "../../keyed-queue/priority.ts";
import type { AutoThreads } from "./auto-threads.ts";
import type { FetchFile } from "./files.ts";
import type { Held } from "./held.ts";
import type { OwnRoles } from "./own-roles.ts";
import type { OwnWords } from "./own-words.ts";
import type { Places } from "./places.ts";
import type { References } from "./references.ts";

export interface ReceiveDeps {
  readonly botId: string;
  readonly commands: Commands;
  readonly accept: Accept;
  /** Milliseconds since the epoch, by the clock that all processes share. */
  readonly now: () => number;
  readonly queue: KeyedQueue;
  readonly held: Held;
  /**
   * Remembers that what this message or interaction says is durable, and, unless `isInOrder` is
   * false, so is everything before it in its channel.
   */
  readonly handled: (
    event: {
      readonly id: string;
      readonly channel_id: string;
      readonly guild_id?: string | undefined;
    },
    isInOrder?: boolean,
  ) => void;
  readonly fetchFile: FetchFile;
  /**
   * Says something in a channel that the store cannot keep, or an interaction cannot show. Never
   * rejects.
   */
  readonly say: (
    where: { readonly channelId: string; readonly replyTo?: string },
    text: string,
  ) => Promise<void>;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

export type MessageDeps = ReceiveDeps & {
  readonly places: Places;
  /** Undefined: questions are answered where they are asked. */
  readonly threads: AutoThreads | undefined;
  readonly ownWords: OwnWords;
  readonly references: References;
  /** Adds a reaction to a message that is refused again. Never rejects. */
  readonly mark: (message: {
    readonly channelId: string;
    readonly messageId: string;
  }) => Promise<void>;
  readonly ownRoles: Pick<OwnRoles, "resolve" | "ask">;
  /**
   * Messages that may not be meant for the bot wait separately, so that other talk never displaces
   * a question.
   */
  readonly chatter: Held;
  /** Work to do first in a channel: fetching its missed messages. Undefined: none. */
  readonly before: (channelId: string) => Promise<void> | undefined;
};
