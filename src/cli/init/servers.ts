import { presets, type PresetName } from "../../config/file-models.ts";
import type { FileChange } from "../../config/edit-file.ts";
import { listModels, type ListedServer } from "../../models/list-models.ts";

/** A server of models, and how `parley.yaml` and `.env` name it. */
export interface ModelServer {
  /** The provider's name in `parley.yaml`. */
  readonly name: string;
  readonly label: string;
  readonly address: string;
  readonly type: "openai" | "ollama";
  readonly preset?: PresetName;
  /** The variable of its key, for servers that may need one. */
  readonly keyName?: string;
}

export const openaiAddress = "https://api.openai.com/v1";
export const ollamaAddress = "http://127.0.0.1:11434";

export const ollamaAt = (address: string): ModelServer => ({
  name: "ollama",
  label: "Ollama",
  address,
  type: "ollama",
});

const labels: Partial<Record<string, string>> = {
  lmstudio: "LM Studio",
  llamacpp: "llama.cpp",
  vllm: "vLLM",
  openrouter: "OpenRouter",
  deepseek: "DeepSeek",
  moonshot: "Moonshot",
};

/** The server with OpenAI's API at an address; the ones Parley knows keep their own names. */
export function compatibleAt(given: string): ModelServer {
  const address = given.replace(/\/+$/, "");
  const preset = Object.entries(presets).find(([, usual]) => usual === address)?.[0];
  const name = preset ?? "openai";
  const official = address === openaiAddress ? "OpenAI" : new URL(address).host;
  return {
    name,
    label: preset === undefined ? official : (labels[preset] ?? preset),
    address,
    type: "openai",
    ...(preset === undefined ? {} : { preset: preset as PresetName }),
    keyName: `${name.toUpperCase()}_API_KEY`,
  };
}

/** The provider's server when no address is set. */
export function serverNamed(name: string, ollamaHost: string): ModelServer | undefined {
  if (name === "ollama") return ollamaAt(ollamaHost);
  if (name === "openai") return compatibleAt(openaiAddress);
  return Object.hasOwn(presets, name) ? compatibleAt(presets[name as PresetName]) : undefined;
}

export const isLocalServer = ({ type, preset }: ModelServer): boolean =>
  type === "ollama" || ["lmstudio", "llamacpp", "vllm"].includes(preset ?? "");

/** What makes this model the one that answers. */
export function modelChanges(
  { name, type, preset, address, keyName }: ModelServer,
  { model, hasKey }: { readonly model: string; readonly hasKey: boolean },
): readonly FileChange[] {
  const usual = preset === undefined ? undefined : presets[preset];
  const place = type === "ollama" ? "host" : "baseUrl";
  const entry = {
    type,
    ...(preset === undefined ? {} : { preset }),
    ...(address === usual ? {} : { [place]: address }),
    ...(hasKey && keyName !== undefined ? { apiKey: `\${${keyName}}` } : {}),
  };
  const isUsual = type === "ollama" && address === ollamaAddress;
  return [
    ...(isUsual ? [] : Object.entries(entry)).map(([key, value]): FileChange => ({
      path: ["providers", name, key],
      value,
      comment: "Where models run. Keys are in .env.",
    })),
    {
      path: ["tiers", "balanced", "models"],
      value: [`${name}/${model}`],
      comment: "The model that answers. Add more: each is asked when those before it fail.",
    },
  ];
}

/** Makes the demo answer in place of a model that is named. */
export const demoChange: FileChange = {
  path: ["tiers", "balanced", "models"],
  value: ["demo/demo"],
};

/** Whether its key is that of an account, so that no other server is sent it. */
export const hasAccount = (server: ModelServer): boolean =>
  server.address === openaiAddress || (server.preset !== undefined && !isLocalServer(server));

export const listedAt = (server: ModelServer, apiKey?: string): ListedServer =>
  server.type === "ollama"
    ? { type: "ollama", host: server.address }
    : { type: "openai", baseUrl: server.address, apiKey };

/** Names of models that can't hold a conversation. */
const noChat =
  /embed|whisper|tts|dall-e|moderation|realtime|transcribe|image|rerank|^bge|davinci|babbage/i;

export const chatModels = (models: readonly string[]): readonly string[] =>
  models.filter((model) => !noChat.test(model));

export interface FoundServer extends ModelServer {
  readonly models: readonly string[];
}

/** Milliseconds that a server on this machine may take to list its models. */
const probeMs = 2_000;

/** The servers that answer, in this order. */
export async function findServers(
  servers: readonly ModelServer[],
  signal: AbortSignal,
): Promise<readonly FoundServer[]> {
  const asked = servers.map(async (server) => {
    const within = AbortSignal.any([signal, AbortSignal.timeout(probeMs)]);
    const answer = await listModels(listedAt(server), within);
    return "models" in answer ? [{ ...server, models: chatModels(answer.models) }] : [];
  });
  return (await Promise.all(asked)).flat();
}
