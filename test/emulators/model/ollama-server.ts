import type { IncomingMessage, ServerResponse } from "node:http";
import type { Dialect } from "./exchange.ts";
import { playStep } from "./exchange.ts";
import { embed, type SyntheticEmbeddings } from "./embeddings.ts";
import { frame } from "./frame.ts";
import type { Hit, Violation } from "./http-emulator.ts";
import { HttpEmulator, pathOf, readJsonObject, report, sendJson } from "./http-emulator.ts";
import { sentences } from "./message-rules.ts";
import { readModelRequest } from "./model-request.ts";
import { ollamaAnswer, ollamaFrames } from "./ollama-frames.ts";
import { ollamaRequestProblems } from "./ollama-request-rules.ts";
import type { JsonObject } from "./problem.ts";
import { ScriptedModel } from "./scripted-model.ts";
import type { HttpFailure } from "./step.ts";

type OllamaCapability = "completion" | "tools" | "thinking" | "vision" | "embedding";

export interface OllamaModel {
  /** With or without a tag; `latest` when it has none. */
  readonly name: string;
  /** The key of `<arch>.context_length`. */
  readonly architecture: string;
  /** Tokens that the model was trained for; what a request gets is its `num_ctx`. */
  readonly contextLength: number;
  readonly capabilities: readonly OllamaCapability[];
}

const defaultModels: readonly OllamaModel[] = [
  {
    name: "qwen3",
    architecture: "qwen3",
    contextLength: 40_960,
    capabilities: ["completion", "tools", "thinking"],
  },
  {
    name: "llama3.2",
    architecture: "llama",
    contextLength: 131_072,
    capabilities: ["completion", "tools"],
  },
  {
    name: "gemma3",
    architecture: "gemma3",
    contextLength: 131_072,
    capabilities: ["completion", "vision"],
  },
];

export interface OllamaServerOptions {
  readonly model?: ScriptedModel;
  readonly port?: number;
  /** Default: qwen3 (tools, thinking), llama3.2 (tools), gemma3 (vision). */
  readonly models?: readonly OllamaModel[];
  /** Answers `POST /api/embed`; absent: there is no such endpoint. */
  readonly embeddings?: SyntheticEmbeddings;
  /** Only behind a proxy that asks for one, or at ollama.com. */
  readonly apiKey?: string;
}

/** Ollama's native API on 127.0.0.1: chat, show, tags, ps, version. */
export class OllamaServer {
  readonly model: ScriptedModel;
  readonly violations: Violation[] = [];
  readonly #options: OllamaServerOptions;
  readonly #models: readonly OllamaModel[];
  #http: HttpEmulator | undefined;

  private constructor(options: OllamaServerOptions) {
    this.#options = options;
    this.model = options.model ?? new ScriptedModel();
    this.#models = options.models ?? defaultModels;
  }

  static async start(options: OllamaServerOptions = {}): Promise<OllamaServer> {
    const server = new OllamaServer(options);
    server.#http = await HttpEmulator.start(
      (incoming, response) => server.#handle(incoming, response),
      options.port,
    );
    return server;
  }

  /** `http://127.0.0.1:<port>`: the client's `host`. */
  get baseUrl(): string {
    return this.#listening.origin;
  }

  get hits(): readonly Hit[] {
    return this.#listening.hits;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listening[Symbol.asyncDispose]();
  }

  get #listening(): HttpEmulator {
    if (this.#http === undefined) throw new Error("not started");
    return this.#http;
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const route = `${incoming.method} ${pathOf(incoming)}`;
    if (route === "GET /__emulator")
      return sendJson(response, 200, report(this.model, this.violations));
    const { apiKey } = this.#options;
    if (apiKey !== undefined && incoming.headers.authorization !== `Bearer ${apiKey}`)
      return sendJson(response, 401, { error: "unauthorized" });
    if (route === "POST /api/embed" && this.#options.embeddings !== undefined)
      return embed(incoming, response, { embeddings: this.#options.embeddings, wire: "ollama" });
    switch (route) {
      case "GET /":
        response.end("Ollama is running");
        return;
      case "GET /api/version":
        return sendJson(response, 200, { version: "0.12.6" });
      case "GET /api/tags":
        return sendJson(response, 200, { models: this.#models.map(tagEntry) });
      case "GET /api/ps":
        return sendJson(response, 200, { models: [] });
      case "POST /api/show":
        return this.#show(incoming, response);
      case "POST /api/chat":
        return this.#chat(incoming, response);
      default:
        response.writeHead(404, { "content-type": "text/plain" });
        response.end("404 page not found");
    }
  }

  async #show(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readJsonObject(incoming);
    const name = String(body?.["model"] ?? body?.["name"]);
    const found = this.#find(name);
    return found === undefined
      ? sendJson(response, 404, { error: `model '${name}' not found` })
      : sendJson(response, 200, showAnswer(found));
  }

  async #chat(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readJsonObject(incoming);
    if (body === undefined) return sendJson(response, 400, { error: "unexpected EOF" });
    const name = String(body["model"]);
    const used = this.#find(name);
    if (used === undefined) return sendJson(response, 404, { error: `model '${name}' not found` });
    const problems = sentences(ollamaRequestProblems(body));
    if (problems.length > 0) {
      this.violations.push({ wire: "ollama", problems, body });
      return sendJson(response, 400, { error: problems[0] });
    }
    const request = readModelRequest("ollama", body);
    const lacking = lackingCapability(
      used,
      request.messages.some(({ images }) => images > 0),
      body,
    );
    if (lacking !== undefined) return sendJson(response, 400, { error: lacking });
    return playStep({
      model: this.model,
      dialect,
      request,
      incoming,
      response,
      closing: this.#listening.closing,
    });
  }

  #find(name: string): OllamaModel | undefined {
    return this.#models.find((each) => tagged(each.name) === tagged(name));
  }
}

const dialect: Dialect = {
  streamType: "application/x-ndjson",
  frames: ollamaFrames,
  whole: ollamaAnswer,
  errorBody: (failure) => ({ error: failure.message ?? failureText(failure) }),
  lateError: frame('{"error":"an error was encountered while running the model"}\n', false),
  notJson: frame('{"model":"qwen3","message":{"role":"assistant","content":\n', false),
};

function failureText({ status, code }: HttpFailure): string {
  if (code === "context_length_exceeded") return "the input length exceeds the context length";
  switch (status) {
    case 401:
      return "unauthorized";
    case 404:
      return "model not found";
    case 429:
      return "too many requests";
    case 503:
      return "server busy, please try again.  maximum pending requests exceeded";
    default:
      return status >= 500
        ? "model runner has unexpectedly stopped, this may be due to resource limitations or an internal error, check ollama server logs for details"
        : "invalid request";
  }
}

/** What `/api/show` would have told: the vendor's refusal, undefined when nothing lacks. */
function lackingCapability(
  model: OllamaModel,
  hasImages: boolean,
  body: JsonObject,
): string | undefined {
  const can = (capability: OllamaCapability): boolean => model.capabilities.includes(capability);
  if (body["tools"] !== undefined && !can("tools"))
    return `registry.ollama.ai/library/${tagged(model.name)} does not support tools`;
  if (body["think"] !== undefined && body["think"] !== false && !can("thinking"))
    return `"${String(body["model"])}" does not support thinking`;
  if (hasImages && !can("vision")) return "this model is missing data required for image input";
  return undefined;
}

function tagged(name: string): string {
  return name.includes(":") ? name : `${name}:latest`;
}

function details(model: OllamaModel): JsonObject {
  return {
    parent_model: "",
    format: "gguf",
    family: model.architecture,
    families: [model.architecture],
    parameter_size: "8.2B",
    quantization_level: "Q4_K_M",
  };
}

const modifiedAt = "2025-10-02T11:09:28.385250123+02:00";

function tagEntry(model: OllamaModel): JsonObject {
  return {
    name: tagged(model.name),
    model: tagged(model.name),
    modified_at: modifiedAt,
    size: 5_225_388_164,
    digest: "500a1f067a9f782620b40bee6f7b0c89e17ae61f686b92c24933e4ca4b2b8b41",
    details: details(model),
  };
}

function showAnswer(model: OllamaModel): JsonObject {
  return {
    license: "Apache License",
    modelfile: `FROM ${tagged(model.name)}`,
    parameters: "repeat_penalty                 1\ntemperature                    0.6",
    template: "{{ .Prompt }}",
    details: details(model),
    model_info: {
      "general.architecture": model.architecture,
      "general.parameter_count": 8_190_735_360,
      [`${model.architecture}.attention.head_count`]: 32,
      [`${model.architecture}.context_length`]: model.contextLength,
      [`${model.architecture}.embedding_length`]: 4096,
    },
    capabilities: model.capabilities,
    modified_at: modifiedAt,
  };
}
