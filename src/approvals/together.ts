import { localeFor } from "../locales/locale-for.ts";
import type { Attempt, AttemptOutcome } from "./attempt.ts";

/**
 * The result of an attempt on a card's calls; one sentence if all results are
 * the same. Pure.
 * @param ofCard for every call of the card, in its order; undefined: the
 * attempt isn't about it
 */
export function together(
  attempt: Attempt,
  ofCard: readonly (AttemptOutcome | undefined)[],
): AttemptOutcome {
  const outcomes = ofCard.filter((each) => each !== undefined);
  const [only] = outcomes;
  if (only === undefined) throw new TypeError("a card asks for something");
  if (outcomes.length === 1) return only;
  const decided = outcomes.filter(({ type }) => type === "decided");
  const counted = outcomes.find(({ type }) => type === "counted");
  const isSame = outcomes.every(({ text }) => text === only.text);
  const others = ofCard.flatMap((each, index) =>
    each === undefined || each.type === "decided" ? [] : [`${index + 1}: ${each.text}`],
  );
  const first = decided[0] ?? counted;
  if (first === undefined) {
    const expired = outcomes.find((each) => each.type === "refused" && each.expired !== undefined);
    return {
      ...only,
      ...expired,
      text: isSame ? only.text : others.join("\n"),
    };
  }
  if (decided.length === 0) return { ...first, text: isSame ? first.text : others.join("\n") };
  const say = localeFor(attempt.person.language, attempt.person.id).decisions;
  const done =
    attempt.status === "approved"
      ? say.approvedOf(decided.length, ofCard.length)
      : say.deniedOf(decided.length, ofCard.length);
  return { ...first, text: [done, ...others].join("\n") };
}
