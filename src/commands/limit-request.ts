import { readLimitMetric } from "../text/limit-text.ts";
import type { CommandCall } from "./command.ts";

/** The typed text, or the named options. */
export interface LimitRequest {
  readonly action: string;
  readonly scope: string;
  readonly metric: string;
  readonly value: string;
}

export function requestOf({ argument, options }: CommandCall): LimitRequest {
  if (options !== undefined) {
    const of = (name: string): string => (options[name] ?? "").trim();
    const scope = of("scope") || of("id");
    const action = of("action").toLowerCase();
    return { action, scope, metric: of("metric"), value: of("value") };
  }
  const [action = "", ...words] = argument.split(/\s+/);
  return { action: action.toLowerCase(), ...typedRequest(words) };
}

/**
 * A scope may be two words (`role member`). It is omitted in a reply to a
 * person's message.
 */
function typedRequest(words: readonly string[]): Omit<LimitRequest, "action"> {
  const [first = "", second] = words;
  const isPair = /^(?:role|platform)$/i.test(first) && !isMetric(second);
  const scopeWords = isMetric(first) ? 0 : isPair && second ? 2 : 1;
  const rest = words.slice(scopeWords);
  // `model calls` is one of them in two words.
  const metricWords = !isMetric(rest[0]) && isMetric(rest.slice(0, 2).join(" ")) ? 2 : 1;
  return {
    scope: words.slice(0, scopeWords).join(":"),
    metric: rest.slice(0, metricWords).join(" "),
    value: rest.slice(metricWords).join(" "),
  };
}

const isMetric = (word: string | undefined): boolean =>
  word !== undefined && readLimitMetric(word) !== undefined;
