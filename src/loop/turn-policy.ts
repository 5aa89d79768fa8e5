import type { ChatSettings } from "../core/chat-settings.ts";
import type { TurnPolicy, TurnPolicyChanges } from "../core/turn.ts";

/**
 * The limits that hold for a turn just now: the deployment's, changed by the tier's, changed by the chat's. Pure.
 */
export function policyFor(
  base: TurnPolicy,
  tier: TurnPolicyChanges | undefined,
  chat: ChatSettings,
): TurnPolicy {
  return changed(changed(base, tier ?? {}), changesOf(chat));
}

function changed(policy: TurnPolicy, changes: TurnPolicyChanges): TurnPolicy {
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
