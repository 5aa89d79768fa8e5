import { isDeepStrictEqual } from "node:util";
import { PermanentError } from "../core/errors.ts";
import type { ChatTierName, ModelOptions, TierName } from "../core/model.ts";
import { chatTierNames, tierNames } from "../core/model.ts";
import type { TierDescription } from "./create-model.ts";

/** A tier's models and parameters. */
export interface SettledTier {
  /** `provider/model`, in the order in which they are tried; never empty. */
  readonly keys: readonly string[];
  readonly options: ModelOptions;
  /** Further differences between tiers. */
  readonly turn: object;
}
type Settled = Readonly<Record<TierName, SettledTier>>;

/** The substitutes for a tier without models, in order. */
const substitutes: readonly TierName[] = ["balanced", ...tierNames];
/** A summary needs no more. */
const substitutesForSummaries: readonly TierName[] = ["fast", ...substitutes];

/**
 * Every tier's models and options, its own or its substitute's. Pure.
 *
 * @throws PermanentError when no tier has models.
 */
export function settleTiers(
  described: Readonly<Partial<Record<TierName, TierDescription>>>,
): Settled {
  const settled = tierNames.map((tier): [TierName, SettledTier] => {
    const others = tier === "compaction" ? substitutesForSummaries : substitutes;
    const found = [tier, ...others]
      .map((each) => described[each])
      .find((each) => each !== undefined && each.models.length > 0);
    if (!found) throw new PermanentError("No tier has a model");
    const { models, options = {}, turn = {} } = found;
    const keys = models.map(({ provider, model }) => `${provider}/${model}`);
    return [tier, { keys: [...new Set(keys)], options, turn }];
  });
  return Object.fromEntries(settled) as Record<TierName, SettledTier>;
}

/**
 * Of equal tiers the first of these keeps its name: the usual one, then those that steps up and
 * down lead to.
 */
const eldest: readonly ChatTierName[] = ["balanced", "fast", "smart", "deep", "coding"];

/** Tiers that have the same models, options and limits as an elder one, and that one. Pure. */
export function aliasesOf(tiers: Settled): ReadonlyMap<ChatTierName, ChatTierName> {
  return new Map(
    chatTierNames.flatMap((tier) => {
      const elder = eldest.find((each) => isDeepStrictEqual(tiers[each], tiers[tier]));
      return elder === undefined || elder === tier ? [] : [[tier, elder]];
    }),
  );
}
