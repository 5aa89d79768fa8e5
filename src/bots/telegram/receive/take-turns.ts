import { performance } from "node:perf_hooks";
import type { Logger } from "pino";
import { messageOf } from "../../../core/errors.ts";
import type { HeldLease, Leases } from "../../../core/ports.ts";
import { unlessAborted } from "../../../util/abort.ts";
import { describe } from "../send/describe.ts";
import { OutOfReachError, Backoff, type BackoffDependencies } from "./backoff.ts";

/** The time in which this process, and no other, receives for the bot. */
export interface Term {
  /** Ends it, for whatever reason. */
  readonly signal: AbortSignal;
  /** Another process may receive from now on: nothing may be confirmed any more. */
  readonly lost: AbortSignal;
}

export interface TurnsDependencies extends BackoffDependencies {
  readonly leases: Leases;
  /** The same in all processes that may not receive at the same time. */
  readonly leaseName: string;
  /**
   * Receives until the term ends. @throws OutOfReachError so that another
   * process tries.
   */
  readonly lead: (term: Term) => Promise<void>;
  /** Fulfils once Telegram answers this process. @throws the signal's reason when it aborts. */
  readonly withinReach: () => Promise<void>;
  /** Called whenever another process turns out to receive. */
  readonly onStandBy: () => void;
}

/** Milliseconds between a stand-by's checks: the delay after a clean end of the other process. */
const lookAgainMs = 1_000;
/**
 * Milliseconds after which an answer from Redis is too old to build on: the lease is counted from
 * the question on.
 */
const staleMs = 3_000;
/** Milliseconds between tries where Redis refuses. */
const storePauseMs = 1_000;
/** Milliseconds, in which another process may take the lease. */
const brokenOffPauseMs = 30_000;
/** Milliseconds in which every stand-by checks at least once. */
const yieldPauseMs = 3 * lookAgainMs;

/**
 * `standing by ⇄ leading`, until the signal aborts: the process with the lease
 * leads until it ends or loses the lease. An end releases the lease; after a
 * death it expires.
 */
export async function takeTurns(deps: TurnsDependencies): Promise<void> {
  const { log, signal, sleep, onStandBy } = deps;
  const backoff = new Backoff(deps, "sharing Telegram between processes");
  let isStandingBy = false;
  while (!signal.aborted) {
    const lease = await askFor(deps, backoff);
    if (lease === "not now") continue;
    if (lease === "another's") {
      if (!isStandingBy)
        log.info(
          "another process of this deployment receives from Telegram; this one is on standby",
        );
      isStandingBy = true;
      onStandBy();
      await sleep(lookAgainMs, signal).catch(() => undefined); // Aborted.
      continue;
    }
    if (isStandingBy) log.info("this process receives from Telegram now");
    isStandingBy = false;
    await serve(deps, lease);
  }
}

async function serve(deps: TurnsDependencies, lease: HeldLease): Promise<void> {
  const { log, signal, sleep, lead, withinReach } = deps;
  const { lost } = lease;
  let end: "told" | "broken off" | "out of reach" = "told";
  {
    await using held = lease;
    const over = new AbortController();
    const term = {
      signal: AbortSignal.any([signal, held.lost, over.signal]),
      lost,
    };
    try {
      await lead(term);
    } catch (error) {
      if (!term.signal.aborted) end = sayEnd(log, error);
    }
    // Other work of this lease, such as the menu, ends with it.
    over.abort();
  }
  if (end === "broken off")
    await sleep(brokenOffPauseMs, signal).catch(() => undefined); // Aborted.
  else if (end === "out of reach")
    await sleep(yieldPauseMs, signal)
      .then(withinReach)
      .catch(() => undefined); // Aborted.
  else if (lost.aborted && !signal.aborted)
    log.warn(
      "Redis did not hear from this process in time, so another one may receive from Telegram",
    );
}

function sayEnd(log: Logger, error: unknown): "broken off" | "out of reach" {
  if (error instanceof OutOfReachError) {
    log.warn("Telegram is out of reach from this process; another one may receive from it");
    return "out of reach";
  }
  log.error({ cause: describe(error) }, "receiving from Telegram broke off; trying again");
  return "broken off";
}

async function askFor(
  { leases, leaseName, signal }: TurnsDependencies,
  backoff: Backoff,
): Promise<HeldLease | "another's" | "not now"> {
  const askedAt = performance.now();
  const taken = leases.take(leaseName).then(async (lease) => {
    if (lease === undefined) return "another's";
    const isFresh = performance.now() - askedAt < staleMs;
    if (isFresh && !signal.aborted) return lease;
    // No longer needed, or, after an outage, nearly expired.
    await lease[Symbol.asyncDispose]();
    return "not now";
  });
  try {
    const answer = await unlessAborted(taken, signal);
    backoff.itWorks();
    return answer;
  } catch (error) {
    if (signal.aborted) return "not now";
    const failure = {
      kind: "store",
      explanation: "Redis does not say which process receives from Telegram; retrying",
      cause: messageOf(error),
      afterMs: storePauseMs,
    };
    await backoff.wait(failure, 1).catch(() => undefined); // Aborted.
    return "not now";
  }
}
