import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Dialect } from "./exchange.ts";
import { playStep } from "./exchange.ts";
import { frame } from "./frame.ts";
import type { Hit, Violation } from "./http-emulator.ts";
import { HttpEmulator, pathOf, readJsonObject, report, sendJson } from "./http-emulator.ts";
import { sentences } from "./message-rules.ts";
import type { ModelRequest } from "./model-request.ts";
import { readModelRequest } from "./model-request.ts";
import { openAiError, openAiFailureBody } from "./openai-errors.ts";
import { openAiCompletion, openAiFrames } from "./openai-frames.ts";
import type { OpenAiRequestOptions } from "./openai-request-rules.ts";
import { openAiRequestProblems } from "./openai-request-rules.ts";
import type { JsonObject } from "./problem.ts";
import {
  responsesFrames,
  responsesLateError,
  responsesNotJson,
  wholeResponse,
} from "./responses-frames.ts";
import { responsesRequestProblems } from "./responses-rules.ts";
import { ScriptedModel } from "./scripted-model.ts";
import type { Wire } from "./step.ts";
import { embed, type SyntheticEmbeddings } from "./embeddings.ts";
import { transcribe, type Transcriber } from "./transcriptions.ts";

export interface OpenAiModel {
  readonly id: string;
  /** Longer prompts (4 characters a token) get `context_length_exceeded`. Default: unlimited. */
  readonly contextWindow?: number;
  /**
   * Refuses `max_tokens` and sampling parameters, as the o-series and gpt-5 do. Default: by its
   * name.
   */
  readonly reasoning?: boolean;
  /**
   * More fields of its entry in `/v1/models`: `max_model_len` (vLLM), `max_context_length` (LM
   * Studio).
   */
  readonly listing?: JsonObject;
}

export interface OpenAiServerOptions extends Pick<
  OpenAiRequestOptions,
  "systemOnlyFirst" | "extraParameters"
> {
  readonly model?: ScriptedModel;
  /** Without one every key and none are accepted, as local servers do. */
  readonly apiKey?: string;
  readonly port?: number;
  /** Default: gpt-4o-mini, gpt-4o, gpt-5-mini. */
  readonly models?: readonly (string | OpenAiModel)[];
  /** What else can be read, by its path: LM Studio's `/api/v0/models`, llama.cpp's `/props`. */
  readonly pages?: Readonly<Record<string, JsonObject>>;
  /** Answers `POST /v1/embeddings`; absent: there is no such endpoint. */
  readonly embeddings?: SyntheticEmbeddings;
  /** Absent: there is no such endpoint. */
  readonly transcriber?: Transcriber;
}

/** OpenAI's Chat Completions, Responses and models endpoints on 127.0.0.1. */
export class OpenAiServer {
  readonly model: ScriptedModel;
  readonly violations: Violation[] = [];
  readonly #options: OpenAiServerOptions;
  readonly #models: readonly OpenAiModel[];
  #http: HttpEmulator | undefined;

  private constructor(options: OpenAiServerOptions) {
    this.#options = options;
    this.model = options.model ?? new ScriptedModel();
    this.#models = (options.models ?? ["gpt-4o-mini", "gpt-4o", "gpt-5-mini"]).map((entry) =>
      typeof entry === "string" ? { id: entry } : entry,
    );
  }

  static async start(options: OpenAiServerOptions = {}): Promise<OpenAiServer> {
    const server = new OpenAiServer(options);
    server.#http = await HttpEmulator.start(
      (incoming, response) => server.#handle(incoming, response),
      options.port,
    );
    return server;
  }

  /** `http://127.0.0.1:<port>/v1` */
  get baseUrl(): string {
    return `${this.#listening.origin}/v1`;
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
    const path = pathOf(incoming);
    const route = `${incoming.method} ${path}`;
    if (route === "GET /__emulator")
      return sendJson(response, 200, report(this.model, this.violations));
    response.setHeader("x-request-id", `req_${randomBytes(16).toString("hex")}`);
    response.setHeader("openai-processing-ms", "1");
    const refusal = this.#refuseKey(incoming);
    if (refusal !== undefined) return sendJson(response, 401, refusal);
    if (route === "GET /v1/models")
      return sendJson(response, 200, {
        object: "list",
        data: this.#models.map(modelEntry),
      });
    if (incoming.method === "GET" && path.startsWith("/v1/models/")) {
      const id = decodeURIComponent(path.slice("/v1/models/".length));
      const found = this.#models.find((each) => each.id === id);
      return found === undefined
        ? sendJson(response, 404, modelNotFound(id))
        : sendJson(response, 200, modelEntry(found));
    }
    if (route === "POST /v1/chat/completions") return this.#answer("openai", incoming, response);
    if (route === "POST /v1/responses") return this.#answer("responses", incoming, response);
    if (route === "POST /v1/embeddings" && this.#options.embeddings !== undefined)
      return embed(incoming, response, { embeddings: this.#options.embeddings, wire: "openai" });
    const { transcriber } = this.#options;
    if (route === "POST /v1/audio/transcriptions" && transcriber !== undefined)
      return transcribe(incoming, response, transcriber);
    const page = this.#options.pages?.[path];
    if (incoming.method === "GET" && page !== undefined) return sendJson(response, 200, page);
    return sendJson(response, 404, openAiError({ message: `Invalid URL (${route})` }));
  }

  async #answer(
    wire: Exclude<Wire, "ollama">,
    incoming: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const body = await readJsonObject(incoming);
    if (body === undefined) {
      return sendJson(
        response,
        400,
        openAiError({
          message:
            "We could not parse the JSON body of your request. The OpenAI API expects a JSON payload.",
        }),
      );
    }
    const id = String(body["model"]);
    const used = this.#models.find((each) => each.id === id);
    if (used === undefined) return sendJson(response, 404, modelNotFound(id));
    const check = wire === "openai" ? openAiRequestProblems : responsesRequestProblems;
    const problems = check(body, {
      ...this.#options,
      reasoningModel: used.reasoning ?? /^(?:o\d|gpt-5)/.test(used.id),
    });
    const [first] = problems;
    if (first !== undefined) {
      this.violations.push({
        wire,
        problems: sentences(problems),
        body,
      });
      return sendJson(response, 400, openAiError(first));
    }
    const request = readModelRequest(wire, body);
    const window = used.contextWindow ?? Infinity;
    if (request.promptTokens > window) return sendJson(response, 400, tooLong(window, request));
    return playStep({
      model: this.model,
      dialect: wire === "openai" ? chatDialect : responsesDialect,
      request,
      incoming,
      response,
      closing: this.#listening.closing,
    });
  }

  #refuseKey(incoming: IncomingMessage): unknown {
    const { apiKey } = this.#options;
    if (apiKey === undefined) return undefined;
    const given = /^Bearer (.+)$/.exec(incoming.headers.authorization ?? "")?.[1];
    if (given === apiKey) return undefined;
    return openAiError(
      given === undefined
        ? {
            message:
              "You didn't provide an API key. You need to provide your API key in an Authorization header using Bearer auth (i.e. Authorization: Bearer YOUR_KEY). You can obtain an API key from https://platform.openai.com/account/api-keys.",
          }
        : {
            message: `Incorrect API key provided: ${masked(given)}. You can find your API key at https://platform.openai.com/account/api-keys.`,
            code: "invalid_api_key",
          },
    );
  }
}

const chatDialect: Dialect = {
  streamType: "text/event-stream; charset=utf-8",
  frames: openAiFrames,
  whole: openAiCompletion,
  errorBody: openAiFailureBody,
  lateError: frame(
    `data: ${JSON.stringify(openAiError({ message: "The server had an error processing your request. Sorry about that!", type: "server_error" }))}\n\n`,
    false,
  ),
  notJson: frame('data: {"id":"chatcmpl-1","choices":[{"delta":{"content":\n\n', false),
};

const responsesDialect: Dialect = {
  streamType: "text/event-stream; charset=utf-8",
  frames: responsesFrames,
  whole: wholeResponse,
  errorBody: openAiFailureBody,
  lateError: responsesLateError,
  notJson: responsesNotJson,
};

function modelEntry(model: OpenAiModel): JsonObject {
  return {
    id: model.id,
    object: "model",
    created: 1_721_172_741,
    owned_by: "system",
    ...model.listing,
  };
}

function modelNotFound(id: string): JsonObject {
  return openAiError({
    message: `The model \`${id}\` does not exist or you do not have access to it.`,
    code: "model_not_found",
  });
}

function tooLong(window: number, request: ModelRequest): JsonObject {
  return openAiError({
    message: `This model's maximum context length is ${window} tokens. However, your messages resulted in ${request.promptTokens} tokens. Please reduce the length of the messages.`,
    param: "messages",
    code: "context_length_exceeded",
  });
}

/** As OpenAI masks it: the first 8 and last 4 characters. */
function masked(key: string): string {
  return key.length <= 12
    ? "*".repeat(key.length)
    : key.slice(0, 8) + "*".repeat(key.length - 12) + key.slice(-4);
}
