import {
  chatTierNames,
  tierNames,
  type ModelCard,
  type ModelOptions,
  type TierName,
} from "../core/model.ts";
import type { TurnPolicyChanges } from "../core/turn.ts";
import type { EnvironmentSettings } from "./environment.ts";
import type { FileSettings } from "./file.ts";
import type { ModelReference } from "./file-models.ts";
import { missingKeys, unfinishedEnvironment, unknownProviders } from "./model-problems.ts";
import type { Problem } from "./problems.ts";
import { joinProviders, type ProviderSettings } from "./providers.ts";
import { withoutUndefined } from "./without-undefined.ts";

type TierSettings = {
  /** In the order in which they are tried; never empty. */
  readonly models: readonly ModelReference[];
  readonly options: ModelOptions;
  /** `Infinity` is "no limit"; an absent key uses `turn`. Empty for `compaction`. */
  readonly turn: TurnPolicyChanges;
};

/** The operator's settings for one model; they override what the server reports. */
type ModelOverrides = {
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
      Object.entries(file.models).map(([key, given]) => [key, overridesOf(given)]),
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
  const usual = usualChain(tiers) ?? defaultChain(environment);
  const settled = tierNames.map((name): [TierName, TierSettings] => {
    if (name === "compaction") {
      const { models, ...options } = tiers.compaction ?? {};
      return [
        name,
        {
          // A summary needs no more than the fast models, and none of what answers are asked with.
          models: models ?? tiers.fast?.models ?? usual,
          options: optionsOf(options),
          turn: {},
        },
      ];
    }
    // An omitted tier equals `balanced` except in name. Options and limits of
    // one special tier don't apply to the others.
    const given = tiers[name] ?? tiers.balanced ?? {};
    const { models = usual, turn = {}, ...options } = given;
    return [name, { models, options: optionsOf(options), turn }];
  });
  return Object.fromEntries(settled) as Record<TierName, TierSettings>;
}

/** The models of every tier that lists none; undefined if no tier lists any. */
function usualChain(
  tiers: NonNullable<FileSettings["tiers"]>,
): readonly ModelReference[] | undefined {
  const named = (name: TierName) => tiers[name]?.models;
  const first = chatTierNames.find((name) => named(name) !== undefined);
  return named("balanced") ?? named(first ?? "compaction");
}

function defaultChain(environment: EnvironmentSettings): readonly ModelReference[] {
  const chain: ModelReference[] = [];
  const { OPENAI_MODEL: openai, OLLAMA_MODEL: ollama } = environment;
  if (openai !== undefined) chain.push({ provider: "openai", model: openai });
  if (ollama !== undefined) chain.push({ provider: "ollama", model: ollama });
  return chain.length > 0 ? chain : [{ provider: "demo", model: "demo" }];
}

type GivenTier = NonNullable<NonNullable<FileSettings["tiers"]>["balanced"]>;
type GivenModel = FileSettings["models"][string];

function optionsOf({
  keepAlive,
  ...given
}: Partial<Omit<GivenTier, "models" | "turn">>): ModelOptions {
  const text = keepAlive === undefined ? undefined : `${keepAlive}ms`;
  return withoutUndefined({ ...given, keepAlive: text });
}

function overridesOf(given: GivenModel): ModelOverrides {
  const { temperature, maxOutputTokens, repeatPenalty, keepAlive, ...card } = given;
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
