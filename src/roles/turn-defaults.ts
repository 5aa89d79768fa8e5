import type { Settings } from "../config/settings.ts";
import { chatTierNames, type ChatTierName } from "../core/model.ts";
import type { TurnPolicy, TurnPolicyChanges } from "../core/turn.ts";
import type { LoopDefaults } from "../loop/deps.ts";

/** The settings of turns in the operator's file. */
export interface TurnDefaults extends LoopDefaults {
  readonly policy: TurnPolicy;
  readonly downgrade: boolean;
  /** A tier's overrides of the policy. */
  readonly tierPolicies: Readonly<Record<ChatTierName, TurnPolicyChanges>>;
}

export function turnDefaults({ turn, models }: Settings): TurnDefaults {
  return {
    whileBusy: turn.whileBusy,
    tools: turn.tools,
    thinking: turn.thinking,
    downgrade: turn.downgrade,
    policy: {
      maxModelCalls: turn.maxModelCalls,
      maxToolExecutions: turn.maxToolExecutions,
      deadlineMs: turn.deadlineMs ?? Infinity,
      maxTokens: turn.maxTokens,
      maxCostUsd: turn.maxCostUsd,
      stopOn: turn.stopOn,
      loop: turn.loop,
    },
    tierPolicies: Object.fromEntries(
      chatTierNames.map((tier) => [tier, models.tiers[tier].turn]),
    ) as Record<ChatTierName, TurnPolicyChanges>,
  };
}
