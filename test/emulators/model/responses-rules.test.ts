import { describe, expect, it } from "vitest";
import { sentences } from "./message-rules.ts";
import type { JsonObject } from "./problem.ts";
import { responsesRequestProblems } from "./responses-rules.ts";

const call = {
  type: "function_call",
  call_id: "c1",
  name: "get_time",
  arguments: "{}",
};
const output = { type: "function_call_output", call_id: "c1", output: "noon" };
const hello = { role: "user", content: "hello" };
const tool = {
  type: "function",
  name: "get_time",
  parameters: { type: "object", properties: {} },
  strict: false,
};

function problems(body: JsonObject, reasoningModel = false): string[] {
  return sentences(
    responsesRequestProblems({ model: "gpt-4o-mini", input: [hello], ...body }, { reasoningModel }),
  );
}

describe("the Responses API's rules", () => {
  it.each<[string, JsonObject]>([
    ["a text", { input: "hello" }],
    ["a message", {}],
    ["a round", { input: [hello, call, output] }],
    [
      "two calls answered in the other order",
      {
        input: [hello, call, { ...call, call_id: "c2" }, { ...output, call_id: "c2" }, output],
      },
    ],
    ["instructions and tools", { instructions: "Be kind.", tools: [tool] }],
    ["tool_choice none", { tools: [tool], tool_choice: "none" }],
    [
      "an image",
      {
        input: [
          {
            role: "user",
            content: [
              {
                type: "input_image",
                image_url: "data:image/png;base64,aGVsbG8=",
                detail: "auto",
              },
            ],
          },
        ],
      },
    ],
  ])("accept %s", (_, body) => {
    expect(problems(body)).toEqual([]);
  });

  it.each<[string, JsonObject, RegExp]>([
    ["no input", { input: undefined }, /Missing required parameter: 'input'/],
    ["an empty input", { input: [] }, /must not be empty/],
    ["a call without output", { input: [hello, call] }, /No tool output found/],
    ["an output without call", { input: [hello, output] }, /No tool call found/],
    ["an output before its call", { input: [hello, output, call] }, /No tool call found/],
    ["the same call twice", { input: [hello, call, call, output] }, /Duplicate function call with/],
    [
      "the same output twice",
      { input: [hello, call, output, output] },
      /Duplicate function call output/,
    ],
    ["an id of the vendor's", { input: [hello, { ...call, id: "fc_1" }, output] }, /not persisted/],
    ["broken arguments", { input: [hello, { ...call, arguments: '{"a"' }, output] }, /JSON object/],
    ["an invalid name", { input: [hello, { ...call, name: "a.b" }, output] }, /pattern/],
    ["no call id", { input: [hello, { ...call, call_id: "" }] }, /call_id/],
    [
      "the assistant's last word",
      { input: [hello, { role: "assistant", content: "hi" }] },
      /last item/,
    ],
    ["an unknown role", { input: [{ role: "tool", content: "x" }] }, /role/],
    [
      "Chat Completions' parts",
      { input: [{ role: "user", content: [{ type: "text", text: "x" }] }] },
      /input_text/,
    ],
    [
      "Chat Completions' tools",
      { tools: [{ type: "function", function: { name: "get_time" } }] },
      /tools\[0\]\.name/,
    ],
    [
      "a schema that cannot be strict",
      { tools: [{ ...tool, strict: undefined }] },
      /additionalProperties/,
    ],
    ["tool_choice without tools", { tool_choice: "none" }, /'tools'/],
    [
      "Chat Completions' parameters",
      { messages: [hello], max_tokens: 5 },
      /Unknown parameter: 'messages'/,
    ],
    ["too small a cap", { max_output_tokens: 15 }, />= 16/],
    [
      "JSON that nobody asked for in words",
      { text: { format: { type: "json_object" } }, instructions: "JSON!" },
      /word 'json'/,
    ],
    ["thinking of a model that cannot", { reasoning: { effort: "low" } }, /reasoning\.effort/],
    ["half a character", { input: "\ud83d" }, /surrogate/],
  ])("refuse %s", (_, body, reason) => {
    expect(problems(body).join("\n")).toMatch(reason);
  });

  it("refuse the temperature of a reasoning model, and know its efforts", () => {
    expect(problems({ temperature: 1 }, true).join()).toMatch(/temperature/);
    expect(problems({ reasoning: { effort: "low" } }, true)).toEqual([]);
    expect(problems({ reasoning: { effort: "big" } }, true).join()).toMatch(/big/);
  });
});
