import type { Finding, FindingStatus } from "../core/finding.ts";
import { messageOf } from "../core/errors.ts";

/** A finding that doctor can fix by itself, without touching data. */
export interface Examined extends Finding {
  readonly repair?: {
    /** What was done, in the past tense. */
    readonly did: string;
    /** @throws when it didn't work. */
    run(): Promise<unknown>;
  };
}

export interface Check {
  /** The group of its findings, such as `redis`. */
  readonly id: string;
  /** What is examined, as a part of a sentence. */
  readonly what: string;
  /** Of the whole check; absent: `usualLimitMs`. Milliseconds. */
  readonly withinMs?: number;
  /** @throws anything: a check that can't be done is a finding. */
  run(signal: AbortSignal): Promise<readonly Examined[]>;
}

/** Nothing that answers a person is slower. Milliseconds. */
export const usualLimitMs = 10_000;

/** All checks at the same time. One that fails or hangs is a finding; never rejects. */
export async function runChecks(
  checks: readonly Check[],
  signal: AbortSignal,
): Promise<readonly Examined[]> {
  return (await Promise.all(checks.map((check) => runCheck(check, signal)))).flat();
}

async function runCheck(check: Check, signal: AbortSignal): Promise<readonly Examined[]> {
  const { id, what, withinMs = usualLimitMs } = check;
  const over = new AbortController();
  const late = Promise.withResolvers<readonly Examined[]>();
  const timer = setTimeout(() => {
    over.abort();
    late.resolve([
      {
        id: `${id}.check`,
        status: "broken",
        what: `${what} didn't answer within ${withinMs / 1_000} s.`,
        why: "What hangs here hangs for people, too.",
        fix: "Look at its log and at the network between this machine and it, then run doctor again.",
      },
    ]);
  }, withinMs);
  try {
    const running = check.run(AbortSignal.any([signal, over.signal]));
    running.catch(() => undefined);
    return await Promise.race([running, late.promise]);
  } catch (error) {
    return [
      {
        id: `${id}.check`,
        status: "broken",
        what: `${what} couldn't be examined: ${messageOf(error)}`,
        why: "Whether it works is unknown; what is wrong here may be wrong for people, too.",
        fix: "Fix what the message names, then run doctor again. If it names nothing of yours, report it as a bug.",
      },
    ];
  } finally {
    clearTimeout(timer);
  }
}

export interface Repaired extends Finding {
  /** What `--fix` did; then `status` is `ok`. */
  readonly fixed?: string;
}

/** Carries the repairs out, one after the other. Never rejects. */
export async function repair(found: readonly Examined[]): Promise<readonly Repaired[]> {
  const results: Repaired[] = [];
  for (const { repair: offered, ...finding } of found) {
    if (offered === undefined) {
      results.push(finding);
      continue;
    }
    try {
      await offered.run();
      results.push({ ...finding, status: "ok", fixed: offered.did });
    } catch (error) {
      results.push({ ...finding, what: `${finding.what} --fix failed: ${messageOf(error)}` });
    }
  }
  return results;
}

export const withoutRepairs = (found: readonly Examined[]): readonly Finding[] =>
  found.map((finding) => {
    const plain: Examined = { ...finding };
    delete (plain as { repair?: unknown }).repair;
    return plain;
  });

/** 0 fine, 1 warnings, 2 something is broken. */
export const exitCodes: Readonly<Record<FindingStatus, number>> = {
  ok: 0,
  note: 0,
  warning: 1,
  broken: 2,
};

/** The finding where there is something to find, and nothing else. */
export const when = (isFound: boolean, finding: Examined): readonly Examined[] =>
  isFound ? [finding] : [];

export const ok = (id: string, what: string): Examined => ({ id, status: "ok", what });
