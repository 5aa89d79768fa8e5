import type { Model, ModelCard, ModelFailure } from "../core/model.ts";
import { createModel, type ModelsDescription } from "./create-model.ts";
import { modelName, splitModelKey } from "./model-key.ts";
import { checkOllamaModel } from "./ollama/check.ts";
import { officialBaseUrl } from "./openai/client.ts";
import { checkOpenAiModel } from "./openai/check.ts";

/** What is known of a model after it was looked at. */
export interface CheckedModel {
  readonly card: ModelCard;
  /** Absent: it can be used. */
  readonly problem?: {
    readonly failure: ModelFailure;
    /** For an owner: one sentence about the cause, such as "Ollama doesn't have qwen3." */
    readonly what: string;
    /** For an owner: what to do, such as "ollama pull qwen3". */
    readonly fix: string;
  };
}

/**
 * Asks a model's server whether the model can be used. It costs nothing, unless the server doesn't
 * list the model: then it is asked for one word.
 * @throws PermanentError when the provider is not described.
 */
export async function checkModel(
  id: string,
  description: ModelsDescription,
  signal: AbortSignal,
): Promise<CheckedModel> {
  const model = createModel(id, description, {});
  const { provider: name } = splitModelKey(id);
  const provider = description.providers[name];
  const failure = provider && (await failureOf(id, provider, { model, signal }));
  if (provider === undefined || failure === undefined) {
    await model.learnCard?.();
    return { card: model.card };
  }
  return { card: model.card, problem: { failure, ...adviceOn(id, provider, failure) } };
}

type Provider = ModelsDescription["providers"][string];

async function failureOf(
  id: string,
  provider: Provider,
  { model, signal }: { readonly model: Model; readonly signal: AbortSignal },
): Promise<ModelFailure | undefined> {
  switch (provider.type) {
    case "demo":
      return undefined;
    case "ollama":
      return await checkOllamaModel({ host: provider.host, id }, signal);
    case "openai": {
      const found = await checkOpenAiModel({ settings: provider, id });
      return found === "unlisted" ? await askForAWord(model, signal) : found;
    }
    default:
      return provider satisfies never;
  }
}

async function askForAWord(model: Model, signal: AbortSignal): Promise<ModelFailure | undefined> {
  let failure: ModelFailure | undefined;
  await model.stream(
    {
      messages: [{ role: "user", text: "Say OK." }],
      tools: [],
      toolChoice: "none",
      options: { maxOutputTokens: 16 },
    },
    signal,
    {
      onEvent(event) {
        if (event.type === "failure") ({ failure } = event);
      },
    },
  );
  return failure;
}

/** Pure. */
function adviceOn(
  id: string,
  provider: Provider,
  { kind, message }: ModelFailure,
): { readonly what: string; readonly fix: string } {
  const model = modelName(id);
  const server =
    provider.type === "ollama"
      ? `Ollama (${hostOf(provider.host)})`
      : provider.type === "openai"
        ? `The model server ${hostOf(provider.baseUrl ?? officialBaseUrl)}`
        : "The demo";
  const words = message.slice(0, 300);
  switch (kind) {
    case "network":
    case "timeout":
      return {
        what: `${server} doesn't answer, so ${id} can't: ${words}`,
        fix:
          provider.type === "ollama"
            ? "Start it (ollama serve), or correct OLLAMA_HOST."
            : "Start it, or correct its address (OPENAI_BASE_URL, or providers in parley.yaml).",
      };
    case "auth":
      return {
        what: `${server} refuses the key for ${id}: ${words}`,
        fix: "Correct OPENAI_API_KEY (or apiKey of the provider in parley.yaml), or top up the account.",
      };
    case "invalid-request":
      return provider.type === "ollama" && /does not have/.test(message)
        ? { what: `Ollama doesn't have ${model}.`, fix: `Run: ollama pull ${model}` }
        : {
            what: `${server} doesn't serve ${model}: ${words}`,
            fix: "Correct OPENAI_MODEL (or tiers in parley.yaml) to a model that it has.",
          };
    case "rate-limited":
    case "overloaded":
      return {
        what: `${server} is busy or has used up its quota, so ${id} doesn't answer: ${words}`,
        fix: "Try again later, or name a second model in tiers of parley.yaml.",
      };
    case "context-overflow":
    case "refused":
      return { what: `${server} refused a first request to ${id}: ${words}`, fix: "See its log." };
    default:
      return kind satisfies never;
  }
}

/** Without a user, a password or a query. */
const hostOf = (address: string): string => {
  const url = URL.parse(address.includes("://") ? address : `http://${address}`);
  return url === null ? "the configured address" : url.host;
};
