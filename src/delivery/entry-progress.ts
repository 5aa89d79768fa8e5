import { parseChatKey } from "../core/chat.ts";
import type { DeliveryEnd } from "../core/metrics.ts";
import type { OutboxEntry } from "../core/outbox.ts";
import type { RefusalReason } from "../core/refusal.ts";
import type { Ledger } from "../store/turns/outbox.ts";
import type { DeliverySession, Receipt } from "../store/turns/receipt.ts";
import type { DeliveryDeps, DeliveryResult } from "./deps.ts";
import type { SendRateLimiter } from "./send-rate-limiter.ts";

/** One entry in one taking of the outbox. */
export interface EntryJob {
  readonly session: DeliverySession;
  readonly rateLimiter: SendRateLimiter;
  readonly interrupted: boolean;
  /** A later entry shows the same in a newer state: this one needn't be sent. */
  readonly isOutdated: boolean;
  /** How long ago the request with an unknown outcome may have been made. */
  readonly doubtAgeMs: number;
  /**
   * Whether this session must not send any more: the process stops, or another
   * session owns the outbox.
   */
  readonly isOver: () => boolean;
  /**
   * The entry that this session sends next; undefined: the outbox is released
   * afterwards.
   */
  readonly next: string | undefined;
  /** Also has what this session has written down. */
  readonly ledger: Map<string, string>;
  /** A request has been made whose outcome is not written down. */
  isUnderWay: boolean;
  /** When it was first taken in vain, or else now; by Redis' clock. */
  readonly takenAtMs: number;
}

export interface Progress extends EntryJob {
  readonly entry: OutboxEntry;
}

/** `next`: the entry is done and the outbox is still ours. */
export type EntryResult = DeliveryResult | { readonly type: "next" };
/** The receipt of a finished entry or chunk. */
export type Ending = Omit<Receipt, "id" | "finished">;

/** Whether it yields to everything else that the bot sends. */
export const isLowPriority = (entry: OutboxEntry): boolean =>
  "patient" in entry && entry.patient === true;

/** Whether people may see something of the entry already. */
export const mayHaveBeenSent = ({
  ledger,
  interrupted,
  isUnderWay,
}: Pick<EntryJob, "ledger" | "interrupted" | "isUnderWay">): boolean =>
  interrupted ||
  isUnderWay ||
  ledger.has("m0") ||
  ledger.has("doubt") ||
  ledger.get("lost") === "1";

/** When an entry was first taken in vain, or else now. */
export function takenAtMs(ledger: Ledger, nowMs: number): number {
  // Earlier versions wrote no time, but that it waits: 1.
  const times = [ledger.get("since"), ledger.get("queued")].map(Number);
  return Math.min(nowMs, ...times.filter((ms) => ms > 1));
}

/** Counts an entry that has come to its end. */
export function countEnd(
  { metrics, now }: Pick<DeliveryDeps, "metrics" | "now">,
  { session, takenAtMs: fromMs }: EntryJob,
  end: { readonly outcome: DeliveryEnd; readonly reason?: RefusalReason },
): void {
  const { platform } = parseChatKey(session.chat);
  metrics.delivered({ platform, ...end, elapsedMs: now() - fromMs });
}

/** The approvals that an entry asks for. */
export function asksOf(entry: OutboxEntry | undefined): { readonly asks?: readonly string[] } {
  if (entry?.kind === "card") return { asks: [entry.card.approvalId] };
  return entry?.kind === "cards" ? { asks: entry.approvals } : {};
}
