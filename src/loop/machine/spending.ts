import type { Usage } from "../../core/history.ts";
import type { ModelCard, ModelRequest } from "../../core/model.ts";
import type { Spending } from "../../core/turn.ts";
import { costOf } from "../../models/cost.ts";

/** What models have cost, by `provider/model`. */
export type Spent = Readonly<Record<string, Spending>>;

/** Both together. Pure. */
export function addSpending(left: Spent, right: Spent): Spent {
  const sum: Record<string, Spending> = { ...left };
  for (const [model, more] of Object.entries(right)) {
    const known = Object.hasOwn(sum, model) ? sum[model] : undefined;
    sum[model] = known === undefined ? more : plus(known, more);
  }
  return sum;
}

function plus(left: Spending, right: Spending): Spending {
  const costUsd =
    left.costUsd === undefined && right.costUsd === undefined
      ? {}
      : { costUsd: (left.costUsd ?? 0) + (right.costUsd ?? 0) };
  return {
    requests: left.requests + right.requests,
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    ...costUsd,
    ...(left.estimated || right.estimated ? { estimated: true } : {}),
  };
}

/** Over all models; what has no price costs nothing. Pure. */
export function totalOf(spent: Spent): {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
} {
  const all = Object.values(spent);
  const sum = (of: (each: Spending) => number): number =>
    all.reduce((total, each) => total + of(each), 0);
  return {
    inputTokens: sum(({ inputTokens }) => inputTokens),
    outputTokens: sum(({ outputTokens }) => outputTokens),
    costUsd: sum(({ costUsd }) => costUsd ?? 0),
  };
}

/** One attempt at one model. Pure. */
export function spentOn(card: ModelCard, usage: Usage, { estimated = false } = {}): Spent {
  const costUsd = costOf(card, usage);
  return {
    [card.id]: {
      requests: 1,
      inputTokens: usage.inputTokens,
      outputTokens: usage.outputTokens,
      ...(costUsd === undefined ? {} : { costUsd }),
      ...(estimated ? { estimated } : {}),
    },
  };
}

/** OpenAI's rule of thumb for English: four characters a token. */
const charactersPerToken = 4;
const tokensOf = (characters: number): number => Math.ceil(characters / charactersPerToken);

/**
 * What an attempt has used whose model did not say: a request that was cut off, a server that never
 * reports. Pure.
 */
export function estimatedUsage(request: ModelRequest, said: string): Usage {
  let characters = 0;
  for (const message of request.messages) {
    characters += message.text.length;
    if (message.role === "assistant")
      for (const call of message.calls) characters += call.name.length + call.arguments.length;
  }
  for (const { description, parameters } of request.tools)
    characters += description.length + JSON.stringify(parameters).length;
  return {
    inputTokens: tokensOf(characters),
    outputTokens: tokensOf(said.length),
  };
}
