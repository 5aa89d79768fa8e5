import { httpUrl } from "../../config/leaves.ts";
import { PermanentError } from "../../core/errors.ts";
import { listModels } from "../../models/list-models.ts";
import { problemOf } from "./check-model.ts";
import type { Choice, Dialog } from "./dialog.ts";
import type { InitFlags } from "./options.ts";
import * as servers from "./servers.ts";
import type { FoundServer, ModelServer } from "./servers.ts";

export interface ModelChoice {
  readonly server: ModelServer;
  readonly model: string;
  /** Undefined: none is needed, or the one in `.env` stays. */
  readonly apiKey: string | undefined;
}

export interface ChooseModelDeps {
  readonly dialog: Dialog;
  readonly found: readonly FoundServer[];
  /** The `provider/model` that is set already. */
  readonly current: string | undefined;
  readonly ollamaHost: string;
  /** The value of a variable in the environment or `.env`. */
  readonly valueOf: (name: string) => string | undefined;
  readonly readSecret: (flag: "openai-key-file", file: string) => string;
  readonly signal: AbortSignal;
}

/** `keep`: the settings name a model already; `demo`: none is wanted. */
export type ChosenModel = ModelChoice | "keep" | "demo";

/** The model that the flags name; undefined: they name none. @throws PermanentError */
export async function modelFromFlags(
  flags: InitFlags,
  deps: ChooseModelDeps,
): Promise<ChosenModel | undefined> {
  const { model, "openai-key-file": keyFile } = flags;
  if (model === "demo" || model === "demo/demo") return "demo";
  const server = serverFromFlags(flags, deps);
  if (server === undefined) return undefined;
  const set = servers.hasAccount(server) ? deps.valueOf(server.keyName ?? "") : undefined;
  const apiKey = keyFile === undefined ? set : deps.readSecret("openai-key-file", keyFile);
  const prefix = `${server.name}/`;
  const named = model?.startsWith(prefix) === true ? model.slice(prefix.length) : model;
  return named === undefined
    ? await pickModel(server, apiKey, deps)
    : { server, model: named, apiKey };
}

function serverFromFlags(flags: InitFlags, deps: ChooseModelDeps): ModelServer | undefined {
  const { model } = flags;
  const baseUrl = flags["openai-base-url"];
  if (baseUrl !== undefined) return servers.compatibleAt(urlOf("--openai-base-url", baseUrl));
  const [provider = ""] = model?.split("/") ?? [];
  const named = servers.serverNamed(provider, deps.ollamaHost);
  if (model?.includes("/") && named !== undefined) return named;
  if (flags["openai-key-file"] !== undefined) return servers.compatibleAt(servers.openaiAddress);
  if (flags["ollama-host"] !== undefined) return servers.ollamaAt(deps.ollamaHost);
  if (model === undefined) return undefined;
  const owner = deps.found.find(({ models }) => models.includes(model));
  if (owner === undefined)
    throw new PermanentError(
      "--model: expected provider/model, such as ollama/qwen3 or openai/gpt-5-mini",
    );
  return owner;
}

/** Without questions: what is set already, then what runs on this machine, then the demo. */
export function usualModel({ current, found }: ChooseModelDeps): ChosenModel {
  if (current !== undefined) return "keep";
  const server = found.find(({ models }) => models.length > 0);
  const [model] = server?.models ?? [];
  return server === undefined || model === undefined
    ? "demo"
    : { server, model, apiKey: undefined };
}

export async function askForModel(deps: ChooseModelDeps): Promise<ChosenModel> {
  const { dialog, found, current } = deps;
  const hasOllama = found.some(({ type }) => type === "ollama");
  const answer = await dialog.choose("Which model should answer?", [
    ...(current === undefined ? [] : [{ value: "keep", label: `Keep ${current}` }]),
    ...found.map((server) => ({
      value: server.name,
      label: server.label,
      hint: `runs here, ${countOf(server.models.length)}`,
    })),
    { value: "openai", label: "OpenAI", hint: "needs an API key" },
    { value: "other", label: "Another server with OpenAI's API", hint: "OpenRouter, vLLM, …" },
    ...(hasOllama ? [] : [{ value: "host", label: "Ollama on another machine" }]),
    { value: "demo", label: "None yet", hint: "try Parley with its built-in demo" },
  ]);
  if (answer === "keep" || answer === "demo") return answer;
  const server = found.find(({ name }) => name === answer) ?? (await askForServer(answer, dialog));
  return await pickModel(server, await askForKey(server, deps), deps);
}

const countOf = (count: number): string => (count === 1 ? "1 model" : `${count} models`);

async function askForServer(answer: string, dialog: Dialog): Promise<ModelServer> {
  if (answer === "openai") return servers.compatibleAt(servers.openaiAddress);
  const example = answer === "host" ? "http://192.168.1.5:11434" : "https://openrouter.ai/api/v1";
  const address = await dialog.write("Its address?", {
    example,
    problem: (value) =>
      httpUrl.safeParse(value).success ? undefined : `Type an address such as ${example}`,
  });
  return answer === "host"
    ? servers.ollamaAt(address.replace(/\/+$/, ""))
    : servers.compatibleAt(address);
}

async function askForKey(server: ModelServer, deps: ChooseModelDeps): Promise<string | undefined> {
  const { keyName, label } = server;
  if (keyName === undefined || servers.isLocalServer(server)) return undefined;
  const { dialog } = deps;
  const isCustom = server.name === "openai" && server.address !== servers.openaiAddress;
  const isSet = deps.valueOf(keyName) !== undefined;
  const choices: Choice<"keep" | "new" | "none">[] = [
    ...(isSet ? [{ value: "keep" as const, label: `Keep the one in ${keyName}` }] : []),
    { value: "new", label: "Type a key" },
    ...(isCustom ? [{ value: "none" as const, label: "It needs no key" }] : []),
  ];
  const [only] = choices;
  const answer =
    choices.length === 1 ? only?.value : await dialog.choose(`The key for ${label}?`, choices);
  if (answer === "keep") return deps.valueOf(keyName);
  return answer === "none"
    ? undefined
    : await dialog.secret(`Your API key for ${label}`, (value) =>
        /\s/.test(value) ? "A key has no spaces." : undefined,
      );
}

/** Asks the server for its models and the person for one of them. */
async function pickModel(
  server: ModelServer,
  apiKey: string | undefined,
  { dialog, signal }: ChooseModelDeps,
): Promise<ModelChoice> {
  const listed = await listModels(servers.listedAt(server, apiKey), signal);
  const models = "models" in listed ? servers.chatModels(listed.models) : [];
  if ("failure" in listed)
    dialog.say("warn", problemOf(listed.failure, { server, name: server.label }));
  const [first] = models;
  if (!dialog.asks && first === undefined)
    throw new PermanentError(`--model: name one, because ${server.label} lists no models`);
  if (!dialog.asks) return { server, model: first ?? "", apiKey };
  const model =
    first === undefined
      ? await dialog.write(`Which ${server.label} model?`, {
          example: server.type === "ollama" ? "qwen3, after `ollama pull qwen3`" : "gpt-5-mini",
        })
      : await dialog.choose(
          `Which ${server.label} model?`,
          models.map((value) => ({ value, label: value })),
        );
  return { server, model, apiKey };
}

/** @throws PermanentError that names the option. */
function urlOf(option: string, value: string): string {
  const parsed = httpUrl.safeParse(value);
  if (!parsed.success)
    throw new PermanentError(`${option}: expected an address such as http://127.0.0.1:1234/v1`);
  return parsed.data;
}
