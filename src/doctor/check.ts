import type { Finding, FindingStatus } from "../core/finding.ts";
import { messageOf } from "../core/errors.ts";
import type { Locale } from "../locales/locale.ts";

/** What one check has found, before it is said in the language of a reader. */
export interface Examined extends Pick<Finding, "id" | "status"> {
  readonly say: (locale: Locale) => Pick<Finding, "what" | "why" | "fix">;
  /** Doctor can fix it by itself, without touching data. */
  readonly repair?: {
    /** What was done, in the past tense and in English: only the shell repairs. */
    readonly did: string;
    /** @throws when it didn't work. */
    run(): Promise<unknown>;
  };
}

export interface Check {
  /** The group of its findings, such as `redis`. */
  readonly id: string;
  /** What is examined, as it begins a sentence. */
  readonly what: (checks: Locale["findings"]["checks"]) => string;
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
        say: ({ findings: { checks, late: said } }) => ({
          ...said,
          what: said.what(what(checks), withinMs / 1_000),
        }),
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
        say: ({ findings: { checks, unexamined } }) => ({
          ...unexamined,
          what: unexamined.what(what(checks), messageOf(error)),
        }),
      },
    ];
  } finally {
    clearTimeout(timer);
  }
}

/** A finding as someone reads it whose language is this. Pure. */
export const findingIn =
  (locale: Locale) =>
  ({ id, status, say }: Examined): Finding => ({ id, status, ...say(locale) });

export interface Repaired extends Finding {
  /** What `--fix` did; then `status` is `ok`. */
  readonly fixed?: string;
}

/** Carries the repairs out, one after the other. Never rejects. */
export async function repair(
  found: readonly Examined[],
  english: Locale,
): Promise<readonly Repaired[]> {
  const results: Repaired[] = [];
  for (const examined of found) {
    const finding = findingIn(english)(examined);
    const offered = examined.repair;
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

/** @param say the whole sentence: there is nothing to do. */
export const ok = (
  id: string,
  say: (findings: Locale["findings"], locale: Locale) => string,
): Examined => ({ id, status: "ok", say: (locale) => ({ what: say(locale.findings, locale) }) });
