import { unreachable } from "../core/errors.ts";
import type { EnvironmentSettings } from "./environment.ts";
import { presets, type PresetName } from "./file-models.ts";
import type { FileSettings } from "./file.ts";

export type ProviderSettings =
  | {
      readonly type: "openai";
      readonly baseUrl: string;
      readonly apiKey: string | undefined;
      readonly api: "chat" | "responses";
      /** Which server it is; absent when the operator does not say so. */
      readonly preset?: PresetName;
    }
  | { readonly type: "ollama"; readonly host: string }
  | { readonly type: "demo" };

const openaiUrl = "https://api.openai.com/v1";

/** Vendors that require a key. */
export const keyedUrls: ReadonlySet<string> = new Set([
  openaiUrl,
  presets.openrouter,
  presets.anthropic,
  presets.google,
  presets.deepseek,
  presets.moonshot,
]);

/** The file's providers, and those of the environment that the file doesn't name. */
export function joinProviders(
  environment: EnvironmentSettings,
  file: FileSettings,
): Record<string, ProviderSettings> {
  return {
    openai: {
      type: "openai",
      baseUrl: environment.OPENAI_BASE_URL ?? openaiUrl,
      apiKey: environment.OPENAI_API_KEY,
      api: "chat",
    },
    ollama: { type: "ollama", host: environment.OLLAMA_HOST },
    demo: { type: "demo" },
    ...Object.fromEntries(
      Object.entries(file.providers).map(([name, given]) => [name, providerOf(given, environment)]),
    ),
  };
}

function providerOf(
  given: FileSettings["providers"][string],
  environment: EnvironmentSettings,
): ProviderSettings {
  switch (given.type) {
    case "openai": {
      const { preset, apiKey, api } = given;
      const usual = preset === undefined ? openaiUrl : presets[preset];
      return {
        type: "openai",
        baseUrl: given.baseUrl ?? usual,
        apiKey,
        api,
        ...(preset === undefined ? {} : { preset }),
      };
    }
    case "ollama":
      return { type: "ollama", host: given.host ?? environment.OLLAMA_HOST };
    case "demo":
      return { type: "demo" };
    default:
      return unreachable(given);
  }
}
