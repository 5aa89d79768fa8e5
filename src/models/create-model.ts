import { PermanentError } from "../core/errors.ts";
import type { Model, ModelOptions, TierName } from "../core/model.ts";
import { sleep, type Sleep } from "../util/sleep.ts";
import type { CardFields } from "./card-source.ts";
import { createDemoModel } from "./demo/model.ts";
import { assertHttpAddress, endpoint, isLocal } from "./endpoint.ts";
import type { Schedule } from "./limits.ts";
import { cloudLimits, localLimits, withTimeLimits } from "./limits.ts";
import { splitModelKey } from "./model-key.ts";
import { createOllamaModel } from "./ollama/model.ts";
import { officialBaseUrl } from "./openai/client.ts";
import type { OpenAiModelSettings } from "./openai/model.ts";
import { createOpenAiModel } from "./openai/model.ts";

type ProviderDescription =
  | ({ readonly type: "openai" } & OpenAiModelSettings)
  | { readonly type: "ollama"; readonly host: string }
  | { readonly type: "demo" };

/** The operator's settings for a model; they override defaults and the server's report. */
interface ModelOverrides {
  readonly card?: CardFields;
  /** Weaker than a tier's. */
  readonly options?: ModelOptions;
}

export interface TierDescription {
  /** In the order in which they are tried. */
  readonly models: readonly {
    readonly provider: string;
    /** The vendor's own name; it may hold slashes. */
    readonly model: string;
  }[];
  readonly options?: ModelOptions;
  /** The tier's overrides of turns' limits: unused by models, but they distinguish tiers. */
  readonly turn?: object;
}

/** Plain data; the shape of `Settings.models`. */
export interface ModelsDescription {
  readonly providers: Readonly<Record<string, ProviderDescription>>;
  readonly tiers: Readonly<Partial<Record<TierName, TierDescription>>>;
  /** By `provider/model`. */
  readonly overrides?: Readonly<Record<string, ModelOverrides>>;
}

export interface ModelDeps {
  readonly fetch?: typeof fetch;
  readonly sleep?: Sleep;
  readonly schedule?: Schedule;
}

/**
 * The model with this key, under the time limits that its server's place calls for.
 *
 * @throws PermanentError when its provider is not described, or the address cannot be read.
 */
export function createModel(
  id: string,
  { providers, overrides }: ModelsDescription,
  deps: ModelDeps,
): Model {
  const { provider: name } = splitModelKey(id);
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
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
      return limited(createOllamaModel({ settings: provider, id, card: said, ...fetcher }), true);
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
