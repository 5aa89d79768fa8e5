import type { Usage } from "../core/history.ts";
import type { ModelCard } from "../core/model.ts";

/**
 * US dollars by the card's list prices; undefined where no price is known, which is not the same as
 * free.
 */
export function costOf(card: ModelCard, usage: Usage): number | undefined {
  const prices = card.usdPerMillionTokens;
  if (prices === undefined) return undefined;
  const { inputTokens, outputTokens } = usage;
  return (inputTokens * prices.input + outputTokens * prices.output) / 1_000_000;
}
