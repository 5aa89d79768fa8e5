import { PermanentError } from "../core/errors.ts";
import type { Model, ModelCard, ModelFailure, ModelProblem } from "../core/model.ts";
import { createModel, type ModelsDescription } from "./create-model.ts";
import { modelName, splitModelKey } from "./model-key.ts";
import { checkOllamaModel } from "./ollama/check.ts";
import { officialBaseUrl } from "./openai/client.ts";
import { checkOpenAiModel } from "./openai/check.ts";

/** What is known of a model after it was looked at. */
export interface CheckedModel {
  readonly card: ModelCard;
  /** Absent: it can be used. */
  readonly problem?: ModelProblem;
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
  return { card: model.card, problem: problemOf(id, description, failure) };
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

/** Why a model fails, as doctor explains it. Pure. @throws PermanentError for a model without a provider. */
export function problemOf(
  id: string,
  { providers }: Pick<ModelsDescription, "providers">,
  failure: ModelFailure,
): ModelProblem {
  const provider = providers[splitModelKey(id).provider];
  if (provider === undefined) throw new PermanentError(`${id} has no provider`);
  const isOllama = provider.type === "ollama";
  return {
    id,
    model: modelName(id),
    server: { type: provider.type, host: hostOf(addressOf(provider)) },
    isMissing: isOllama && failure.kind === "unknown-model",
    failure,
  };
}

function addressOf(provider: Provider): string {
  switch (provider.type) {
    case "demo":
      return "";
    case "ollama":
      return provider.host;
    case "openai":
      return provider.baseUrl ?? officialBaseUrl;
    default:
      return provider satisfies never;
  }
}

/** Without a user, a password or a query. */
const hostOf = (address: string): string | undefined =>
  URL.parse(address.includes("://") ? address : `http://${address}`)?.host;
