import type { z } from "zod";
import { leaf, listOf, section } from "./leaves.ts";
import { parseLimit, type Limit, type LimitMetric } from "./rates.ts";

const examples = {
  messages: "20/min or 500/day",
  tokens: "200k/day or 200k tokens/day",
  cost: "5usd/day or 100usd/month",
} as const satisfies Record<LimitMetric, string>;

function limits(metric: LimitMetric) {
  const limit = leaf<Limit>(`a limit such as ${examples[metric]}`, (value) => {
    const text = typeof value === "number" ? String(value) : value;
    const parsed =
      typeof text === "string" ? parseLimit(metric, text) : undefined;
    return parsed === undefined ? undefined : { value: parsed };
  });
  return listOf(limit).optional();
}

const scope = section({
  messages: limits("messages"),
  tokens: limits("tokens"),
  cost: limits("cost"),
})
  .prefault({})
  .transform(({ messages = [], tokens = [], cost = [] }): readonly Limit[] => [
    ...messages,
    ...tokens,
    ...cost,
  ]);

export const limitsSection = section({
  person: scope,
  chat: scope,
  role: section({
    owner: scope,
    admin: scope,
    member: scope,
    guest: scope,
  }).prefault({}),
  platform: section({
    telegram: scope,
    discord: scope,
    console: scope,
  }).prefault({}),
  global: scope,
}).prefault({});

export type LimitSettings = z.output<typeof limitsSection>;
