import { RetryableError } from "../core/errors.ts";
import { isLimitedRole, limitedChat } from "../core/limit-scopes.ts";
import type { Cap, LimitHit, Spender } from "../core/limits.ts";
import { parseChatKey } from "../core/chat.ts";
import type { Role } from "../core/roles.ts";
import type { CounterNames, Counting } from "../store/limits/limit-counters.ts";
import type { LimitCache } from "./limit-cache.ts";
import type { EffectiveLimits, Standing } from "./effective-limits.ts";

/** Attempts while the rules change during counting. */
const maxTries = 5;

export interface CounterDeps {
  readonly book: LimitCache;
  /** Called only if a limit is set for a role and the spender's role is not known. */
  readonly roleOf: (spender: Spender) => Promise<Role>;
}

interface Standings {
  readonly book: EffectiveLimits;
  readonly standing: Standing;
  readonly caps: readonly Cap[];
}

/** The scopes of a person's usage. */
export const namesOf = ({ person, chat }: Spender): CounterNames => ({
  person: person.id,
  chat: limitedChat(chat),
  platform: parseChatKey(chat).platform,
  global: "all",
});

/**
 * The limits that apply to a person in a place, by these rules or newer ones.
 */
export async function standingOf(
  { book, roleOf }: CounterDeps,
  spender: Spender,
  rules?: EffectiveLimits,
): Promise<Standings> {
  const current = rules ?? (await book.current());
  const role = current.hasRoles ? (spender.role ?? (await roleOf(spender))) : undefined;
  const standing: Standing = {
    person: spender.person.id,
    chat: spender.chat,
    ...(role !== undefined && isLimitedRole(role) ? { role } : {}),
  };
  return { book: current, standing, caps: current.capsOf(standing) };
}

/** Counts by the cached limits; if the script reports that they have changed, by the new ones. */
export async function countBy<Outcome extends { readonly type: string }>(
  deps: CounterDeps,
  { spender, only }: { readonly spender: Spender; readonly only: (cap: Cap) => boolean },
  count: (counting: Counting) => Promise<Outcome>,
): Promise<Exclude<Outcome, { readonly type: "stale" }>> {
  const names = namesOf(spender);
  let found = await standingOf(deps, spender);
  for (let tried = 0; tried < maxTries; tried += 1) {
    const outcome = await count({
      names,
      version: found.book.version,
      caps: found.caps.filter(only),
    });
    if (isFresh(outcome)) return outcome;
    found = await standingOf(deps, spender, await deps.book.after(found.book));
  }
  throw new RetryableError("the limits were changed again and again", {
    retryAfterMs: 1_000,
  });
}

const isFresh = <Outcome extends { readonly type: string }>(
  outcome: Outcome,
): outcome is Exclude<Outcome, { readonly type: "stale" }> => outcome.type !== "stale";

/** A refusal for callers outside this folder. */
export const hitOf = ({
  cap: { scope, limit },
  used,
  resetsAtMs,
}: {
  readonly cap: Cap;
  readonly used: number;
  readonly resetsAtMs?: number;
}): LimitHit => ({
  scope,
  limit,
  used,
  ...(resetsAtMs === undefined ? {} : { resetsAtMs }),
});
