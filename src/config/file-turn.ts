import { toolDisplays, whileBusyModes } from "../core/chat-settings.ts";
import type { TurnPolicyChanges } from "../core/turn.ts";
import {
  count,
  countOrOff,
  durationMsOrOff,
  flag,
  offAsUndefined,
  oneOf,
  section,
  usdOrOff,
} from "./leaves.ts";
import { withoutUndefined } from "./without-undefined.ts";

const maxModelCalls = count({ min: 1, max: 1_000 });
const maxToolExecutions = count({ min: 0, max: 10_000 });
const maxTokens = countOrOff({ min: 1, max: 1_000_000_000 });
/** How often something may come before it counts as a loop. */
export const repeats = count({ min: 2, max: 100 });
const hints = count({ min: 0, max: 100 });

/** The limits of one turn, each as it is read wherever people write it. */
export const limitLeaves = {
  maxModelCalls,
  maxToolExecutions,
  deadline: durationMsOrOff,
  maxTokens,
  maxCost: usdOrOff,
  loopSameCall: repeats,
  loopSameTool: repeats,
  loopHints: hints,
};

export const turnSection = section({
  maxModelCalls: maxModelCalls.default(20),
  maxToolExecutions: maxToolExecutions.default(80),
  deadline: durationMsOrOff.default(15 * 60_000),
  maxTokens: maxTokens.default("off"),
  maxCost: usdOrOff.default("off"),
  whileBusy: oneOf(...whileBusyModes).default("followup"),
  tools: oneOf(...toolDisplays).default("names"),
  thinking: flag.default(false),
  /**
   * Whether a cheaper tier is asked where a limit on cost has no room for the one that would be.
   */
  downgrade: flag.default(true),
  stopOn: section({
    toolFailure: flag.default(false),
    confirmationDenied: flag.default(true),
    policyDenied: flag.default(false),
  }).prefault({}),
  loop: section({
    sameCall: repeats.default(3),
    sameTool: repeats.default(5),
    hints: hints.default(5),
  }).prefault({}),
})
  .prefault({})
  .transform(({ deadline, maxTokens, maxCost, ...rest }) => ({
    ...rest,
    /** Active time: waiting for a person is free. Undefined: no deadline. */
    deadlineMs: offAsUndefined(deadline),
    /** Undefined: no limit. */
    maxTokens: offAsUndefined(maxTokens),
    /** Undefined: no limit. */
    maxCostUsd: offAsUndefined(maxCost),
  }));

/** A tier's overrides of `turn`'s limits; `off` is `Infinity`, since an absent key uses `turn`. */
export const tierTurnSection = section({
  maxModelCalls: maxModelCalls.optional(),
  maxToolExecutions: maxToolExecutions.optional(),
  deadline: durationMsOrOff.optional(),
  maxTokens: maxTokens.optional(),
  maxCost: usdOrOff.optional(),
  stopOn: section({
    toolFailure: flag.optional(),
    confirmationDenied: flag.optional(),
    policyDenied: flag.optional(),
  }).optional(),
  loop: section({
    sameCall: repeats.optional(),
    sameTool: repeats.optional(),
    hints: hints.optional(),
  }).optional(),
}).transform(
  ({ deadline, maxCost, maxTokens, stopOn, loop, ...counts }) =>
    withoutUndefined({
      ...counts,
      deadlineMs: offAsInfinity(deadline),
      maxTokens: offAsInfinity(maxTokens),
      maxCostUsd: offAsInfinity(maxCost),
      stopOn: stopOn && withoutUndefined(stopOn),
      loop: loop && withoutUndefined(loop),
    }) satisfies TurnPolicyChanges,
);

const offAsInfinity = (limit: number | "off" | undefined): number | undefined =>
  limit === "off" ? Infinity : limit;
