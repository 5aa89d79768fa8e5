import type { Locale } from "../locales/locale.ts";
import type { Store } from "../store/redis/redis.ts";
import {
  countDeadLetters,
  newestDeadLetters,
  type DeadLetter,
} from "../store/turns/dead-letters.ts";
import { ok, type Examined } from "./check.ts";

/** Letters whose reasons are read: the newest. */
const mostRead = 100;

export interface DeadLetterFacts {
  readonly total: number;
  /** Of those that were read. */
  readonly reasons: readonly Pick<DeadLetter, "why" | "reason">[];
}

export async function readDeadLetters(
  store: Pick<Store, "redis" | "clock">,
): Promise<DeadLetterFacts> {
  const [total, { letters }] = await Promise.all([
    countDeadLetters(store),
    newestDeadLetters(store, { from: 0, count: mostRead }, () => undefined),
  ]);
  return { total, reasons: letters };
}

/** Pure. */
export function deadLetterFinding({ total, reasons }: DeadLetterFacts): Examined {
  const id = "work.dead-letters";
  if (total === 0) return ok(id, ({ work }) => work.delivered);
  return {
    id,
    status: "warning",
    say(locale) {
      const { what, why, fix, reasons: all, reasonsOfSome } = locale.findings.work.undelivered;
      const listed = listReasons(locale, reasons);
      const isWhole = reasons.length >= total;
      const said = isWhole ? all(listed) : reasonsOfSome(reasons.length, listed);
      return { what: what(total), why: listed === "" ? why : `${why} ${said}`, fix };
    },
  };
}

/** In words, the most frequent first. */
function listReasons({ delivery, page }: Locale, reasons: DeadLetterFacts["reasons"]): string {
  const inWords = reasons.map(({ why, reason }) =>
    reason === undefined ? page.dead.reasons[why] : delivery.why[reason],
  );
  return [...Map.groupBy(inWords, (each) => each)]
    .map(([words, { length }]) => ({ words, length }))
    .toSorted((one, other) => other.length - one.length)
    .map(({ words, length }) => `${length} × ${words}`)
    .join(" ");
}
