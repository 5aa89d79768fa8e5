import { wordsFor } from "../words/words-for.ts";
import type { Attempt, AttemptOutcome } from "./attempt.ts";

/** What came of a try to decide all calls of a card, in one sentence where they came to the same. Pure. */
export function together(
  attempt: Attempt,
  outcomes: readonly AttemptOutcome[],
): AttemptOutcome {
  const [only] = outcomes;
  if (only === undefined) throw new TypeError("a card asks for something");
  if (outcomes.length === 1) return only;
  const decided = outcomes.filter(({ type }) => type === "decided");
  const counted = outcomes.find(({ type }) => type === "counted");
  const isSame = outcomes.every(({ text }) => text === only.text);
  const others = outcomes.flatMap(({ type, text }, index) =>
    type === "decided" ? [] : [`${index + 1}: ${text}`],
  );
  const first = decided[0] ?? counted;
  if (first === undefined) {
    const expired = outcomes.find(
      (each) => each.type === "refused" && each.expired !== undefined,
    );
    return {
      ...only,
      ...expired,
      text: isSame ? only.text : others.join("\n"),
    };
  }
  if (decided.length === 0)
    return { ...first, text: isSame ? first.text : others.join("\n") };
  const say = wordsFor(attempt.person.language).decisions;
  const done =
    attempt.status === "approved"
      ? say.approvedOf(decided.length, outcomes.length)
      : say.deniedOf(decided.length, outcomes.length);
  return { ...first, text: [done, ...others].join("\n") };
}
