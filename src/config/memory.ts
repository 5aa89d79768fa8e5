import type { ModelReference } from "./file-models.ts";
import type { FileSettings } from "./file.ts";
import { mask, type Problem } from "./problems.ts";
import { keyedUrls, type ProviderSettings } from "./providers.ts";

type EmbeddingSettings = ModelReference & {
  readonly endpoint: Exclude<ProviderSettings, { readonly type: "demo" }>;
};

export type MemorySettings = {
  /**
   * `auto`: fitting passages also travel with each request in direct chats; `tool`: only the tool
   * and the command; `off`: nothing is indexed.
   */
  readonly recall: "auto" | "tool" | "off";
  /** Undefined: keywords alone. */
  readonly embeddings: EmbeddingSettings | undefined;
  readonly facts: "ask" | "off";
  readonly summaries: boolean;
};

/** The model of `memory.embeddings` must have an endpoint that makes embeddings, and a key there. */
export function joinMemory(
  { memory, providers: inFile }: FileSettings,
  providers: Readonly<Record<string, ProviderSettings>>,
): { readonly settings: MemorySettings; readonly problems: readonly Problem[] } {
  const { embeddings: reference, ...others } = memory;
  const without = { ...others, embeddings: undefined };
  if (reference === undefined) return { settings: without, problems: [] };
  const { provider: name } = reference;
  const endpoint = Object.hasOwn(providers, name) ? providers[name] : undefined;
  if (endpoint === undefined || endpoint.type === "demo") {
    const known = Object.entries(providers).flatMap(([key, { type }]) =>
      type === "demo" ? [] : [key],
    );
    const problem = {
      where: "memory.embeddings",
      value: `"${name}/${reference.model}"`,
      expected: `expected a model of a provider of type openai or ollama (${known.join(", ")}), not of ${mask(name)}`,
    };
    return { settings: without, problems: [problem] };
  }
  // Every role needs it: workers answer, bots serve /recall, and whichever sweeps indexes.
  const lacksKey =
    endpoint.type === "openai" && endpoint.apiKey === undefined && keyedUrls.has(endpoint.baseUrl);
  const problems = lacksKey
    ? [
        {
          where: Object.hasOwn(inFile, name) ? `providers.${name}.apiKey` : "OPENAI_API_KEY",
          value: "absent",
          expected: `expected a key, because memory.embeddings uses ${name} at ${endpoint.baseUrl}`,
        },
      ]
    : [];
  return { settings: { ...others, embeddings: { ...reference, endpoint } }, problems };
}
