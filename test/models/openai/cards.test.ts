import { describe, expect, it } from "vitest";
import type { Model } from "../../../src/core/model.ts";
import type { OpenAiModelSettings } from "../../../src/models/openai/model.ts";
import { createOpenAiModel } from "../../../src/models/openai/model.ts";
import { OpenAiServer } from "../../emulators/model/openai-server.ts";
import { ask, eventsOf, request, tools } from "../helpers.ts";

interface Page {
  readonly url: string;
  readonly headers: Headers;
}

const answer =
  'data: {"choices":[{"index":0,"delta":{"content":"ok"},"finish_reason":"stop"}]}\n\n';

/** A server far away: these pages, and the same answer to every request. */
function far(pages: Readonly<Record<string, unknown>>): {
  asked: Page[];
  fetch: typeof fetch;
} {
  const asked: Page[] = [];
  return {
    asked,
    fetch: (input, init) => {
      const url = input instanceof Request ? input.url : input.toString();
      if (init?.method !== "GET" && init?.method !== "get")
        return Promise.resolve(new Response(answer));
      asked.push({ url, headers: new Headers(init.headers) });
      const page = pages[url];
      return Promise.resolve(
        page === undefined
          ? Response.json({ error: "not here" }, { status: 404 })
          : Response.json(page),
      );
    },
  };
}

async function cardOf(
  settings: OpenAiModelSettings,
  model: string,
  pages: Readonly<Record<string, unknown>>,
): Promise<Model["card"]> {
  const asking = createOpenAiModel({
    settings,
    id: `a/${model}`,
    fetch: far(pages).fetch,
  });
  expect((await ask(asking, request("hello"))).text).toBe("ok");
  return asking.card;
}

describe("what a server says of its models", () => {
  it("is asked once, before the first request", async () => {
    await using server = await OpenAiServer.start({
      models: [{ id: "qwen", listing: { max_model_len: 12_345 } }],
    });
    const model = createOpenAiModel({
      settings: { baseUrl: server.baseUrl },
      id: "a/qwen",
    });
    expect(model.card.contextWindow).toBe(128_000);
    await ask(model, request("hello"));
    await ask(model, request("hello"));
    expect(model.card.contextWindow).toBe(12_345);
    expect(server.hits.map(({ path }) => path)).toEqual([
      "/v1/models",
      "/v1/chat/completions",
      "/v1/chat/completions",
    ]);
  });

  it("is overruled by the operator", async () => {
    await using server = await OpenAiServer.start({
      models: [{ id: "qwen", listing: { max_model_len: 12_345 } }],
    });
    const model = createOpenAiModel({
      settings: { baseUrl: server.baseUrl },
      id: "a/qwen",
      card: { contextWindow: 777, vision: true },
    });
    await ask(model, request("hello"));
    expect(model.card).toMatchObject({ contextWindow: 777, vision: true });
  });

  it("is not asked of OpenAI itself, which says nothing", async () => {
    const { asked, fetch } = far({});
    const model = createOpenAiModel({
      settings: { apiKey: "sk-x" },
      id: "openai/gpt-5-mini",
      fetch,
    });
    await ask(model, request("hello"));
    expect(asked).toEqual([]);
    expect(model.card).toMatchObject({
      vision: true,
      thinking: true,
      settableTemperature: false,
      settableKeepAlive: false,
    });
  });

  it("comes from LM Studio's own list, as long as the model is not loaded", async () => {
    const entry = {
      id: "qwen/qwen3-4b",
      object: "model",
      type: "vlm",
      publisher: "qwen",
      arch: "qwen3",
      compatibility_type: "gguf",
      quantization: "Q4_K_M",
      state: "not-loaded",
      max_context_length: 131_072,
      capabilities: ["tool_use"],
    };
    const page = { object: "list", data: [entry] as object[] };
    const { asked, fetch } = far({
      "http://127.0.0.1:1234/api/v0/models": page,
    });
    const model = createOpenAiModel({
      settings: { baseUrl: "http://127.0.0.1:1234/v1", preset: "lmstudio" },
      id: "lmstudio/qwen/qwen3-4b",
      fetch,
    });
    await ask(model, request("hello"));
    expect(model.card).toMatchObject({
      tools: true,
      vision: true,
      embeddings: false,
      contextWindow: 4096,
    });
    page.data = [{ ...entry, state: "loaded", loaded_context_length: 16_384 }];
    await ask(model, request("hello"));
    await ask(model, request("hello"));
    expect(model.card.contextWindow).toBe(16_384);
    expect(asked).toHaveLength(2);
  });

  it("keeps tools from a model of LM Studio's that was not made for them", async () => {
    await using server = await OpenAiServer.start({
      models: ["gemma"],
      pages: {
        "/api/v0/models": {
          data: [{ id: "gemma", type: "llm", capabilities: [] }],
        },
      },
    });
    const model = createOpenAiModel({
      settings: { baseUrl: server.baseUrl, preset: "lmstudio" },
      id: "lmstudio/gemma",
    });
    const omitted: unknown[] = [];
    await eventsOf(model, request("hello", { tools, options: { keepAlive: "10m" } }), {
      onOmitted: (card, omission) => omitted.push([card.id, omission]),
    });
    expect(Object.keys(server.model.requests[0]?.body ?? {})).toEqual([
      "model",
      "messages",
      "stream",
      "stream_options",
    ]);
    expect(omitted).toEqual([["lmstudio/gemma", { what: "tools", count: 3 }]]);
  });

  it("comes from llama.cpp's properties, its list at least", async () => {
    const list = {
      object: "list",
      data: [{ id: "/models/gemma.gguf", meta: { n_ctx_train: 131_072 } }],
    };
    const settings: OpenAiModelSettings = {
      baseUrl: "http://127.0.0.1:8080/v1",
      preset: "llamacpp",
    };
    const only = { "http://127.0.0.1:8080/v1/models": list };
    expect((await cardOf(settings, "any", only)).contextWindow).toBe(131_072);
    const both = {
      ...only,
      "http://127.0.0.1:8080/props": {
        default_generation_settings: { n_ctx: 16_384 },
        modalities: { vision: true, audio: false },
        chat_template: "{% if enable_thinking %}<think>{% endif %}",
      },
    };
    expect(await cardOf(settings, "any", both)).toMatchObject({
      contextWindow: 16_384,
      vision: true,
      thinking: true,
    });
  });

  it("tells OpenRouter's prices and parameters", async () => {
    const page = {
      data: [
        {
          id: "deepseek/deepseek-r1",
          context_length: 163_840,
          architecture: {
            input_modalities: ["text"],
            output_modalities: ["text"],
          },
          pricing: { prompt: "0.0000004", completion: "0.00000175" },
          supported_parameters: ["max_tokens", "temperature", "reasoning"],
        },
        {
          id: "openrouter/auto",
          context_length: 2_000_000,
          architecture: { input_modalities: ["text", "image"] },
          pricing: { prompt: "-1", completion: "-1" },
          supported_parameters: ["tools", "tool_choice", "response_format"],
        },
      ],
    };
    const pages = { "https://openrouter.ai/api/v1/models": page };
    const settings: OpenAiModelSettings = {
      baseUrl: "https://openrouter.ai/api/v1",
      preset: "openrouter",
    };
    expect(await cardOf(settings, "deepseek/deepseek-r1", pages)).toMatchObject({
      tools: false,
      toolChoiceNone: false,
      thinking: true,
      vision: false,
      jsonMode: false,
      settableTemperature: true,
      contextWindow: 163_840,
      usdPerMillionTokens: { input: 0.4, output: 1.75 },
    });
    const auto = await cardOf(settings, "openrouter/auto", pages);
    expect(auto).toMatchObject({
      tools: true,
      toolChoiceNone: true,
      vision: true,
      jsonMode: true,
      settableTemperature: false,
    });
    expect(auto).not.toHaveProperty("usdPerMillionTokens");
  });

  it.each([
    {
      preset: "anthropic",
      baseUrl: "https://api.anthropic.com/v1",
      url: "https://api.anthropic.com/v1/models/claude-x",
      header: "x-api-key",
      page: {
        type: "model",
        id: "claude-x",
        max_input_tokens: 500_000,
        capabilities: { image_input: { supported: false } },
      },
      expected: { contextWindow: 500_000, vision: false, jsonMode: false },
    },
    {
      preset: "mistral",
      baseUrl: "https://api.mistral.ai/v1",
      url: "https://api.mistral.ai/v1/models",
      header: "authorization",
      page: {
        object: "list",
        data: [
          {
            id: "claude-x",
            object: "model",
            max_context_length: 40_960,
            capabilities: { function_calling: true, vision: true },
          },
        ],
      },
      expected: { contextWindow: 40_960, tools: true, vision: true },
    },
    {
      preset: "google",
      baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
      url: "https://generativelanguage.googleapis.com/v1beta/models/claude-x",
      header: "x-goog-api-key",
      page: {
        name: "models/claude-x",
        inputTokenLimit: 32_768,
        thinking: false,
      },
      expected: { contextWindow: 32_768, thinking: false, vision: true },
    },
  ] as const)(
    "is asked of $preset in its own way",
    async ({ preset, baseUrl, url, header, page, expected }) => {
      const { asked, fetch } = far({ [url]: page });
      const model = createOpenAiModel({
        settings: { baseUrl, preset, apiKey: "the-key" },
        id: "a/claude-x",
        fetch,
      });
      await ask(model, request("hello"));
      expect(asked.map((each) => each.url)).toEqual([url]);
      const bearer = header === "authorization" ? "Bearer the-key" : null;
      expect(asked[0]?.headers.get(header)).toBe(bearer ?? "the-key");
      expect(asked[0]?.headers.get("authorization")).toBe(bearer);
      expect(model.card).toMatchObject(expected);
    },
  );

  it.each([
    ["nothing there", undefined],
    ["no list", { data: "none" }],
    ["no such model", { data: [{ id: "other", max_model_len: 5 }] }],
    ["nonsense", { data: [7, { id: "m", max_model_len: "long" }] }],
  ])("keeps what was presumed: %s", async (_, page) => {
    const card = await cardOf({ baseUrl: "http://host:1/v1" }, "m", {
      "http://host:1/v1/models": page,
    });
    expect(card.contextWindow).toBe(128_000);
  });

  it("is asked again after a failure, but not of a server that keeps it waiting", async () => {
    let nowMs = 0;
    let asked = 0;
    let failure: Error = new TypeError("fetch failed");
    const model = createOpenAiModel({
      settings: { baseUrl: "http://host:1/v1" },
      id: "a/m",
      now: () => nowMs,
      fetch: (_, init) => {
        if (init?.method?.toUpperCase() !== "GET") return Promise.resolve(new Response(answer));
        asked += 1;
        return Promise.reject(failure);
      },
    });
    const talk = async (): Promise<string> => (await ask(model, request("hello"))).text;
    expect([await talk(), await talk()]).toEqual(["ok", "ok"]);
    expect(asked).toBe(2);
    failure = new DOMException("timed out", "TimeoutError");
    await talk();
    await talk();
    expect(asked).toBe(3);
    nowMs = 60_000;
    await talk();
    expect(asked).toBe(4);
  });

  it("does not outlast an abort", async () => {
    const asked = Promise.withResolvers<void>();
    const model = createOpenAiModel({
      settings: { baseUrl: "http://host:1/v1" },
      id: "a/m",
      fetch: () => {
        asked.resolve();
        return new Promise(() => undefined);
      },
    });
    const stopping = new AbortController();
    const waiting = ask(model, request("hello"), stopping.signal);
    await asked.promise;
    stopping.abort();
    expect((await waiting).events).toEqual([]);
  });
});
