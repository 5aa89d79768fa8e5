import canonicalize from "canonicalize";
import type { ChatTierName, Model, ModelOptions, TierName } from "../core/model.ts";
import { chatTierNames } from "../core/model.ts";
import { sleep } from "../util/sleep.ts";
import { Breakers } from "./breaker.ts";
import type { ModelAttempt, ModelRetry } from "./chain-observer.ts";
import type { ModelChain } from "./chain.ts";
import { createModelChain } from "./chain.ts";
import type { ModelDeps, ModelsDescription } from "./create-model.ts";
import { createModel } from "./create-model.ts";
import { withDefaultOptions } from "./options.ts";
import type { SettledTier } from "./tiers.ts";
import { aliasesOf, settleTiers } from "./tiers.ts";

export interface ModelsDeps extends ModelDeps {
  readonly random?: () => number;
  readonly now?: () => number;
  /** Every failed attempt, whether it is repeated or not. */
  readonly onRetry?: (retry: ModelRetry) => void;
  /** Every attempt, once, at its end. */
  readonly onAttempt?: (attempt: ModelAttempt) => void;
}

/** All models of a deployment. */
export interface ModelCatalogue {
  /**
   * The chain of a tier, the same one for the same question. `first`, a `provider/model`, is asked
   * before the tier's own models, with the tier's options; one that is not known is left out.
   * `changes` override the tier's options; such a chain is made for each question.
   */
  chain(tier: TierName, first?: string, changes?: ModelOptions): ModelChain;
  /**
   * Every model that a person may choose: what the chat tiers name, from `fast` to `deep`, then
   * what else `models` names, each once. Models for summaries only and for vectors only are not
   * among them.
   */
  readonly keys: readonly string[];
  /** Whether it is one of `keys`. */
  knows(key: string): boolean;
  /**
   * The tiers between which there is a choice: of tiers with the same models, options and limits,
   * one.
   */
  readonly tiers: readonly ChatTierName[];
  /** The other tiers, and which of `tiers` each of them is. */
  readonly aliases: ReadonlyMap<ChatTierName, ChatTierName>;
}

/**
 * The models of a description. Each is built once and has one breaker for all chains.
 *
 * @throws PermanentError when no tier has models, when a model's provider is not described, or its
 * address cannot be read.
 */
export function createModels(
  description: ModelsDescription,
  deps: ModelsDeps = {},
): ModelCatalogue {
  const tiers = settleTiers(description.tiers);
  const aliases = aliasesOf(tiers);
  const keys = keysOf(tiers, description);
  const models = new Map<string, Model>();
  for (const key of [...keys, ...tiers.compaction.keys])
    if (!models.has(key)) models.set(key, createModel(key, description, deps));
  const join = joiner(models, description, deps);
  const chains = new Map<string, ModelChain>();
  /** Tiers with the same models and options share a chain. */
  const sameAs = (joined: Parameters<typeof join>[0]): ModelChain => {
    const id = canonicalize(joined) ?? "";
    const chain = chains.get(id) ?? join(joined);
    chains.set(id, chain);
    return chain;
  };
  /** By tier and first model: asked for several times in each turn. */
  const named = new Map<string, ModelChain>();
  return {
    chain(tier, wanted, changes = {}) {
      const { keys: own, options } = tiers[tier];
      const first = wanted !== undefined && keys.has(wanted) ? wanted : undefined;
      const joined = () => ({ keys: [...new Set([...(first ? [first] : []), ...own])], options });
      // Chats choose any values: what they choose isn't kept.
      if (Object.keys(changes).length > 0)
        return join({ ...joined(), options: { ...options, ...changes } });
      const name = `${tier} ${first ?? ""}`;
      const chain = named.get(name) ?? sameAs(joined());
      named.set(name, chain);
      return chain;
    },
    keys: [...keys],
    knows: (key) => keys.has(key),
    tiers: chatTierNames.filter((tier) => !aliases.has(tier)),
    aliases,
  };
}

function joiner(
  models: ReadonlyMap<string, Model>,
  { overrides }: ModelsDescription,
  deps: ModelsDeps,
): (tier: Pick<SettledTier, "keys" | "options">) => ModelChain {
  const {
    random = Math.random,
    now = () => performance.now(),
    schedule,
    onRetry,
    onAttempt,
  } = deps;
  const shared = {
    sleep: deps.sleep ?? sleep,
    random,
    now,
    breakers: new Breakers({ now }),
    ...(onRetry === undefined ? {} : { onRetry }),
    ...(onAttempt === undefined ? {} : { onAttempt }),
    ...(schedule === undefined ? {} : { schedule }),
  };
  return ({ keys, options }) => {
    const optionsOf = (key: string): ModelOptions => ({
      ...overrides?.[key]?.options,
      ...options,
    });
    return createModelChain({
      ...shared,
      options: optionsOf(keys[0] ?? ""),
      optionsFor: ({ id }) => optionsOf(id),
      models: keys.flatMap((key) => {
        const model = models.get(key);
        return model ? [withDefaultOptions(model, optionsOf(key))] : [];
      }),
    });
  };
}

function keysOf(
  tiers: Readonly<Record<TierName, SettledTier>>,
  { overrides = {} }: ModelsDescription,
): ReadonlySet<string> {
  const keys = new Set(chatTierNames.flatMap((tier) => tiers[tier].keys));
  const forSummaries = new Set(tiers.compaction.keys);
  for (const [key, { card }] of Object.entries(overrides))
    if (!forSummaries.has(key) && card?.embeddings !== true) keys.add(key);
  return keys;
}
