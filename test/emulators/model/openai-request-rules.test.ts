import { describe, expect, it } from "vitest";
import { openAiRequestProblems } from "./openai-request-rules.ts";
import { user, tool, type Case } from "./rule-cases.ts";

const tools = [tool("get_weather")];
const requestCases: Case[] = [
  [
    "tool_choice only with tools",
    { tool_choice: "auto" },
    /only allowed when 'tools' are specified/,
    { tool_choice: "auto", tools },
  ],
  [
    "tool_choice is known",
    { tool_choice: "any", tools },
    /Supported values are: 'none', 'auto', 'required'/,
    { tool_choice: "none", tools },
  ],
  [
    "tool_choice names an offered tool",
    { tool_choice: { type: "function", function: { name: "b" } }, tools },
    /no function named 'b'/,
    {
      tool_choice: { type: "function", function: { name: "get_weather" } },
      tools,
    },
  ],
  [
    "parallel_tool_calls only with tools",
    { parallel_tool_calls: false },
    /only allowed when 'tools'/,
    { parallel_tool_calls: false, tools },
  ],
  [
    "parameters are known",
    { repeat_penalty: 1.1 },
    /Unrecognized request argument supplied: repeat_penalty/,
    { presence_penalty: 1 },
  ],
  [
    "stream_options only with stream",
    { stream_options: { include_usage: true } },
    /only allowed when 'stream' is enabled/,
    { stream: true, stream_options: { include_usage: true } },
  ],
  [
    "response_format is known",
    { response_format: "json" },
    /Supported types are/,
    { response_format: { type: "text" } },
  ],
  [
    "JSON mode says json",
    { response_format: { type: "json_object" } },
    /must contain the word 'json'/,
    {
      response_format: { type: "json_object" },
      messages: [{ role: "user", content: "as JSON" }],
    },
  ],
  ["temperature is in range", { temperature: 2.5 }, /Invalid 'temperature'/, { temperature: 2 }],
  [
    "max_completion_tokens is at least 1",
    { max_completion_tokens: 0 },
    /Invalid 'max_completion_tokens'/,
    { max_completion_tokens: 1 },
  ],
  [
    "tool_choice of a custom kind has a name",
    { tool_choice: { type: "function" }, tools },
    /Supported values are: 'none'/,
    {
      tool_choice: {
        type: "allowed_tools",
        allowed_tools: { mode: "auto", tools: [] },
      },
      tools,
    },
  ],
];

const openAiTexts = (extra: unknown) =>
  openAiRequestProblems({
    model: "m",
    messages: [user],
    ...(extra as object),
  }).map(({ message }) => message);

describe("OpenAI's rules for the rest of a request", () => {
  it.each(requestCases)("%s", (_rule, broken, problem, valid) => {
    expect(openAiTexts(broken).join("\n")).toMatch(problem);
    expect(openAiTexts(valid)).toEqual([]);
  });

  it("refuses what reasoning models refuse, with the vendor's codes", () => {
    const body = {
      model: "m",
      messages: [user],
      max_tokens: 10,
      temperature: 0.7,
    };
    expect(openAiRequestProblems(body)).toEqual([]);
    expect(openAiRequestProblems(body, { reasoningModel: true })).toMatchObject([
      { param: "max_tokens", code: "unsupported_parameter" },
      { param: "temperature", code: "unsupported_value" },
    ]);
    expect(
      openAiRequestProblems(
        {
          model: "m",
          messages: [user],
          max_completion_tokens: 10,
          temperature: 1,
        },
        { reasoningModel: true },
      ),
    ).toEqual([]);
  });

  it("lets a server know more parameters", () => {
    const body = { model: "m", messages: [user], top_k: 40 };
    expect(openAiRequestProblems(body)).toHaveLength(1);
    expect(openAiRequestProblems(body, { extraParameters: ["top_k"] })).toEqual([]);
  });
});
