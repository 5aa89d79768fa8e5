import { describe, expect, it } from "vitest";
import type { ModelRequest, RequestMessage } from "../../src/core/model.ts";
import { toChatRequest } from "../../src/models/ollama/request.ts";
import { toChatBody } from "../../src/models/openai/chat/request.ts";
import { dialectOf } from "../../src/models/openai/dialect.ts";
import { requestJson } from "../../src/models/openai/request-json.ts";
import { toResponsesBody } from "../../src/models/openai/responses/request.ts";
import { card } from "./helpers.ts";

/** In the second piece of 32. */
const pictureAt = 40;
const messages = Array.from({ length: 64 }, (_, index): RequestMessage => ({
  role: "user",
  text: `message ${index}`,
  ...(index === pictureAt ? { images: [{ mediaType: "image/png", data: "iVBORw0KGgo=" }] } : {}),
}));
const request: ModelRequest = { messages, tools: [], toolChoice: "auto", options: {} };
const asked = { model: "test", card: { ...card, vision: true }, request };
const dialect = dialectOf("https://api.openai.com/v1");

describe("what is written of messages", () => {
  it.each([
    { api: "chat completions", write: () => toChatBody({ ...asked, dialect }).messages },
    {
      api: "responses",
      write: () => toResponsesBody({ ...asked, dialect }).input as readonly object[],
    },
    { api: "ollama", write: () => toChatRequest(asked).messages ?? [] },
  ])("is kept for $api, but not where pictures are", ({ write }) => {
    const [first, second] = [write(), write()];
    expect(second).toEqual(first);
    expect(second[0]).toBe(first[0]);
    expect(second[pictureAt]).not.toBe(first[pictureAt]);
  });

  it("is kept as JSON, but not where pictures are", () => {
    let written = 0;
    const counting = { toJSON: () => (written += 1) };
    const [text, pictures] = [counting, { ...counting, content: [] }];
    for (const member of [text, text, pictures, pictures]) requestJson({ messages: [member] });
    expect(written).toBe(3);
  });
});
