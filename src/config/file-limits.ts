import type { z } from "zod";
import { limitExamples, periodsOf, readLimits } from "../text/limit-text.ts";
import type { Limit, LimitMetric } from "../core/limits.ts";
import { leaf, listOf, section } from "./leaves.ts";

/** One limit or a list of them; `off` removes a general limit. */
function limits(metric: LimitMetric) {
  const pers = periodsOf(metric)
    .join(", ")
    .replace(/, ([^,]*)$/, " or $1");
  const limit = leaf<readonly Limit[]>(
    `a limit such as ${limitExamples[metric]} (per ${pers}), or off`,
    (value) => {
      const text = typeof value === "number" ? String(value) : value;
      const read = typeof text === "string" ? readLimits(metric, text) : undefined;
      return read === undefined ? undefined : { value: read };
    },
  );
  return listOf(limit).default([]);
}

const scope = section({
  messages: limits("messages"),
  tokens: limits("tokens"),
  cost: limits("cost"),
  turns: limits("turns"),
  modelCalls: limits("model-calls"),
  toolExecutions: limits("tool-executions"),
  deadline: limits("deadline"),
})
  .prefault({})
  .superRefine((byMetric, issues) => {
    for (const [name, read] of Object.entries(byMetric)) {
      const pers = read.flat().map(({ per }) => per);
      const twice = pers.find((per, index) => pers.indexOf(per) < index);
      if (twice !== undefined)
        issues.addIssue({
          code: "custom",
          path: [name],
          message: `expected one limit per ${twice}, not several`,
        });
    }
  })
  .transform((byMetric): readonly Limit[] => Object.values(byMetric).flat(2));

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
