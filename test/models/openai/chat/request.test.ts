import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { presumedCard } from "../../../../src/models/openai/card.ts";
import { toChatBody } from "../../../../src/models/openai/chat/request.ts";
import { dialectOf } from "../../../../src/models/openai/dialect.ts";
import { sentences } from "../../../emulators/model/message-rules.ts";
import { openAiRequestProblems } from "../../../emulators/model/openai-request-rules.ts";
import { card, currentTime, request } from "../../helpers.ts";
import { cards, requests } from "../../request-arbitrary.ts";

const compatible = dialectOf("http://127.0.0.1:9/v1");
const official = dialectOf("https://api.openai.com/v1");
const asked = { model: "gpt-4o-mini", card, dialect: compatible };

describe("a request in Chat Completions' words", () => {
  it("keeps the vendor's rules, whatever the conversation", () => {
    fc.assert(
      fc.property(
        requests,
        cards,
        fc.constantFrom("gpt-4o-mini", "gpt-5-mini", "o3"),
        fc.boolean(),
        (given, able, model, isOfficial) => {
          const reasoningModel = model !== "gpt-4o-mini";
          const body = toChatBody({
            model,
            card: {
              ...able,
              thinking: able.thinking && reasoningModel,
              settableTemperature: !reasoningModel,
            },
            request: given,
            dialect: isOfficial ? official : compatible,
          });
          const problems = openAiRequestProblems({ ...body }, { reasoningModel });
          expect(sentences(problems)).toEqual([]);
        },
      ),
    );
  });

  it("keeps every word and every call, in order", () => {
    const body = toChatBody({
      ...asked,
      request: request([
        { role: "system", text: "Be kind." },
        { role: "user", text: "Time?" },
        {
          role: "assistant",
          text: "",
          reasoning: "hm",
          calls: [{ id: "t1_0_0", name: "current_time", arguments: "{}" }],
        },
        { role: "tool", callId: "t1_0_0", name: "current_time", text: "noon" },
        { role: "assistant", text: "Noon.", calls: [] },
        { role: "user", text: "Thanks" },
      ]),
    });
    expect(body.messages).toEqual([
      { role: "system", content: "Be kind." },
      { role: "user", content: "Time?" },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          {
            id: "t1_0_0",
            type: "function",
            function: { name: "current_time", arguments: "{}" },
          },
        ],
      },
      { role: "tool", tool_call_id: "t1_0_0", content: "noon" },
      { role: "assistant", content: "Noon." },
      { role: "user", content: "Thanks" },
    ]);
  });

  it("says tool_choice none only where the server knows it", () => {
    const none = request("hello", { tools: [currentTime], toolChoice: "none" });
    expect(toChatBody({ ...asked, request: none })).toMatchObject({
      tool_choice: "none",
      tools: [{ function: { name: "current_time" } }],
    });
    const without = toChatBody({
      ...asked,
      card: { ...card, toolChoiceNone: false },
      request: none,
    });
    expect(without).not.toHaveProperty("tools");
    expect(without).not.toHaveProperty("tool_choice");
  });

  it.each([
    ["gpt-4o-mini", compatible, { max_tokens: 50, temperature: 0.5 }],
    ["gpt-4o-mini", official, { max_completion_tokens: 50, temperature: 0.5 }],
    ["gpt-5-mini", compatible, { max_completion_tokens: 50 }],
    ["openai/o3", compatible, { max_completion_tokens: 50 }],
    ["gpt-5-chat-latest", official, { max_completion_tokens: 50, temperature: 0.5 }],
  ])("caps the output of %s", (model, dialect, expected) => {
    const { max_tokens, max_completion_tokens, temperature } = toChatBody({
      model,
      card: presumedCard({
        id: `a/${model}`,
        model,
        dialect,
        isOfficial: true,
      }),
      dialect,
      request: request("hello", {
        options: { maxOutputTokens: 50, temperature: 0.5 },
      }),
    });
    expect(JSON.parse(JSON.stringify({ max_tokens, max_completion_tokens, temperature }))).toEqual(
      expected,
    );
  });

  it("sends nothing that Chat Completions does not know", () => {
    const body = toChatBody({
      ...asked,
      request: request("hello", {
        options: {
          keepAlive: "10m",
          repeatPenalty: 1.1,
          contextWindow: 4096,
          thinking: true,
          json: true,
        },
      }),
    });
    expect(Object.keys(body).toSorted()).toEqual([
      "messages",
      "model",
      "response_format",
      "stream",
      "stream_options",
    ]);
  });

  it("joins the system messages at the beginning, where a second would be refused", () => {
    const conversation = request([
      { role: "system", text: "Be kind." },
      { role: "system", text: "Be brief." },
      { role: "user", text: "hello" },
    ]);
    const roles = (dialect: typeof official): unknown =>
      toChatBody({ ...asked, dialect, request: conversation }).messages;
    expect(roles(compatible)).toEqual([
      { role: "system", content: "Be kind.\n\nBe brief." },
      { role: "user", content: "hello" },
    ]);
    expect(roles(official)).toHaveLength(3);
  });

  it("asks for JSON in words where the server cannot force it", () => {
    const json = request("hello", { options: { json: true } });
    const unable = { ...card, jsonMode: false };
    const body = toChatBody({ ...asked, card: unable, request: json });
    expect(body).not.toHaveProperty("response_format");
    expect(body.messages[0]?.content).toMatch(/JSON/);
  });

  it("leaves the stream's fields out of a request for a whole answer", () => {
    const whole = { ...card, streaming: false };
    const body = toChatBody({ ...asked, card: whole, request: request("hi") });
    expect(body.stream).toBe(false);
    expect(body).not.toHaveProperty("stream_options");
  });

  it("shows images to models that see, and a line of text to others", () => {
    const seen = request([
      {
        role: "user",
        text: "What is this?",
        images: [{ mediaType: "image/png", data: "aGVsbG8=" }],
      },
    ]);
    const able = { ...card, vision: true };
    expect(toChatBody({ ...asked, card: able, request: seen }).messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "What is this?" },
          {
            type: "image_url",
            image_url: { url: "data:image/png;base64,aGVsbG8=" },
          },
        ],
      },
    ]);
    expect(toChatBody({ ...asked, request: seen }).messages).toEqual([
      {
        role: "user",
        content: "What is this?\n[image: not visible to this model]",
      },
    ]);
  });
});
