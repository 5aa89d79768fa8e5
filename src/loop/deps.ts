import type { Logger } from "pino";
import type { ChatKey } from "../core/chat.ts";
import type { TurnStore } from "../core/ports.ts";
import type { KeptResults } from "../core/tool.ts";
import type { TurnPolicy } from "../core/turn.ts";
import type { ModelChain } from "../models/chain.ts";
import type { ToolPolicy } from "./prepare-call.ts";
import type { Toolbox } from "./toolbox.ts";

/** All that the loop needs; nothing in it knows a platform or Redis. */
export interface LoopDeps {
  readonly store: TurnStore;
  readonly model: ModelChain;
  /** May change between two calls. */
  readonly toolbox: Toolbox;
  /** Where the rest of a cut result is kept. */
  readonly kept: KeptResults;
  readonly toolPolicy: ToolPolicy;
  readonly policy: TurnPolicy;
  /** The blocks that lead every request, most general first. */
  readonly context: readonly string[];
  readonly approvalTtlMs: number;
  /** How long a message of somebody else waits for a person's decision before it supersedes the open calls. */
  readonly patienceMs: number;
  /** A third of the store's lease, or less. */
  readonly heartbeatMs: number;
  /** Milliseconds between two overwrites of a chat's draft. */
  readonly draftIntervalMs: (chat: ChatKey) => number;
  readonly wakeDelivery: (chat: ChatKey) => Promise<void>;
  /** Calls `onStop` when somebody may have stopped this chat; the watermark in the store is the truth. */
  readonly onStop: (chat: ChatKey, onStop: () => void) => Disposable;
  readonly clock: {
    /** Milliseconds, never going back. */
    readonly monotonic: () => number;
    /** Milliseconds since the epoch. */
    readonly wall: () => number;
  };
  /** Short, for a person to quote and an operator to find in the log. */
  readonly newErrorId: () => string;
  readonly log: Logger;
}
