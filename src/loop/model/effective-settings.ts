import type { ModelChain } from "../../models/chain.ts";
import type { ChatSettings } from "../../core/chat-settings.ts";
import { personaModels } from "../../core/choices.ts";
import { chatTierNames, type ChatTierName, type ModelOptions } from "../../core/model.ts";
import type { TurnPolicy, TurnState } from "../../core/turn.ts";
import type { LoopDeps } from "../deps.ts";
import { imagesOf } from "../inbox/read-attachments.ts";
import { routeTier, stepsDown, type RoutingInput } from "../machine/routing.ts";
import { narrowedPolicy, policyFor } from "../machine/turn-policy.ts";
import type { TurnSession } from "../session/turn-session.ts";
import type { TurnContext } from "../turn-context.ts";

/** What holds for the next step of a turn. */
export interface EffectiveSettings {
  readonly tier: ChatTierName;
  /** Why this tier, for the log and the trace. */
  readonly why: string;
  readonly chain: ModelChain;
  readonly policy: TurnPolicy;
  /** A budget asks for a cheaper tier than the turn would have without it. */
  readonly isLowered: boolean;
}

/** Of each session, for what it follows from: asked several times a step. */
const known = new WeakMap<
  TurnSession,
  { readonly from: readonly unknown[]; readonly is: EffectiveSettings }
>();

/**
 * Follows from the turn's state, its message, the pictures in view, the chat's settings, people's
 * limits and the deployment's settings alone.
 */
export function effective(context: TurnContext): EffectiveSettings {
  const { session, billing } = context;
  const { caps, affordable } = billing;
  const found = known.get(session);
  const from = [session.state, imagesOf(session), caps, affordable];
  if (found?.from.every((each, index) => each === from[index])) return found.is;
  const is = settle(context);
  known.set(session, { from, is });
  return is;
}

function settle(context: TurnContext): EffectiveSettings {
  const { deps, session, billing } = context;
  const { state, settings } = session;
  const { caps, affordable } = billing;
  const persona = session.narrowing?.persona;
  const routed = (share: number) => routeTier(routingInput(context, share));
  const limitsOf = (tier: ChatTierName): TurnPolicy =>
    policyFor(deps.policy, deps.tierPolicies[tier], settings, caps);
  // A persona's tier chooses models, and raises no limit that the turn would have without it.
  const withoutPersona = (share: number): TurnPolicy =>
    limitsOf(routeTier({ ...routingInput(context, share), persona: undefined }).tier);
  const usual = persona && withoutPersona(spentShare(state, withoutPersona(0)));
  const policyOf = (tier: ChatTierName): TurnPolicy =>
    persona && usual ? narrowedPolicy(limitsOf(tier), usual, persona) : limitsOf(tier);
  // The budget is the one of the tier that the turn would have if money were no object.
  const wanted = routed(0);
  const budget = policyOf(wanted.tier);
  const { tier, model, why } = routed(spentShare(state, budget));
  return affordable === undefined
    ? {
        tier,
        why,
        chain: deps.models.chain(tier, model, optionsOf(settings)),
        policy: tier === wanted.tier ? budget : policyOf(tier),
        isLowered: tier !== wanted.tier,
      }
    : {
        tier: affordable,
        why: `${why}; a limit leaves no room for its cost: ${affordable}`,
        // Also drops a chosen model: it is what costs too much.
        chain: deps.models.chain(affordable, undefined, optionsOf(settings)),
        policy: policyOf(affordable),
        isLowered: true,
      };
}

/** What the chat has set of its models' options. */
export const optionsOf = ({
  temperature,
  maxOutputTokens,
  repeatPenalty,
}: ChatSettings): ModelOptions => ({
  ...(temperature === undefined ? {} : { temperature }),
  ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  ...(repeatPenalty === undefined ? {} : { repeatPenalty }),
});

/** Chat tiers that a step down from the effective one leads to, nearest first. */
export const tiersBelow = (context: TurnContext): readonly ChatTierName[] =>
  stepsDown(effective(context).tier, routingInput(context, 0));

function routingInput({ deps, session }: TurnContext, spentShare: number): RoutingInput {
  const { state, settings } = session;
  const images = state.traits?.images === true || imagesOf(session).size > 0;
  return {
    preference: state.preference,
    chat: settings,
    persona: personaModels(
      { persona: session.narrowing?.persona, by: state.persona?.by, role: state.role },
      deps.models.keys,
    ),
    base: "balanced",
    aliases: deps.models.aliases,
    request: { ...state.traits, ...(images ? { images } : {}) },
    ...(images ? { visionTiers: visionTiers(deps) } : {}),
    turn: {
      round: state.round,
      failedInRow: failedInRow(state),
      detections: state.loop?.detections ?? 0,
      spentShare,
    },
  };
}

/** May be incomplete: a server reports what its model can do at the first request. */
const visionTiers = ({ models }: LoopDeps): ReadonlySet<ChatTierName> =>
  new Set(chatTierNames.filter((tier) => models.chain(tier).cards.some(({ vision }) => vision)));

function failedInRow({ loop }: TurnState): number {
  const recent = loop?.recent ?? [];
  return recent.length - 1 - recent.findLastIndex(({ failed }) => !failed);
}

/** How much of the turn's own budget is used up, 0 to 1 and beyond. */
function spentShare(
  { counters }: TurnState,
  { maxTokens = Infinity, maxCostUsd = Infinity }: TurnPolicy,
): number {
  const tokens = counters.inputTokens + counters.outputTokens;
  return Math.max(tokens / maxTokens, counters.costUsd / maxCostUsd);
}
