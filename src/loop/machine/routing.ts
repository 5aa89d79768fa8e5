import type { ChatSettings } from "../../core/chat-settings.ts";
import { choicesOf, type PersonaModels } from "../../core/choices.ts";
import type { Preference } from "../../core/history.ts";
import type { ChatTierName } from "../../core/model.ts";
import { chatTierNames } from "../../core/model.ts";
import type { RequestTraits } from "../../core/turn.ts";
import { codeIn } from "../model/looks-like-code.ts";

/**
 * What of a message matters for the choice of a tier; read once, because a compaction may sum the
 * message up while its turn still runs. Pure.
 */
export function traitsOf(message: {
  readonly text: string;
  readonly images: boolean;
}): RequestTraits {
  const code = codeIn(message.text);
  return {
    ...(code === undefined ? {} : { code }),
    ...(message.text.length > longMessage ? { long: true } : {}),
    ...(message.images ? { images: true } : {}),
  };
}

/** What the choice of a tier depends on, and nothing else. */
export interface RoutingInput {
  /** The person's. */
  readonly preference: Preference | undefined;
  readonly chat: Pick<ChatSettings, "tier" | "model">;
  /** The persona's, of what the operator offers: holds where neither person nor chat has chosen. */
  readonly persona?: PersonaModels | undefined;
  /** Used when no one chose and no rule matches. */
  readonly base: ChatTierName;
  /** Of the message that began the turn. */
  readonly request: RequestTraits;
  readonly turn: {
    readonly round: number;
    /** The newest calls that failed, one after the other. */
    readonly failedInRow: number;
    /** How often a loop was found. */
    readonly detections: number;
    /** Of the turn's nearest budget, tokens or cost: 0 to 1 and beyond. */
    readonly spentShare: number;
  };
  /** Tiers with a vision model; absent: unknown. */
  readonly visionTiers?: ReadonlySet<ChatTierName>;
  /**
   * Tiers that are another one in all but name, and that one: a step that changes nothing is none.
   */
  readonly aliases?: ReadonlyMap<ChatTierName, ChatTierName>;
}

export interface Route {
  readonly tier: ChatTierName;
  /** `provider/model`: asked before the tier's own. */
  readonly model?: string;
  /** For log and trace; holds no word of the message. */
  readonly why: string;
}

const longRound = 10;
/** UTF-16 units. */
const longMessage = 8_000;
const manyFailures = 3;
const nearlySpent = 0.8;

/**
 * The tier of the next model call, and its first model. A person's choice
 * overrides the chat's, which overrides the persona's, which overrides the rules. Each detected loop raises
 * the tier by one step. A nearly spent budget prevents any raise and, if no one
 * chose, lowers it by one step. Pure.
 */
export function routeTier(input: RoutingInput): Route {
  const { preference = {}, chat, persona } = input;
  const { tier: chosen, model } = choicesOf(preference, chat, persona);
  const start: Reasoned = chosen
    ? { tier: chosen.value, why: [`the ${chosen.by}'s tier`] }
    : byRequest(input);
  const isChoice = chosen !== undefined;
  const moved =
    input.turn.spentShare >= nearlySpent
      ? lowered(start, input, { isChoice })
      : raised(start, input, { isChoice });
  const pinned = model ? [`the ${model.by}'s model is asked first`] : [];
  return {
    tier: moved.tier,
    ...(model ? { model: model.value } : {}),
    why: [...moved.why, ...pinned].join("; "),
  };
}

interface Reasoned {
  readonly tier: ChatTierName;
  readonly why: readonly string[];
}

function byRequest(input: RoutingInput): Reasoned {
  const { base, request } = input;
  const start: Reasoned =
    request.code === undefined
      ? { tier: base, why: ["the usual tier"] }
      : { tier: "coding", why: [request.code] };
  if (sees(start.tier, input)) return start;
  const { above, below } = neighbours(start.tier, input);
  const tier = [...above, ...below, ...chatTierNames].find((each) => sees(each, input));
  return tier === undefined ? start : { tier, why: [...start.why, "images need vision"] };
}

const sees = (tier: ChatTierName, { request, visionTiers }: RoutingInput): boolean =>
  !request.images || visionTiers?.has(tier) !== false;

interface Raise {
  readonly why: string;
  readonly steps: (input: RoutingInput) => number;
  /** Whether it raises also what a person has chosen. */
  readonly always: boolean;
}

const raises: readonly Raise[] = [
  {
    why: "a long or failing turn: one step up",
    steps: ({ request, turn }) =>
      turn.round >= longRound || request.long === true || turn.failedInRow >= manyFailures ? 1 : 0,
    always: false,
  },
  {
    why: "a loop was found: up",
    steps: ({ turn }) => turn.detections,
    always: true,
  },
];

function raised(
  start: Reasoned,
  input: RoutingInput,
  { isChoice }: { readonly isChoice: boolean },
): Reasoned {
  return raises
    .filter(({ always }) => always || !isChoice)
    .reduce((from: Reasoned, { why, steps }) => {
      const count = Math.max(0, Math.floor(steps(input)));
      const rungs = [from.tier, ...neighbours(from.tier, input).above];
      return climbed(from, rungs[Math.min(count, rungs.length - 1)], why);
    }, start);
}

function lowered(
  start: Reasoned,
  input: RoutingInput,
  { isChoice }: { readonly isChoice: boolean },
): Reasoned {
  const budget = "the budget is nearly spent";
  const below = isChoice ? undefined : neighbours(start.tier, input).below[0];
  return below === undefined
    ? { ...start, why: [...start.why, `${budget}: no step up`] }
    : climbed(start, below, `${budget}: one step down`);
}

/** The tiers that steps down lead to, nearest first. Pure. */
export const stepsDown = (tier: ChatTierName, input: RoutingInput): readonly ChatTierName[] =>
  neighbours(tier, input).below;

const climbed = (from: Reasoned, tier: ChatTierName | undefined, why: string): Reasoned =>
  tier === undefined || tier === from.tier ? from : { tier, why: [...from.why, why] };

const ladder: readonly ChatTierName[] = ["fast", "balanced", "smart", "deep"];
/** `coding` is at the level of `smart`. */
const codingLadder: readonly ChatTierName[] = ["fast", "balanced", "coding", "deep"];

/**
 * The tiers that steps lead to, nearest first: those that differ, and see if there is something to
 * see.
 */
function neighbours(
  tier: ChatTierName,
  input: RoutingInput,
): {
  readonly above: readonly ChatTierName[];
  readonly below: readonly ChatTierName[];
} {
  const from = input.aliases?.get(tier) ?? tier;
  const rungs = from === "coding" ? codingLadder : ladder;
  const at = rungs.indexOf(from);
  const leadsOn = (each: ChatTierName): boolean =>
    input.aliases?.has(each) !== true && sees(each, input);
  return {
    above: rungs.slice(at + 1).filter(leadsOn),
    below: rungs.slice(0, at).toReversed().filter(leadsOn),
  };
}
