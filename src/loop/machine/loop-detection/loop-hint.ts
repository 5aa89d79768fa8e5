import { unreachable } from "../../../core/errors.ts";

/** What repeats. */
export type Repetition =
  | {
      readonly type: "same-call" | "same-error" | "same-tool";
      readonly tool: string;
      readonly times: number;
    }
  | { readonly type: "cycle"; readonly tools: readonly [string, string] };

/**
 * The hint for the model. @param isLast whether the next detection ends the
 * turn.
 */
export function loopHint(repetition: Repetition, isLast: boolean): string {
  const judgement =
    repetition.type === "same-tool"
      ? "If that brings you no nearer to what was asked for,"
      : "Repeating it will not help:";
  const warning = isLast ? " One more repetition ends this turn." : "";
  return `You seem to go in circles: ${whatRepeats(repetition)}. ${judgement} try another way, or answer with what you have and say what is missing.${warning}`;
}

function whatRepeats(repetition: Repetition): string {
  switch (repetition.type) {
    case "same-call":
      return `${repetition.tool} was called ${repetition.times} times with the same arguments and gave the same result each time`;
    case "same-error":
      return `${repetition.tool} failed ${repetition.times} times in a row with the same error`;
    case "same-tool":
      return `${repetition.tool} was called ${repetition.times} times in a row`;
    case "cycle": {
      const [first, second] = repetition.tools;
      return first === second
        ? `the same two calls of ${first} alternate`
        : `the same calls of ${first} and ${second} alternate`;
    }
    default:
      return unreachable(repetition);
  }
}
