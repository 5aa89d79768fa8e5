import type { ChatSettings } from "../../core/chat-settings.ts";
import type { TurnCaps } from "../../core/limits.ts";
import type { Persona } from "../../core/persona.ts";
import type { TurnPolicy, TurnPolicyChanges } from "../../core/turn.ts";

/**
 * The limits that hold for a turn just now: the deployment's, changed by the tier's, changed by the
 * chat's, and none of them above what people's limits allow. Pure.
 */
export function policyFor(
  base: TurnPolicy,
  tier: TurnPolicyChanges | undefined,
  chat: ChatSettings,
  caps: TurnCaps = {},
): TurnPolicy {
  return capped(changed(changed(base, tier ?? {}), changesOf(chat)), caps);
}

/**
 * A turn's limits under a persona: in each the narrower one of its tier's and those that the turn
 * would have without it, and the persona's own. Pure.
 */
export function narrowedPolicy(
  policy: TurnPolicy,
  without: TurnPolicy,
  { maxModelCalls }: Pick<Persona, "maxModelCalls">,
): TurnPolicy {
  return {
    maxModelCalls: Math.min(policy.maxModelCalls, without.maxModelCalls, maxModelCalls),
    maxToolExecutions: Math.min(policy.maxToolExecutions, without.maxToolExecutions),
    deadlineMs: Math.min(policy.deadlineMs, without.deadlineMs),
    ...withoutUndefined({
      maxTokens: leastOf(policy.maxTokens, without.maxTokens),
      maxCostUsd: leastOf(policy.maxCostUsd, without.maxCostUsd),
    }),
    stopOn: {
      toolFailure: policy.stopOn.toolFailure || without.stopOn.toolFailure,
      confirmationDenied: policy.stopOn.confirmationDenied || without.stopOn.confirmationDenied,
      policyDenied: policy.stopOn.policyDenied || without.stopOn.policyDenied,
    },
    loop: {
      sameCall: Math.min(policy.loop.sameCall, without.loop.sameCall),
      sameTool: Math.min(policy.loop.sameTool, without.loop.sameTool),
      hints: Math.min(policy.loop.hints, without.loop.hints),
    },
  };
}

// Most chats and tiers change nothing, and most people have no limits: then the policy stays the same object.

function capped(policy: TurnPolicy, caps: TurnCaps): TurnPolicy {
  if (isEmpty(caps)) return policy;
  return {
    ...policy,
    maxModelCalls: least(policy.maxModelCalls, caps.maxModelCalls),
    maxToolExecutions: least(policy.maxToolExecutions, caps.maxToolExecutions),
    deadlineMs: least(policy.deadlineMs, caps.deadlineMs),
    ...withoutUndefined({
      maxTokens: leastOf(policy.maxTokens, caps.maxTokens),
      // Nothing is no sum that could be used up: what a call would cost is asked before it, and a
      // free model has leave.
      maxCostUsd: leastOf(policy.maxCostUsd, caps.maxCostUsd || undefined),
    }),
  };
}

const isEmpty = (given: object): boolean => Object.keys(given).length === 0;

const least = (own: number, cap = Infinity): number => Math.min(own, cap);

const leastOf = (own: number | undefined, cap: number | undefined): number | undefined =>
  cap === undefined ? own : Math.min(own ?? Infinity, cap);

function changed(policy: TurnPolicy, changes: TurnPolicyChanges): TurnPolicy {
  if (isEmpty(changes)) return policy;
  const { stopOn, loop, ...limits } = changes;
  return {
    ...policy,
    ...withoutUndefined(limits),
    stopOn: { ...policy.stopOn, ...withoutUndefined(stopOn ?? {}) },
    loop: { ...policy.loop, ...withoutUndefined(loop ?? {}) },
  };
}

const isOn = (flag: "on" | "off" | undefined): boolean | undefined =>
  flag === undefined ? undefined : flag === "on";

function changesOf(chat: ChatSettings): TurnPolicyChanges {
  if (isEmpty(chat)) return {};
  const stopOn = {
    toolFailure: isOn(chat.toolFailure),
    confirmationDenied: isOn(chat.confirmationDenied),
    policyDenied: isOn(chat.policyDenied),
  };
  const loop = {
    sameCall: chat.loopSameCall,
    sameTool: chat.loopSameTool,
    hints: chat.loopHints,
  };
  return withoutUndefined({
    maxModelCalls: chat.maxModelCalls,
    maxToolExecutions: chat.maxToolExecutions,
    deadlineMs: chat.deadline,
    maxTokens: chat.maxTokens,
    maxCostUsd: chat.maxCost,
    stopOn: withoutUndefined(stopOn),
    loop: withoutUndefined(loop),
  });
}

type Defined<Given> = {
  [Key in keyof Given]?: Exclude<Given[Key], undefined>;
};

function withoutUndefined<Given extends object>(given: Given): Defined<Given> {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Defined<Given>;
}
