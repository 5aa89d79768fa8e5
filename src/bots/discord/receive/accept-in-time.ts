import { messageOf, PermanentError } from "../../../core/errors.ts";
import type { Acceptance, Inbound } from "../../../core/inbound.ts";
import { unlessAborted } from "../../../util/abort.ts";
import { retried } from "../retry.ts";
import type { ReceiveDeps } from "./deps.ts";

/** A person waits: after this time they get a notice. */
const decideWithinMs = 10_000;
/**
 * An interaction's token is good for 15 minutes; what it asks for is tried for as long as it can
 * still be answered.
 */
const keepForMs = 14 * 60_000;

interface Waiting {
  readonly inbound: Inbound;
  readonly receivedAtMs: number;
  /** Aborts when too many events wait. */
  readonly dropped: AbortSignal;
  /** Says that it takes longer; never for a tap. */
  readonly reportDelay: () => void;
}

/**
 * Undefined: the store did not take it, and will not. A tap is given up when
 * its time is over, because the store refuses it from then on. For anything
 * else the outcome is unknown until `accept` settles: the person reads that it
 * takes longer, and the result is awaited.
 */
export async function acceptInTime(
  deps: Pick<ReceiveDeps, "accept" | "now" | "log" | "signal" | "held">,
  { inbound, receivedAtMs, dropped, reportDelay }: Waiting,
): Promise<Acceptance | undefined> {
  const isTap = inbound.type === "tap";
  const notAfterMs = receivedAtMs + decideWithinMs;
  const leftMs = notAfterMs - deps.now();
  if (isTap && leftMs <= 0) return undefined;
  const late = new AbortController();
  const timer = setTimeout(() => (isTap ? late.abort() : reportDelay()), Math.max(0, leftMs));
  const end = setTimeout(() => late.abort(), receivedAtMs + keepForMs - deps.now());
  timer.unref();
  end.unref();
  try {
    const accepted = acceptBy(
      deps,
      isTap ? { ...inbound, notAfterMs } : inbound,
      () => deps.now() < notAfterMs,
    );
    return await unlessAborted(accepted, AbortSignal.any([late.signal, dropped]));
  } catch {
    // The person is asked to tap again.
    if (!isTap) deps.held.lost();
    return undefined;
  } finally {
    clearTimeout(timer);
    clearTimeout(end);
  }
}

/** Never rejects. Undefined after an attempt that failed and is not made again. */
async function acceptBy(
  { accept, log, signal }: Pick<ReceiveDeps, "accept" | "log" | "signal">,
  inbound: Inbound,
  isAwaited: () => boolean,
): Promise<Acceptance | undefined> {
  try {
    return await retried(() => accept(inbound), {
      signal,
      firstDelayMs: 500,
      maxDelayMs: 5_000,
      again: (failure, attempts) =>
        !(failure instanceof PermanentError) && attempts < 3 && isAwaited(),
    });
  } catch (failure) {
    log.error(
      { id: inbound.id, cause: messageOf(failure) },
      "an interaction could not be accepted",
    );
    return undefined;
  }
}
