import type { EnvironmentSettings } from "./environment.ts";
import type { FileSettings } from "./file.ts";
import type { Problem } from "./problems.ts";
import { keyedUrls, type ProviderSettings } from "./providers.ts";

export type TranscriptionSettings = {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** The vendor's own name. */
  readonly model: string;
};

/** Only providers that speak OpenAI's wire have an endpoint for it. */
export function joinTranscription(
  environment: EnvironmentSettings,
  { transcription, providers: inFile }: FileSettings,
  providers: Readonly<Record<string, ProviderSettings>>,
): {
  readonly settings: TranscriptionSettings | undefined;
  readonly problems: readonly Problem[];
} {
  if (transcription === undefined) return { settings: undefined, problems: [] };
  const { provider: name, model } = transcription;
  const provider = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (provider?.type !== "openai") {
    const known = Object.entries(providers)
      .filter(([, { type }]) => type === "openai")
      .map(([key]) => key);
    const expected = `expected a provider of type openai (${known.join(", ")})`;
    const problem = {
      where: "transcription.provider",
      value: `"${name}"`,
      expected,
    };
    return { settings: undefined, problems: [problem] };
  }
  const { baseUrl, apiKey } = provider;
  const lacksKey =
    environment.PARLEY_ROLE !== "bots" && apiKey === undefined && keyedUrls.has(baseUrl);
  const problems = lacksKey
    ? [
        {
          where: Object.hasOwn(inFile, name) ? `providers.${name}.apiKey` : "OPENAI_API_KEY",
          value: "absent",
          expected: `expected a key, because transcription uses ${name} at ${baseUrl}`,
        },
      ]
    : [];
  return { settings: { baseUrl, apiKey, model }, problems };
}
