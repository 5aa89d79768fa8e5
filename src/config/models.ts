import type { ModelCard, ModelOptions } from "../core/model.ts";
import type { EnvironmentSettings } from "./environment.ts";
import type { FileSettings } from "./file.ts";
import {
  tierNames,
  type ModelReference,
  type TierName,
} from "./file-models.ts";
import {
  missingKeys,
  unfinishedEnvironment,
  unknownProviders,
} from "./model-problems.ts";
import type { Problem } from "./problems.ts";
import { joinProviders, type ProviderSettings } from "./providers.ts";

export type TierSettings = {
  /** In the order in which they are tried; never empty. */
  readonly models: readonly ModelReference[];
  readonly options: ModelOptions;
};

/** What the operator says about one model; it beats what the server says. */
export type ModelOverrides = {
  readonly card: Partial<Omit<ModelCard, "id">>;
  readonly options: ModelOptions;
};

export type ModelSettings = {
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  /** By `provider/model`. */
  readonly overrides: Readonly<Record<string, ModelOverrides>>;
  readonly tiers: Readonly<Record<TierName, TierSettings>>;
};

/** Joins the environment's providers with the file's and settles which models each tier tries. */
export function joinModels(
  environment: EnvironmentSettings,
  file: FileSettings,
): { readonly settings: ModelSettings; readonly problems: readonly Problem[] } {
  const providers = joinProviders(environment, file);
  const tiers = joinTiers(environment, file);
  const settings = {
    providers,
    overrides: Object.fromEntries(
      Object.entries(file.models).map(([key, given]) => [
        key,
        overridesOf(given),
      ]),
    ),
    tiers,
  };
  const problems = [
    ...unknownProviders(file, providers),
    ...unfinishedEnvironment(environment, file),
    ...missingKeys(environment, file, providers),
  ];
  return { settings, problems };
}

function joinTiers(
  environment: EnvironmentSettings,
  { tiers = {} }: FileSettings,
): Record<TierName, TierSettings> {
  const first = tierNames.find((name) => tiers[name] !== undefined);
  const fallback =
    (tiers.balanced ?? (first && tiers[first]))?.models ??
    defaultChain(environment);
  const settled = tierNames.map((name): [TierName, TierSettings] => {
    const { models = fallback, ...options } = tiers[name] ?? {};
    return [name, { models, options: optionsOf(options) }];
  });
  return Object.fromEntries(settled) as Record<TierName, TierSettings>;
}

function defaultChain(
  environment: EnvironmentSettings,
): readonly ModelReference[] {
  const chain: ModelReference[] = [];
  const { OPENAI_MODEL: openai, OLLAMA_MODEL: ollama } = environment;
  if (openai !== undefined) chain.push({ provider: "openai", model: openai });
  if (ollama !== undefined) chain.push({ provider: "ollama", model: ollama });
  return chain.length > 0 ? chain : [{ provider: "demo", model: "demo" }];
}

type GivenTier = NonNullable<NonNullable<FileSettings["tiers"]>[TierName]>;
type GivenModel = FileSettings["models"][string];

function optionsOf({
  keepAlive,
  ...given
}: Partial<Omit<GivenTier, "models">>): ModelOptions {
  const text = keepAlive === undefined ? undefined : `${keepAlive}ms`;
  return withoutUndefined({ ...given, keepAlive: text });
}

function overridesOf(given: GivenModel): ModelOverrides {
  const { temperature, maxOutputTokens, repeatPenalty, keepAlive, ...card } =
    given;
  return {
    card: withoutUndefined(card),
    options: optionsOf({
      temperature,
      maxOutputTokens,
      repeatPenalty,
      keepAlive,
    }),
  };
}

function withoutUndefined(given: object): object {
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  );
}
