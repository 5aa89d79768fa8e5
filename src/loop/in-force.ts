import type { ModelChain } from "../models/chain.ts";
import { chatTierNames, type ChatTierName } from "../core/model.ts";
import type { TurnPolicy, TurnState } from "../core/turn.ts";
import type { LoopDeps } from "./deps.ts";
import { imagesOf } from "./read-attachments.ts";
import { routeTier } from "./routing.ts";
import { policyFor } from "./turn-policy.ts";
import type { TurnSession } from "./turn-session.ts";

/** What holds for the next step of a turn. */
export interface InForce {
  readonly tier: ChatTierName;
  /** Why this tier, for the log and the trace. */
  readonly why: string;
  readonly chain: ModelChain;
  readonly policy: TurnPolicy;
}

/** Of each session, for its newest state and pictures: asked several times a step. */
const known = new WeakMap<
  TurnSession,
  { state: TurnState; images: unknown; is: InForce }
>();

/** Follows from the turn's state, its message, the pictures in view, the chat's settings and the deployment's alone. */
export function inForce(deps: LoopDeps, session: TurnSession): InForce {
  const { state } = session;
  const found = known.get(session);
  const images = imagesOf(session);
  if (found?.state === state && found.images === images) return found.is;
  const is = settle(deps, session);
  known.set(session, { state, images, is });
  return is;
}

function settle(deps: LoopDeps, session: TurnSession): InForce {
  const { state, settings } = session;
  const images = state.traits?.images === true || imagesOf(session).size > 0;
  const routed = (spentShare: number) =>
    routeTier({
      preference: state.preference,
      chat: settings,
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
    });
  const policyOf = (tier: ChatTierName): TurnPolicy =>
    policyFor(deps.policy, deps.tierPolicies[tier], settings);
  // The budget is the one of the tier that the turn would have if money were no object.
  const wanted = routed(0);
  const { tier, model, why } = routed(spentShare(state, policyOf(wanted.tier)));
  return {
    tier,
    why,
    chain: deps.models.chain(tier, model),
    policy: policyOf(tier),
  };
}

/** As far as anybody knows: a server tells what its model can do when it is first asked. */
const visionTiers = ({ models }: LoopDeps): ReadonlySet<ChatTierName> =>
  new Set(
    chatTierNames.filter((tier) =>
      models.chain(tier).cards.some(({ vision }) => vision),
    ),
  );

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
