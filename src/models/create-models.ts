import { PermanentError } from "../core/errors.ts";
import type { Model, ModelOptions } from "../core/model.ts";
import { Breakers } from "./breaker.ts";
import type { CardFields } from "./card-source.ts";
import type { ModelChain, ModelRetry } from "./chain.ts";
import { createModelChain } from "./chain.ts";
import { createDemoModel } from "./demo/model.ts";
import { assertHttpAddress, endpoint, isLocal } from "./endpoint.ts";
import type { Schedule } from "./limits.ts";
import { cloudLimits, localLimits, withTimeLimits } from "./limits.ts";
import { splitModelKey } from "./model-key.ts";
import { createOllamaModel } from "./ollama/model.ts";
import { officialBaseUrl } from "./openai/client.ts";
import type { OpenAiModelSettings } from "./openai/model.ts";
import { createOpenAiModel } from "./openai/model.ts";
import { withDefaultOptions } from "./options.ts";
import type { Sleep } from "./sleep.ts";
import { sleep } from "./sleep.ts";

type ProviderDescription =
  | ({ readonly type: "openai" } & OpenAiModelSettings)
  | { readonly type: "ollama"; readonly host: string }
  | { readonly type: "demo" };

/** What the operator says of a model; it wins over defaults and over what the server says. */
interface ModelOverrides {
  readonly card?: CardFields;
  /** Weaker than a tier's. */
  readonly options?: ModelOptions;
}

interface TierDescription {
  /** In the order in which they are tried. */
  readonly models: readonly {
    readonly provider: string;
    /** The vendor's own name; it may hold slashes. */
    readonly model: string;
  }[];
  readonly options?: ModelOptions;
}

/** Plain data; the shape of `Settings.models`. */
export interface ModelsDescription {
  readonly providers: Readonly<Record<string, ProviderDescription>>;
  readonly tiers: Readonly<Record<string, TierDescription>>;
  /** By `provider/model`. */
  readonly overrides?: Readonly<Record<string, ModelOverrides>>;
}

export interface ModelsDeps {
  readonly fetch?: typeof fetch;
  readonly sleep?: Sleep;
  readonly schedule?: Schedule;
  readonly random?: () => number;
  readonly now?: () => number;
  /** Every failed attempt, whether it is repeated or not. */
  readonly onRetry?: (retry: ModelRetry) => void;
}

/** Which tier stands in for one that has no models, first come, first served. */
const substitutes = ["balanced", "smart", "fast", "coding", "deep"];

/**
 * A chain of models for every tier. Models that several tiers name are built once and share their breaker.
 *
 * @throws PermanentError when a tier names a model whose provider is not described, or an address cannot be read; the
 * result throws it for a tier when no tier has models.
 */
export function createModels(
  description: ModelsDescription,
  deps: ModelsDeps = {},
): (tier: string) => ModelChain {
  const models = new Map<string, Model>();
  const modelFor = (key: string): Model => {
    const model = models.get(key) ?? createModel(key, description, deps);
    models.set(key, model);
    return model;
  };
  const shared = {
    sleep: deps.sleep ?? sleep,
    random: deps.random ?? Math.random,
    breakers: new Breakers({ now: deps.now ?? Date.now }),
    ...(deps.onRetry === undefined ? {} : { onRetry: deps.onRetry }),
    ...(deps.schedule === undefined ? {} : { schedule: deps.schedule }),
    ...(deps.now === undefined ? {} : { now: deps.now }),
  };
  const chains = new Map<string, ModelChain>();
  for (const [tier, { models: named, options }] of Object.entries(
    description.tiers,
  )) {
    if (named.length === 0) continue;
    const tierModels = named.map(({ provider, model }) => {
      const key = `${provider}/${model}`;
      const own = description.overrides?.[key]?.options;
      return withDefaultOptions(modelFor(key), { ...own, ...options });
    });
    chains.set(tier, createModelChain({ ...shared, models: tierModels }));
  }
  return (tier) => {
    const name = [tier, ...substitutes].find((each) => chains.has(each));
    const chain = name === undefined ? undefined : chains.get(name);
    if (!chain) throw new PermanentError(`No model for the tier "${tier}"`);
    return chain;
  };
}

function createModel(
  id: string,
  { providers, overrides }: ModelsDescription,
  deps: ModelsDeps,
): Model {
  const { provider: name } = splitModelKey(id);
  const provider = providers[name];
  if (!provider)
    throw new PermanentError(
      `The model "${id}" names the provider "${name}", which is not configured (there are: ${Object.keys(providers).join(", ") || "none"})`,
    );
  const said = overrides?.[id]?.card ?? {};
  const fetcher = deps.fetch === undefined ? {} : { fetch: deps.fetch };
  const limited = (model: Model, local: boolean): Model =>
    withTimeLimits(
      model,
      local ? localLimits : cloudLimits,
      deps.schedule === undefined ? {} : { schedule: deps.schedule },
    );
  switch (provider.type) {
    case "demo":
      return createDemoModel({ id, sleep: deps.sleep ?? sleep });
    case "ollama":
      return limited(
        createOllamaModel({ settings: provider, id, card: said, ...fetcher }),
        true,
      );
    case "openai": {
      const { url } = endpoint(provider.baseUrl ?? officialBaseUrl);
      assertHttpAddress(url, name);
      return limited(
        createOpenAiModel({ settings: provider, id, card: said, ...fetcher }),
        isLocal(url),
      );
    }
    default:
      return provider satisfies never;
  }
}
