import type { Logger } from "pino";
import type { ChatKey } from "../core/chat.ts";
import type { Metrics } from "../core/metrics.ts";
import type { OutboxEntry } from "../core/outbox.ts";
import type { Sender } from "../core/ports.ts";
import type { RefusalReason } from "../core/refusal.ts";
import type { Blobs } from "../store/turns/blobs.ts";
import type { OutboxStore } from "../store/turns/outbox.ts";
import type { Pace } from "../store/limits/pace.ts";

/** An entry that became a dead letter. */
export interface Undelivered {
  readonly chat: ChatKey;
  /** Undefined: what is stored of it is none. */
  readonly entry: OutboxEntry | undefined;
  /** It may have arrived nevertheless. */
  readonly isDoubtful: boolean;
  readonly reason: RefusalReason | undefined;
  /** The approvals that were closed, since no one could be asked. */
  readonly closed: readonly string[];
}

export interface DeliveryDeps {
  readonly outbox: OutboxStore;
  readonly sender: Sender;
  /** Sends copies of a card that is decided elsewhere, or their outcome, to those who decide. */
  readonly relay: (
    entry: OutboxEntry & { readonly kind: "cards" | "cards-outcome" },
  ) => Promise<void>;
  readonly blobs: Pick<Blobs, "get" | "remove">;
  /** Absent: only the platform's own refusals limit sending. */
  readonly pace?: Pace | undefined;
  /** A third of the lease, or less. */
  readonly heartbeatMs: number;
  /** Milliseconds since the epoch, by Redis' clock: ledgers are read by other processes, too. */
  readonly now: () => number;
  readonly metrics: Metrics;
  /** Called after an entry became a dead letter, to tell its person. Absent: no one is told. */
  readonly onUndelivered?: (undelivered: Undelivered) => Promise<void>;
  readonly log: Logger;
}

export type DeliveryResult =
  | { readonly type: "done" }
  | { readonly type: "again" }
  | { readonly type: "later"; readonly inMs: number };
