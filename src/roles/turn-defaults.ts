import type { Settings } from "../config/settings.ts";
import { chatTierNames, type ChatTierName } from "../core/model.ts";
import type { TurnPolicy, TurnPolicyChanges } from "../core/turn.ts";
import type { LoopDefaults } from "../loop/deps.ts";

/** Where the operator has set none. */
export const ownSystemPrompt =
  "You are Parley, a helpful assistant in a chat. Answer in the language of the person, briefly unless asked for more. " +
  "Use tools when they help; some of them ask a person for approval first.";

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
