import { describe, expect, it } from "vitest";
import { vendorFailure } from "../../src/models/failure.ts";

/** What servers answer to a picture for a model without vision, with the status that they use. */
const withoutVision: readonly (readonly [string, number | undefined, string])[] = [
  [
    "llama.cpp",
    500,
    "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
  ],
  ["llama.cpp, 2025", 500, "image input is not supported by this server"],
  [
    "llamafile",
    500,
    "The server was not compiled for multimodal or the model projector can't be loaded.",
  ],
  ["Ollama", 500, "this model is missing data required for image input"],
  ["Ollama's cloud", 400, "this model does not support image input"],
  [
    "LM Studio, in a stream",
    undefined,
    "Model does not support images. Please use a model that does.",
  ],
  ["vLLM", 400, "At most 0 image(s) may be provided in one prompt."],
  ["vLLM, older", 500, "qwen/qwen3 is not a multimodal model"],
  ["OpenRouter", 404, "No endpoints found that support image input"],
];

describe("a server whose model sees no images", () => {
  it.each(withoutVision)("%s: is not overloaded", (_, status, message) => {
    expect(vendorFailure({ status, message }).kind).toBe("invalid-request");
  });

  it.each([
    [500, "image decoder crashed: out of memory", "overloaded"],
    [503, "the image service is overloaded", "overloaded"],
    [429, "too many requests with image input", "rate-limited"],
    [401, "your plan does not support images", "auth"],
  ])("is not meant by %i %s", (status, message, kind) => {
    expect(vendorFailure({ status, message }).kind).toBe(kind);
  });
});
