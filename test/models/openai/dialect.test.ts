import { describe, expect, it } from "vitest";
import type { ModelOptions } from "../../../src/core/model.ts";
import { presumedCard } from "../../../src/models/openai/card.ts";
import { toChatBody } from "../../../src/models/openai/chat/request.ts";
import type { PresetName } from "../../../src/models/openai/dialect.ts";
import { dialectOf } from "../../../src/models/openai/dialect.ts";
import { card, request, user } from "../helpers.ts";

const all: ModelOptions = {
  temperature: 0.5,
  maxOutputTokens: 100,
  contextWindow: 4096,
  repeatPenalty: 1.1,
  keepAlive: "10m",
  json: true,
  thinking: false,
};

/** What a preset adds to model, messages and stream, for a model that can think. */
function fieldsOf(preset: PresetName, options: ModelOptions = all): object {
  const dialect = dialectOf("http://127.0.0.1:9/v1", preset);
  const {
    model: _,
    messages: __,
    stream: ___,
    ...fields
  } = toChatBody({
    model: "m",
    card: {
      ...presumedCard({ id: "a/m", model: "m", dialect, isOfficial: false }),
      thinking: true,
    },
    dialect,
    request: request("JSON, please", { options }),
  });
  return fields;
}

const usage = { stream_options: { include_usage: true } };
const common = { temperature: 0.5, max_tokens: 100 };
const json = { response_format: { type: "json_object" } };

describe("what each server is sent", () => {
  it.each<[PresetName, object]>([
    ["lmstudio", { ...common, ...usage, repeat_penalty: 1.1 }],
    [
      "llamacpp",
      {
        ...common,
        ...usage,
        ...json,
        repeat_penalty: 1.1,
        chat_template_kwargs: { enable_thinking: false, thinking: false },
      },
    ],
    [
      "vllm",
      {
        ...common,
        ...usage,
        ...json,
        repetition_penalty: 1.1,
        chat_template_kwargs: { enable_thinking: false, thinking: false },
      },
    ],
    ["mistral", { ...common, ...json }],
    [
      "openrouter",
      {
        ...common,
        ...json,
        repetition_penalty: 1.1,
        reasoning: { effort: "none" },
      },
    ],
    ["anthropic", { ...common, ...usage }],
    ["google", { ...common, ...usage, ...json, reasoning_effort: "low" }],
  ])("%s", (preset, expected) => {
    expect(fieldsOf(preset)).toEqual(expected);
  });

  it.each<[PresetName, object]>([
    ["lmstudio", {}],
    ["llamacpp", { chat_template_kwargs: { enable_thinking: true, thinking: true } }],
    ["openrouter", { reasoning: { enabled: true } }],
    ["anthropic", {}],
    [
      "google",
      {
        extra_body: { google: { thinking_config: { include_thoughts: true } } },
      },
    ],
  ])("makes %s think", (preset, expected) => {
    const { stream_options: _, ...fields } = fieldsOf(preset, {
      thinking: true,
    }) as Record<string, unknown>;
    expect(fields).toEqual(expected);
  });

  it("gives Gemini its own signatures back, and no others next to them", () => {
    const dialect = dialectOf("", "google");
    const extras = { extra_content: { google: { thought_signature: "real" } } };
    const { messages } = toChatBody({
      model: "gemini",
      card,
      dialect,
      request: request([
        user("Time?"),
        {
          role: "assistant",
          text: "",
          calls: [
            { id: "t1_0_0", name: "clock", arguments: "{}", extras },
            { id: "t1_0_1", name: "clock", arguments: "{}" },
          ],
        },
        { role: "tool", callId: "t1_0_0", name: "clock", text: "noon" },
        { role: "tool", callId: "t1_0_1", name: "clock", text: "one" },
      ]),
    });
    const [first, second] = Object(messages[1]).tool_calls as object[];
    expect(first).toMatchObject(extras);
    expect(second).not.toHaveProperty("extra_content");
  });

  it("gives Gemini a signature with every call that has none of its own", () => {
    const dialect = dialectOf("", "google");
    const { messages } = toChatBody({
      model: "gemini",
      card: presumedCard({
        id: "a/gemini",
        model: "gemini",
        dialect,
        isOfficial: false,
      }),
      dialect,
      request: request([
        { role: "user", text: "Time?" },
        {
          role: "assistant",
          text: "",
          calls: [{ id: "t1_0_0", name: "clock", arguments: "{}" }],
        },
        { role: "tool", callId: "t1_0_0", name: "clock", text: "noon" },
      ]),
    });
    expect(messages[1]).toEqual({
      role: "assistant",
      content: null,
      tool_calls: [
        {
          id: "t1_0_0",
          type: "function",
          function: { name: "clock", arguments: "{}" },
          extra_content: {
            google: { thought_signature: "skip_thought_signature_validator" },
          },
        },
      ],
    });
  });

  it.each([
    ["https://openrouter.ai/api/v1", "openrouter"],
    ["https://api.mistral.ai/v1", "mistral"],
    ["https://api.deepseek.com/v1", "deepseek"],
    ["https://api.moonshot.ai/v1", "moonshot"],
    ["https://api.moonshot.cn/v1", "moonshot"],
    ["https://api.kimi.com/coding/v1", "moonshot"],
    ["https://api.anthropic.com/v1", "anthropic"],
    ["https://generativelanguage.googleapis.com/v1beta/openai", "google"],
  ] as const)("knows %s by its address", (url, preset) => {
    expect(dialectOf(url)).toBe(dialectOf("", preset));
    expect(dialectOf("http://127.0.0.1:1234/v1")).not.toBe(dialectOf(url));
  });
});
