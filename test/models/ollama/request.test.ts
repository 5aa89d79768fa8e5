import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toChatRequest } from "../../../src/models/ollama/request.ts";
import { sentences } from "../../emulators/model/message-rules.ts";
import { ollamaRequestProblems } from "../../emulators/model/ollama-request-rules.ts";
import { card, currentTime, request } from "../helpers.ts";
import { cards, requests } from "../request-arbitrary.ts";

const result = (callId: string, text: string) =>
  ({ role: "tool", callId, name: "current_time", text }) as const;
const call = (id: string) => ({ id, name: "current_time", arguments: "{}" }) as const;

describe("a request in /api/chat's words", () => {
  it("keeps the vendor's rules, whatever the conversation", () => {
    fc.assert(
      fc.property(requests, cards, (given, able) => {
        const body = toChatRequest({
          model: "qwen3",
          card: able,
          request: given,
        });
        const problems = ollamaRequestProblems({ ...body });
        expect(sentences(problems)).toEqual([]);
      }),
    );
  });

  it("always says the context window", () => {
    const asked = { model: "qwen3", card };
    expect(toChatRequest({ ...asked, request: request("hello") }).options).toEqual({
      num_ctx: card.contextWindow,
    });
    const larger = request("hello", { options: { contextWindow: 32_768 } });
    expect(toChatRequest({ ...asked, request: larger }).options?.num_ctx).toBe(32_768);
  });

  it("puts results in the order of their calls", () => {
    const { messages } = toChatRequest({
      model: "qwen3",
      card,
      request: request([
        { role: "user", text: "Time?" },
        { role: "assistant", text: "", calls: [call("a"), call("b")] },
        result("b", "second"),
        result("a", "first"),
        { role: "user", text: "Thanks" },
      ]),
    });
    expect(messages?.map(({ content }) => content)).toEqual([
      "Time?",
      "",
      "first",
      "second",
      "Thanks",
    ]);
  });

  it("thinks only where the model can", () => {
    const thinking = request("hello", { options: { thinking: false } });
    expect(toChatRequest({ model: "m", card, request: thinking })).not.toHaveProperty("think");
    const able = { ...card, thinking: true };
    expect(toChatRequest({ model: "m", card: able, request: thinking }).think).toBe(false);
    expect(toChatRequest({ model: "m", card: able, request: request("hello") }).think).toBe(true);
  });

  it("leaves tools out when they must not be called, or cannot be", () => {
    const none = request("hello", { tools: [currentTime], toolChoice: "none" });
    const auto = request("hello", { tools: [currentTime] });
    const unable = { ...card, tools: false };
    expect(toChatRequest({ model: "m", card, request: none })).not.toHaveProperty("tools");
    expect(toChatRequest({ model: "m", card: unable, request: auto })).not.toHaveProperty("tools");
    expect(toChatRequest({ model: "m", card, request: auto }).tools).toHaveLength(1);
  });

  it("writes every option as Ollama knows it", () => {
    const body = toChatRequest({
      model: "m",
      card,
      request: request("hello", {
        options: {
          temperature: 0.2,
          maxOutputTokens: 100,
          repeatPenalty: 1.1,
          keepAlive: "-1",
          json: true,
        },
      }),
    });
    expect(body).toMatchObject({
      keep_alive: -1,
      format: "json",
      options: { temperature: 0.2, num_predict: 100, repeat_penalty: 1.1 },
    });
  });
});
