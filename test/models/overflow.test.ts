import { describe, expect, it } from "vitest";
import { vendorFailure } from "../../src/models/failure.ts";

/** How servers say that a prompt is too long, with the status that they use. */
const tooLong: readonly (readonly [vendor: string, status: number | undefined, said: string])[] = [
  ["OpenAI", 400, "Your input exceeds the context window of this model. Please adjust your input"],
  ["OpenAI, older", 400, "This model's maximum context length is 4096 tokens. However, you sent 9"],
  ["Anthropic", 400, "prompt is too long: 213462 tokens > 200000 maximum"],
  ["Anthropic, body", 413, "request_too_large: Request exceeds the maximum size"],
  [
    "Gemini",
    400,
    "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
  ],
  ["Kimi", 400, "Invalid request: Your request exceeded model token limit: 262144"],
  ["Zhipu", 400, "Prompt exceeds max length"],
  ["GitHub Models", 413, "Request body too large for gpt-4o model. Max size: 8000 tokens."],
  ["Copilot", 400, "prompt token count of 140000 exceeds the limit of 128000"],
  ["Together", 422, "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193."],
  [
    "Together, newer",
    400,
    "The input (9000 tokens) is longer than the model's context length (8192).",
  ],
  [
    "vLLM",
    400,
    "The decoder prompt (length 9000) is longer than the maximum model length of 8192.",
  ],
  [
    "SGLang",
    400,
    "Requested token count exceeds the model's maximum context length of 8192 tokens",
  ],
  ["LM Studio", 400, "Cannot truncate prompt with n_keep (9018) >= n_ctx (4096)"],
  [
    "LM Studio, in a stream",
    undefined,
    "The number of tokens to keep from the initial prompt is greater than the context length.",
  ],
  ["LM Studio, midway", undefined, "Reached mid-generation context overflow"],
  ["LM Studio, older", 400, "Trying to keep the first 9999 tokens when context the overflows."],
  ["llama.cpp", 400, "the request exceeds the available context size, try increasing it"],
  ["Ollama", 400, "prompt too long; exceeded max context length by 100 tokens"],
  ["Ollama, embeddings", 500, "the input length exceeds the context length"],
  [
    "xAI",
    400,
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens",
  ],
  ["Groq", 400, "Please reduce the length of the messages or completion."],
  [
    "Groq, free",
    413,
    "Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size and try again.",
  ],
  [
    "OpenAI, by the minute",
    429,
    "Request too large for gpt-4 on tokens per min (TPM): Limit 10000, Requested 12000.",
  ],
  ["Cohere", 400, "too many tokens: total number of tokens in the prompt cannot exceed 4081"],
  ["Bedrock", 400, "Input is too long for requested model."],
  ["MiniMax", 400, "invalid params, context window exceeds limit (2013)"],
  ["DashScope", 400, "Range of input length should be [1, 30720]"],
  ["SiliconFlow", 400, "length of prompt_tokens (40000) must be less than max_seq_len (32768)."],
  ["Mistral", 400, "Prompt contains 40000 tokens, too large for 32768 maximum context length"],
  ["Fireworks", 400, "The prompt is too long: 140000, model maximum context length: 131071"],
  ["watsonx", 400, "the number of input tokens 9000 cannot exceed the total tokens limit 8192"],
  ["Volcengine", 400, "Total tokens of image and text exceed max message tokens"],
  ["Baidu", 400, "prompt tokens too long"],
];

describe("a prompt that is too long", () => {
  it.each(tooLong)("is what %s means (%s)", (_vendor, status, message) => {
    expect(vendorFailure({ status, message }).kind).toBe("context-overflow");
  });

  it("is also named by codes", () => {
    const said = { status: 413, message: "no" };
    expect(vendorFailure({ ...said, code: "tokens_limit_reached" }).kind).toBe("context-overflow");
    expect(vendorFailure({ ...said, type: "request_too_large" }).kind).toBe("context-overflow");
  });

  it.each([
    [429, "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000", "rate-limited"],
    [429, "Too many requests", "rate-limited"],
    [500, "Throttling error: Too many tokens, please wait before trying again.", "overloaded"],
    [400, "max_tokens is too large: 100000. This model supports at most 16384", "invalid-request"],
    [400, "messages: roles must alternate", "invalid-request"],
  ])("is not meant by %i %s", (status, message, kind) => {
    expect(vendorFailure({ status, message }).kind).toBe(kind);
  });

  it.each([
    [400, "", true],
    [413, "Payload Too Large", true],
    [400, "image input is not supported", undefined],
    [404, "no such model", undefined],
    [422, "bad", undefined],
  ])("may be meant by %i %s: %s", (status, message, expected) => {
    expect(vendorFailure({ status, message }).mayBeTooLong).toBe(expected);
  });
});
