import type { EnvironmentSettings } from "./environment.ts";
import { parseModelKey } from "./file-models.ts";
import type { FileSettings } from "./file.ts";
import { keyedUrls, type ProviderSettings } from "./providers.ts";
import { mask, show, type Problem } from "./problems.ts";

/** Models in the file with an undefined provider. */
export function unknownProviders(
  file: FileSettings,
  providers: Record<string, ProviderSettings>,
): Problem[] {
  const known = Object.keys(providers).join(", ");
  const named = [
    ...Object.entries(file.tiers ?? {}).flatMap(([tier, given]) =>
      (given?.models ?? []).map((reference, index) => ({
        where: `tiers.${tier}.models[${index}]`,
        reference,
      })),
    ),
    ...Object.keys(file.models).map((key) => ({
      where: `models.${key}`,
      reference: parseModelKey(key),
    })),
  ];
  return named.flatMap(({ where, reference }) =>
    reference !== undefined && !Object.hasOwn(providers, reference.provider)
      ? [
          {
            where,
            value: show(`${reference.provider}/${reference.model}`),
            expected: `expected a model of a known provider (${known}), not of ${mask(reference.provider)}`,
          },
        ]
      : [],
  );
}

/** Bots never speak to a model, so theirs need not be whole. */
export function unfinishedEnvironment(
  environment: EnvironmentSettings,
  file: FileSettings,
): Problem[] {
  const namesModels = Object.values(file.tiers ?? {}).some((tier) => tier?.models !== undefined);
  if (namesModels || environment.PARLEY_ROLE === "bots") return [];
  const { OPENAI_API_KEY: key, OPENAI_BASE_URL: baseUrl } = environment;
  const model = environment.OPENAI_MODEL;
  if (model === undefined && key !== undefined)
    return [
      {
        where: "OPENAI_MODEL",
        value: "unset",
        expected:
          "expected a model's name, such as gpt-5-mini, because OPENAI_API_KEY is set (or write tiers in parley.yaml)",
      },
    ];
  const isWhole = key ?? baseUrl ?? file.providers["openai"];
  return model === undefined || isWhole !== undefined
    ? []
    : [
        {
          where: "OPENAI_MODEL",
          value: `"${model}"`,
          expected:
            "expected OPENAI_API_KEY, or OPENAI_BASE_URL for a server without keys, next to it",
        },
      ];
}

/** A tier that uses a vendor whose required key is missing. */
export function missingKeys(
  environment: EnvironmentSettings,
  file: FileSettings,
  providers: Record<string, ProviderSettings>,
): Problem[] {
  if (environment.PARLEY_ROLE === "bots") return [];
  const used = new Map<string, string>();
  for (const [tier, given] of Object.entries(file.tiers ?? {}))
    for (const { provider } of given?.models ?? [])
      if (!used.has(provider)) used.set(provider, tier);
  return [...used].flatMap(([name, tier]) => {
    const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
    if (provider?.type !== "openai" || provider.apiKey !== undefined) return [];
    if (!keyedUrls.has(provider.baseUrl)) return [];
    const isInFile = Object.hasOwn(file.providers, name);
    return [
      {
        where: isInFile ? `providers.${name}.apiKey` : "OPENAI_API_KEY",
        value: "absent",
        expected: `expected a key, because tiers.${tier} uses ${name} at ${provider.baseUrl}`,
      },
    ];
  });
}
