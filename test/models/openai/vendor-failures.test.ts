import { describe, expect, it } from "vitest";
import type { ModelFailure, ModelFailureKind } from "../../../src/core/model.ts";
import { createOpenAiModel } from "../../../src/models/openai/model.ts";
import { ask, request } from "../helpers.ts";

async function failureOf(status: number, body: unknown): Promise<ModelFailure | undefined> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const model = createOpenAiModel({
    settings: { apiKey: "sk-secret" },
    id: "openai/gpt-5-mini",
    fetch: () => Promise.resolve(new Response(text, { status })),
  });
  return (await ask(model, request("hello"))).failure;
}

type Said = readonly [vendor: string, status: number, body: unknown];

const error = (message: string, more: Readonly<Record<string, unknown>> = {}) => ({
  error: { message, ...more },
});

/** What vendors answer, with the status that they use. */
const said: Readonly<Partial<Record<ModelFailureKind, readonly Said[]>>> = {
  "no-credit": [
    ["OpenAI", 429, error("You exceeded your current quota.", { code: "insufficient_quota" })],
    ["OpenAI's limit", 400, error("Billing hard limit", { code: "billing_hard_limit_reached" })],
    [
      "Anthropic",
      400,
      error("Your credit balance is too low to access the Anthropic API.", {
        type: "invalid_request_error",
      }),
    ],
    ["DeepSeek", 402, error("Insufficient Balance", { type: "unknown_error" })],
    ["OpenRouter", 402, error("Insufficient credits. Add more in your settings", { code: 402 })],
    ["a key of OpenRouter's", 403, error("Key limit exceeded (monthly limit).", { code: 403 })],
    [
      "xAI, new",
      403,
      { code: "The caller does not have permission", error: "Your team doesn't have any credits." },
    ],
    [
      "xAI, used up",
      429,
      {
        code: "Some resource has been exhausted",
        error:
          "Your team has either used all available credits or reached its monthly spending limit.",
      },
    ],
    [
      "Kimi",
      429,
      error("Your account is suspended due to insufficient balance, please recharge", {
        type: "exceeded_current_quota_error",
      }),
    ],
    ["Zhipu", 429, error("余额不足或无可用资源包,请充值。", { code: "1113" })],
    [
      "DashScope",
      400,
      error("Access denied, please make sure your account is in good standing.", {
        code: "Arrearage",
      }),
    ],
    ["MiniMax", 200, { base_resp: { status_code: 1008, status_msg: "insufficient balance" } }],
    ["MiniMax, 2026", 500, error("insufficient balance (1008)", { type: "api_error" })],
    ["SiliconFlow", 403, { code: 30_001, message: "Sorry, your account balance is insufficient" }],
    [
      "Volcengine",
      403,
      error("Your account has an overdue balance.", { code: "AccountOverdueError" }),
    ],
    [
      "LiteLLM",
      400,
      error("Budget has been exceeded! Current cost: 1", { type: "budget_exceeded" }),
    ],
    ["Perplexity", 401, error("You exceeded your current quota", { type: "insufficient_quota" })],
    ["Hugging Face", 402, { error: "You have exceeded your monthly included credits." }],
    ["Google", 429, [error("Your prepayment credits are depleted.", { code: 429 })]],
    ["a reseller", 403, { code: "INSUFFICIENT_BALANCE", message: "Insufficient account balance" }],
    ["Novita", 403, { code: 403, reason: "NOT_ENOUGH_BALANCE", message: "not enough balance" }],
  ],
  auth: [
    ["OpenAI", 401, error("Incorrect API key provided: sk-x.", { code: "invalid_api_key" })],
    ["Google", 400, [error("API key not valid. Please pass a valid API key.", { code: 400 })]],
    ["Google, expired", 400, error("API key expired. Please renew the API key.", { code: 400 })],
    [
      "xAI",
      400,
      { code: "Client specified an invalid argument", error: "Incorrect API key provided: xa***." },
    ],
    ["DeepSeek", 401, error("Authentication Fails, Your api key: ****x is invalid")],
    ["Kimi", 401, error("Invalid Authentication", { type: "invalid_authentication_error" })],
    ["MiniMax", 200, { base_resp: { status_code: 2049, status_msg: "invalid api key" } }],
    ["MiniMax, none", 200, { base_resp: { status_code: 1004, status_msg: "login fail" } }],
    ["LiteLLM", 400, error("Authentication Error, Invalid proxy server token passed.")],
    ["OpenRouter", 401, error("No auth credentials found", { code: 401 })],
    ["a proxy", 401, "Unauthorized"],
  ],
  moderated: [
    [
      "OpenRouter",
      403,
      error('Your input was flagged for "violence". No credits were charged.', {
        code: 403,
        metadata: { reasons: ["violence"], provider_name: "OpenAI" },
      }),
    ],
    [
      "Azure",
      400,
      error(
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        { code: "content_filter", status: 400 },
      ),
    ],
    ["OpenAI", 400, error("your prompt was flagged", { code: "invalid_prompt" })],
    [
      "DashScope",
      400,
      error("Input data may contain inappropriate content.", { code: "data_inspection_failed" }),
    ],
    [
      "LiteLLM",
      400,
      error("litellm.BadRequestError: litellm.ContentPolicyViolationError: no", { code: "400" }),
    ],
    ["DeepSeek", 400, error("Content Exists Risk", { type: "invalid_request_error" })],
    ["Kimi", 400, error("The request was rejected because it was considered high risk")],
    ["Zhipu", 400, error("系统检测到输入或生成内容可能包含不安全或敏感内容", { code: "1301" })],
    ["MiniMax", 200, { base_resp: { status_code: 1026, status_msg: "input new_sensitive" } }],
    ["StepFun", 451, error("censored")],
    ["Volcengine", 400, error("no", { code: "InputTextSensitiveContentDetected" })],
    ["xAI", 403, { code: "no", error: "Content violates usage guidelines." }],
  ],
  refused: [
    ["Anthropic", 400, error("Output blocked by content filtering policy")],
    [
      "DashScope",
      400,
      error("Output data may contain inappropriate content.", { code: "data_inspection_failed" }),
    ],
    ["MiniMax", 200, { base_resp: { status_code: 1027, status_msg: "output new_sensitive" } }],
  ],
  "unknown-model": [
    ["OpenAI", 404, error("The model `m` does not exist", { code: "model_not_found" })],
    ["vLLM", 404, { object: "error", message: "The model `m` does not exist.", code: 404 }],
    ["Mistral", 400, { object: "error", message: "Invalid model: m", type: "invalid_model" }],
    ["OpenRouter", 400, error("m is not a valid model ID", { code: 400 })],
    ["OpenRouter, off", 404, error("No endpoints found for m.", { code: 404 })],
    ["Google", 404, [error("models/m is not found for API version v1main", { code: 404 })]],
    ["DeepSeek", 400, error("Model Not Exist", { type: "invalid_request_error" })],
    ["Zhipu", 400, error("模型不存在，请检查模型代码", { code: "1211" })],
    ["Kimi", 404, error("Not found the model m or Permission denied")],
    ["Groq", 400, error("The model has been decommissioned", { code: "model_decommissioned" })],
    ["Azure", 404, error("The API deployment for this resource does not exist.")],
    ["SiliconFlow", 400, { code: 20_012, message: "Model does not exist." }],
    ["LiteLLM", 400, error("Invalid model name passed in model=m", { code: "400" })],
    ["Hugging Face", 400, error("not supported by any provider", { code: "model_not_supported" })],
    ["GitHub", 400, error("Unknown model: m", { code: "unknown_model" })],
    ["Anthropic", 404, error("model: m", { type: "not_found_error" })],
    ["OpenAI, another's project", 403, error("Project has no access", { code: "model_not_found" })],
  ],
  "broken-call": [
    ["Groq", 400, error("Failed to call a function.", { code: "tool_use_failed" })],
    [
      "Groq, in a stream",
      200,
      'event: error\ndata: {"error":{"message":"Failed to call a function. See \'failed_generation\'","code":"tool_use_failed","status_code":400}}\n\n',
    ],
    ["llama.cpp", 500, error("Failed to parse input at pos 12: <tool_call>", { code: 500 })],
    ["Ollama", 500, error("error parsing tool call: raw='{' err=unexpected end of JSON input")],
  ],
  "rate-limited": [
    [
      "OpenRouter's free models",
      429,
      error("Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 a day"),
    ],
    ["Google", 429, [error("You exceeded your current quota, please check your plan.")]],
    ["a list after 200", 200, [error("Resource has been exhausted", { code: 429 })]],
    ["Cohere", 429, { message: "You are using a Trial key, limited to 20 API calls / minute." }],
  ],
  overloaded: [
    ["Anthropic", 529, error("Overloaded", { type: "overloaded_error" })],
    ["Google", 503, [error("The model is overloaded. Please try again later.")]],
  ],
  "invalid-request": [
    ["an address without /v1", 404, "404 page not found"],
    ["FastAPI", 404, { detail: "Not Found" }],
    ["OpenRouter, no tools", 404, error("No endpoints found that support tool use.")],
    ["a schema", 400, error("Invalid schema for function 'x'", { code: "invalid_function" })],
    ["a field", 400, error("Unknown parameter: 'model_output'.")],
  ],
};

describe.each(Object.entries(said))("%s", (kind, bodies) => {
  it.each(bodies.map(([vendor, status, body]) => ({ vendor, status, body })))(
    "is the kind of $vendor's $status",
    async ({ status, body }) => {
      expect(await failureOf(status, body)).toMatchObject({ kind });
    },
  );
});

describe("the time that a refusal's body names", () => {
  it.each([
    [
      "Google's RetryInfo",
      [
        error("You exceeded your current quota.", {
          code: 429,
          details: [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "42s" }],
        }),
      ],
      42_000,
    ],
    ["Google's sentence", error("Quota exceeded. Please retry in 42.5s."), 42_500],
    ["OpenAI's and Groq's", error("Rate limit reached. Please try again in 1m26.4s."), 86_400],
    ["OpenAI's in ms", error("Rate limit reached. Please try again in 20ms."), 20],
    ["Groq's daily", error("Please try again in 2h3m0.5s. Need more tokens?"), 7_380_500],
    ["Azure's", error("Please retry after 26 seconds."), 26_000],
    ["a field", error("slow down", { retry_after: 30 }), 30_000],
    ["a field in ms", error("slow down", { retry_after_ms: 1500 }), 1_500],
    ["OpenRouter's", error("slow", { metadata: { retry_after_seconds: 12 } }), 12_000],
    ["words for people", error("Please wait 5 minutes and 10 seconds"), 310_000],
    ["none", error("Please try again later, 3 of 5 requests used"), undefined],
  ])("is read: %s", async (_who, body, ms) => {
    const failure = await failureOf(429, body);
    expect(failure).toMatchObject({ kind: "rate-limited" });
    expect(failure?.retryAfterMs).toBe(ms);
  });

  it("is nothing that a bad key is waited for", async () => {
    const failure = await failureOf(401, error("Invalid API key. Please retry in 42s."));
    expect(failure).toMatchObject({ kind: "auth" });
    expect(failure?.retryAfterMs).toBe(undefined);
  });
});

it("base_resp of an answer that is fine isn't an error", async () => {
  const body = {
    choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", content: "Hi." } }],
    base_resp: { status_code: 0, status_msg: "" },
  };
  expect(await failureOf(200, body)).toBe(undefined);
});
