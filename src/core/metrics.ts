import type { Platform } from "./chat.ts";
import type { EndReason, FailureKind } from "./history.ts";
import type { LimitMetric } from "./limits.ts";
import type { ModelFailureKind } from "./model.ts";
import type { RefusalReason } from "./refusal.ts";
import type { Spending } from "./turn.ts";

/** How a delivery ended: `unknown` where the platform never said whether it arrived. */
export type DeliveryEnd = "sent" | "refused" | "failed" | "unknown";

/**
 * Counts what this process does, for an operator's monitoring. Nothing depends on it: no call
 * throws, waits or writes to Redis. No call names a chat or a person.
 */
export interface Metrics {
  /** With its last commit. */
  turnFinished(turn: {
    readonly platform: Platform;
    readonly outcome: EndReason;
    /** Worked on; waiting for a person is not part of it. */
    readonly activeMs: number;
    /** By `provider/model`. */
    readonly spent: Readonly<Record<string, Spending>>;
  }): void;
  /** The turn's first piece of text, so long after its message came in. */
  firstWord(afterMs: number): void;
  /** One attempt at one model, `provider/model`. */
  modelCalled(call: {
    readonly model: string;
    readonly outcome: ModelFailureKind | "answered" | "stopped";
  }): void;
  /** @param tool as rules name it; undefined: the model has made it up. */
  toolCalled(tool: string | undefined, outcome: FailureKind | "done"): void;
  /** An approval was decided, or expired, so long after a person was asked. */
  approvalDecided(waitMs: number): void;
  /** `elapsedMs`: since a process took the entry, waits and earlier tries included. */
  delivered(delivery: {
    readonly platform: Platform;
    readonly outcome: DeliveryEnd;
    readonly elapsedMs: number;
    /** Of a refusal; absent: unknown. */
    readonly reason?: RefusalReason;
  }): void;
  /** The platform refused a request because the bot makes too many. */
  throttled(platform: Platform): void;
  /** Nothing can be sent to a chat any more; not counted again until it was alive in between. */
  chatDied(platform: Platform): void;
  /** A chat's inbox or outbox was taken from a process that stopped renewing its lease. */
  leaseTakenOver(): void;
  /** A message, a model call or a turn was refused or put off. */
  limitRefused(metric: LimitMetric): void;
}

const ignore = (): void => undefined;

/** For a process without an HTTP server. */
export const noMetrics: Metrics = {
  turnFinished: ignore,
  firstWord: ignore,
  modelCalled: ignore,
  toolCalled: ignore,
  approvalDecided: ignore,
  delivered: ignore,
  throttled: ignore,
  chatDied: ignore,
  leaseTakenOver: ignore,
  limitRefused: ignore,
};
