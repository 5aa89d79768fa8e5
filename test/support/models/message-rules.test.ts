import { describe, expect, it } from "vitest";
import {
  validateOllamaMessages,
  validateOpenAiMessages,
} from "./message-rules.ts";
import { ollamaRequestProblems } from "./ollama-request-rules.ts";
import { openAiMessageProblems } from "./openai-message-rules.ts";
import { openAiRequestProblems } from "./openai-request-rules.ts";

const user = { role: "user", content: "What is the weather in Kyjiw? ☀️" };
const system = { role: "system", content: "Be brief." };
const call = (id: string, overrides: object = {}) => ({
  id,
  type: "function",
  function: {
    name: "get_weather",
    arguments: '{"city":"Kyjiw"}',
    ...overrides,
  },
});
const asks = (...calls: object[]) => ({
  role: "assistant",
  content: null,
  tool_calls: calls,
});
const result = (id: string) => ({
  role: "tool",
  tool_call_id: id,
  content: "21 °C",
});
const tool = (name: string, definition: object = {}) => ({
  type: "function",
  function: {
    name,
    description: "Weather of a city.",
    parameters: { type: "object", properties: {} },
    ...definition,
  },
});
const png = "iVBORw0KGgo=";

/** rule → [what breaks it, how the problem begins to read, what keeps it]. */
type Case = readonly [
  rule: string,
  broken: unknown,
  problem: RegExp,
  valid: unknown,
];

const openAiCases: Case[] = [
  [
    "messages are there",
    undefined,
    /Missing required parameter: 'messages'/,
    [user],
  ],
  ["messages are a list", { 0: user }, /expected an array/, [user]],
  ["messages are not empty", [], /empty array/, [user]],
  [
    "a message is an object",
    ["hi", user],
    /messages\[0\].*expected an object/,
    [system, user],
  ],
  [
    "roles are known",
    [{ role: "human", content: "hi" }, user],
    /Invalid value: 'human'/,
    [{ role: "developer", content: "hi" }, user],
  ],
  [
    "the old function role is gone",
    [user, { role: "function", name: "a", content: "1" }],
    /Invalid value: 'function'/,
    [user, asks(call("a")), result("a")],
  ],
  [
    "system content is text",
    [
      {
        role: "system",
        content: [
          { type: "image_url", image_url: { url: "https://a.b/c.png" } },
        ],
      },
      user,
    ],
    /Supported values are: 'text'/,
    [{ role: "system", content: [{ type: "text", text: "hi" }] }, user],
  ],
  [
    "names have no spaces",
    [{ ...user, name: "Ann Lee" }],
    /messages\[0\]\.name.*pattern/,
    [{ ...user, name: "Ann_Lee" }],
  ],
  [
    "user content is not null",
    [{ role: "user", content: null }],
    /expected a string, got null/,
    [user],
  ],
  [
    "user content is no number",
    [{ role: "user", content: 7 }],
    /expected a string, got number/,
    [{ role: "user", content: "7" }],
  ],
  [
    "user parts are not empty",
    [{ role: "user", content: [] }],
    /content': empty array/,
    [{ role: "user", content: [{ type: "text", text: "hi" }] }],
  ],
  [
    "user parts are text or images",
    [{ role: "user", content: [{ type: "image", image: png }] }],
    /Invalid value: 'image'/,
    [
      {
        role: "user",
        content: [
          { type: "text", text: "?" },
          {
            type: "image_url",
            image_url: { url: `data:image/png;base64,${png}` },
          },
        ],
      },
    ],
  ],
  [
    "a text part has text",
    [{ role: "user", content: [{ type: "text" }] }],
    /Missing required parameter: 'messages\[0\]\.content\[0\]\.text'/,
    [user],
  ],
  [
    "an image has an address",
    [
      {
        role: "user",
        content: [{ type: "image_url", image_url: "https://a.b/c.png" }],
      },
    ],
    /expected an object with a 'url'/,
    [
      {
        role: "user",
        content: [
          { type: "image_url", image_url: { url: "https://a.b/c.png" } },
        ],
      },
    ],
  ],
  [
    "image data is base64 with its type",
    [
      {
        role: "user",
        content: [{ type: "image_url", image_url: { url: png } }],
      },
    ],
    /Expected a http\(s\) address or a base64-encoded data URL/,
    [
      {
        role: "user",
        content: [
          {
            type: "image_url",
            image_url: { url: `data:image/webp;base64,${png}` },
          },
        ],
      },
    ],
  ],
  [
    "no assistant message is empty",
    [user, { role: "assistant", content: "" }, user],
    /must not be empty/,
    [user, { role: "assistant", content: "Hi." }, user],
  ],
  [
    "content may be null only with calls",
    [user, { role: "assistant", content: null }, user],
    /messages\.\[1\]\.content.*got null/,
    [user, asks(call("a")), result("a")],
  ],
  [
    "content may be missing only with calls",
    [user, { role: "assistant" }, user],
    /expected a string, got null/,
    [user, { role: "assistant", tool_calls: [call("a")] }, result("a")],
  ],
  [
    "tool_calls is not an empty list",
    [user, { role: "assistant", content: "Hi.", tool_calls: [] }, user],
    /tool_calls': empty array/,
    [user, { role: "assistant", content: "Hi." }, user],
  ],
  [
    "a call's id is not empty",
    [user, asks(call("")), result("")],
    /tool_calls\[0\]\.id'.*but got ""/,
    [user, asks(call("call_1")), result("call_1")],
  ],
  [
    "a call's id has at most 40 characters",
    [user, asks(call("c".repeat(41))), result("c".repeat(41))],
    /tool_calls\[0\]\.id/,
    [user, asks(call("c".repeat(40))), result("c".repeat(40))],
  ],
  [
    "a call's id is plain",
    [user, asks(call("functions.a:0")), result("functions.a:0")],
    /tool_calls\[0\]\.id/,
    [user, asks(call("functions-a_0")), result("functions-a_0")],
  ],
  [
    "ids are unique in a message",
    [user, asks(call("a"), call("a")), result("a"), result("a")],
    /Duplicate value for 'tool_call_id' of "a"/,
    [user, asks(call("a"), call("b")), result("a"), result("b")],
  ],
  [
    "a call has a type",
    [user, asks({ ...call("a"), type: undefined }), result("a")],
    /tool_calls\[0\]\.type/,
    [user, asks(call("a")), result("a")],
  ],
  [
    "a call has a function",
    [user, asks({ id: "a", type: "function" }), result("a")],
    /tool_calls\[0\]\.function'/,
    [user, asks(call("a")), result("a")],
  ],
  [
    "a called name is plain",
    [user, asks(call("a", { name: "files.read" })), result("a")],
    /function\.name': string does not match/,
    [user, asks(call("a", { name: "files_read-2" })), result("a")],
  ],
  [
    "a called name has at most 64 characters",
    [user, asks(call("a", { name: "n".repeat(65) })), result("a")],
    /at most 64/,
    [user, asks(call("a", { name: "n".repeat(64) })), result("a")],
  ],
  [
    "arguments are text",
    [user, asks(call("a", { arguments: { city: "Kyjiw" } })), result("a")],
    /function\.arguments': expected a string/,
    [user, asks(call("a", { arguments: "{}" })), result("a")],
  ],
  [
    "arguments are JSON",
    [user, asks(call("a", { arguments: '{"city": "Ky' })), result("a")],
    /holding a JSON object/,
    [user, asks(call("a", { arguments: '{"city": "Ky"}' })), result("a")],
  ],
  [
    "arguments are an object",
    [user, asks(call("a", { arguments: "[1]" })), result("a")],
    /holding a JSON object/,
    [user, asks(call("a")), result("a")],
  ],
  [
    "every call is answered",
    [user, asks(call("a"), call("b")), result("a"), user],
    /did not have response messages: b/,
    [user, asks(call("a"), call("b")), result("b"), result("a"), user],
  ],
  [
    "the last calls are answered too",
    [user, asks(call("a"))],
    /did not have response messages: a/,
    [user, asks(call("a")), result("a")],
  ],
  [
    "nothing stands between call and answer",
    [user, asks(call("a")), system, result("a")],
    /did not have response messages: a/,
    [user, asks(call("a")), result("a"), system],
  ],
  [
    "a call is answered once",
    [user, asks(call("a")), result("a"), result("a")],
    /answered twice/,
    [user, asks(call("a")), result("a"), user, asks(call("a")), result("a")],
  ],
  [
    "an answer needs a call before it",
    [user, result("a")],
    /must be a response to a preceeding message/,
    [user, asks(call("a")), result("a")],
  ],
  [
    "an answer names an asked id",
    [user, asks(call("a")), result("b")],
    /'b' not found/,
    [user, asks(call("a")), result("a")],
  ],
  [
    "an answer has an id",
    [user, asks(call("a")), { role: "tool", content: "1" }],
    /Missing required parameter: 'messages\[2\]\.tool_call_id'/,
    [user, asks(call("a")), result("a")],
  ],
  [
    "an answer has content",
    [user, asks(call("a")), { ...result("a"), content: null }],
    /expected a string, got null/,
    [user, asks(call("a")), { ...result("a"), content: "" }],
  ],
  [
    "someone said something",
    [system],
    /at least one message with role 'user' or 'tool'/,
    [system, user],
  ],
  [
    "the assistant does not speak last",
    [user, { role: "assistant", content: "Hi." }],
    /last message must not have role 'assistant'/,
    [user, { role: "assistant", content: "Hi." }, user],
  ],
  [
    "texts are whole characters",
    [{ role: "user", content: "half a \ud83d smile" }],
    /lone surrogate/,
    [{ role: "user", content: "a \ud83d\ude00 smile" }],
  ],
  [
    "arguments are whole characters",
    [user, asks(call("a", { arguments: '{"city":"\ud83d"}' })), result("a")],
    /lone surrogate/,
    [user, asks(call("a")), result("a")],
  ],
  [
    "an image part is an object",
    [{ role: "user", content: [null] }],
    /content\[0\]\.type/,
    [user],
  ],
  [
    "a text part's text is text",
    [{ role: "user", content: [{ type: "text", text: 5 }] }],
    /content\[0\]\.text/,
    [user],
  ],
  [
    "assistant parts are text or refusals",
    [
      user,
      {
        role: "assistant",
        content: [{ type: "image_url", image_url: { url: "https://a.b/c" } }],
      },
      user,
    ],
    /'text', 'refusal'/,
    [
      user,
      { role: "assistant", content: [{ type: "refusal", refusal: "no" }] },
      user,
    ],
  ],
  [
    "a refusal part has its text",
    [user, { role: "assistant", content: [{ type: "refusal" }] }, user],
    /content\[0\]\.refusal/,
    [user, { role: "assistant", content: null, refusal: "no" }, user],
  ],
  [
    "assistant content is no number",
    [user, { role: "assistant", content: 5 }, user],
    /got number/,
    [user, { role: "assistant", content: "5" }, user],
  ],
  [
    "tool_calls is a list",
    [user, { role: "assistant", content: "Hi.", tool_calls: call("a") }, user],
    /tool_calls'/,
    [user, asks(call("a")), result("a")],
  ],
  [
    "tool_calls that is no list excuses no missing content",
    [
      user,
      { role: "assistant", content: null, tool_calls: { length: 1 } },
      user,
    ],
    /got null/,
    [user, asks(call("a")), result("a")],
  ],
  [
    "a call is an object",
    [user, { role: "assistant", content: "Hi.", tool_calls: [null] }, user],
    /tool_calls\[0\]\.function/,
    [user, asks(call("a")), result("a")],
  ],
  [
    "a call's id is text",
    [
      user,
      {
        role: "assistant",
        content: null,
        tool_calls: [{ ...call("1"), id: 1 }],
      },
      user,
    ],
    /tool_calls\[0\]\.id'.*but got 1 /,
    [user, asks(call("1")), result("1")],
  ],
  [
    "a call's name is there",
    [user, asks(call("a", { name: undefined })), result("a")],
    /function\.name/,
    [user, asks(call("a")), result("a")],
  ],
];

const idCodes = (id: unknown) =>
  openAiMessageProblems([
    user,
    {
      role: "assistant",
      content: null,
      tool_calls: [{ ...call("a"), id }],
    },
    user,
  ])
    .filter(({ param }) => param === "messages[1].tool_calls[0].id")
    .map(({ code }) => code);

describe("OpenAI's message rules", () => {
  it.each(openAiCases)("%s", (_rule, broken, problem, valid) => {
    expect(validateOpenAiMessages(broken).join("\n")).toMatch(problem);
    expect(validateOpenAiMessages(valid)).toEqual([]);
  });

  it("says everything that is wrong, once", () => {
    expect(
      validateOpenAiMessages([system, asks(call("")), result("")]),
    ).toHaveLength(1);
    expect(
      validateOpenAiMessages([{ role: "user", content: null }, result("a")]),
    ).toHaveLength(2);
  });

  it("gives the vendor's code with a problem", () => {
    expect([idCodes("c".repeat(41)), idCodes("c d"), idCodes(7)]).toEqual([
      ["string_above_max_length"],
      ["invalid_value"],
      ["invalid_value"],
    ]);
  });

  it("has an option for templates that want the system message first", () => {
    const messages = [system, user, system];
    expect(validateOpenAiMessages(messages)).toEqual([]);
    expect(
      validateOpenAiMessages(messages, undefined, { systemOnlyFirst: true }),
    ).toHaveLength(1);
    expect(
      validateOpenAiMessages([system, user], undefined, {
        systemOnlyFirst: true,
      }),
    ).toEqual([]);
  });

  it.each([
    [
      "a text has words",
      [user, { role: "assistant", content: "\n" }, user],
      "messages: text content blocks must contain non-whitespace text",
    ],
    [
      "a text beside a call has words",
      [user, { ...asks(call("a")), content: " " }, result("a")],
      "messages: text content blocks must contain non-whitespace text",
    ],
    [
      "a part has words",
      [{ role: "user", content: [{ type: "text", text: " " }] }],
      "messages: text content blocks must contain non-whitespace text",
    ],
    [
      "a person begins",
      [system, { role: "assistant", content: "Hi." }, user],
      'first message must use the "user" role',
    ],
    [
      "calls come behind a person's words or results",
      [
        user,
        { role: "assistant", content: "Hi." },
        asks(call("a")),
        result("a"),
      ],
      "function call turn comes immediately after a user turn",
    ],
  ])(
    "has an option for Anthropic's and Google's endpoints: %s",
    (_rule, messages, expected) => {
      expect(validateOpenAiMessages(messages)).toEqual([]);
      const strict = { compatibleEndpoints: true };
      expect(validateOpenAiMessages(messages, undefined, strict)).toEqual([
        expect.stringContaining(expected),
      ]);
      const round = [asks(call("a")), { ...result("a"), content: "" }];
      const said = { role: "assistant", content: "Hi." };
      const fine = [system, user, ...round, said, user];
      expect(validateOpenAiMessages(fine, undefined, strict)).toEqual([]);
    },
  );
});

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => tool(`tool_${index}`));
const toolCases: Case[] = [
  ["tools are a list", {}, /expected an array/, [tool("a")]],
  ["tools are not an empty list", [], /'tools': empty array/, undefined],
  ["there are at most 128", numbered(129), /maximum length 128/, numbered(128)],
  [
    "names are unique",
    [tool("a"), tool("a")],
    /'a' is used twice/,
    [tool("a"), tool("b")],
  ],
  [
    "names are plain",
    [tool("files.read")],
    /name': string does not match/,
    [tool("files_read")],
  ],
  [
    "names have at most 64 characters",
    [tool("n".repeat(65))],
    /at most 64/,
    [tool("n".repeat(64))],
  ],
  [
    "the type is function",
    [{ name: "a", input_schema: {} }],
    /tools\[0\]\.type/,
    [tool("a")],
  ],
  [
    "there is a function",
    [{ type: "function", name: "a" }],
    /tools\[0\]\.function/,
    [tool("a")],
  ],
  [
    "descriptions have at most 1024 characters",
    [tool("a", { description: "d".repeat(1025) })],
    /maximum length 1024/,
    [tool("a", { description: "d".repeat(1024) })],
  ],
  [
    "descriptions are text",
    [tool("a", { description: 5 })],
    /expected a string/,
    [tool("a")],
  ],
  [
    "parameters are an object schema",
    [tool("a", { parameters: { type: "string" } })],
    /must be a JSON Schema of 'type: "object"'/,
    [tool("a", { parameters: { type: "object" } })],
  ],
  [
    "parameters are no union",
    [tool("a", { parameters: { type: "object", anyOf: [{}] } })],
    /not have 'anyOf' at the top level/,
    [
      tool("a", {
        parameters: {
          type: "object",
          properties: { x: { anyOf: [{ type: "string" }] } },
        },
      }),
    ],
  ],
  [
    "lists say what they hold",
    [
      tool("a", {
        parameters: { type: "object", properties: { tags: { type: "array" } } },
      }),
    ],
    /\('properties', 'tags'\), array schema missing items/,
    [
      tool("a", {
        parameters: {
          type: "object",
          properties: { tags: { type: "array", items: { type: "string" } } },
        },
      }),
    ],
  ],
  [
    "lists deep inside too",
    [
      tool("a", {
        parameters: {
          type: "object",
          properties: { x: { anyOf: [{ type: ["array", "null"] }] } },
        },
      }),
    ],
    /missing items/,
    [tool("a")],
  ],
  [
    "required is a list of names",
    [tool("a", { parameters: { type: "object", required: true } })],
    /'required' is required to be an array/,
    [
      tool("a", {
        parameters: { type: "object", required: ["x"], properties: { x: {} } },
      }),
    ],
  ],
  [
    "properties are an object",
    [tool("a", { parameters: { type: "object", properties: [] } })],
    /'properties' is required to be an object/,
    [tool("a")],
  ],
  [
    "texts are whole characters",
    [tool("a", { description: "\udc00" })],
    /lone surrogate/,
    [tool("a")],
  ],
  ["a tool is an object", [null], /tools\[0\]\.type/, [tool("a")]],
  [
    "a tool has a name",
    [tool("a", { name: undefined })],
    /function\.name/,
    [tool("a")],
  ],
  [
    "parameters are no list",
    [tool("a", { parameters: [] })],
    /must be a JSON Schema/,
    [tool("a")],
  ],
  [
    "a property is a schema",
    [
      tool("a", {
        parameters: { type: "object", properties: { x: "string" } },
      }),
    ],
    /'x' is not of type 'object', 'boolean'/,
    [tool("a", { parameters: { type: "object", properties: { x: true } } })],
  ],
  [
    "lists in lists say what they hold",
    [
      tool("a", {
        parameters: {
          type: "object",
          properties: { x: { type: "array", items: { type: "array" } } },
        },
      }),
    ],
    /'x', 'items'\), array schema missing items/,
    [
      tool("a", {
        parameters: {
          type: "object",
          properties: {
            x: { type: "array", items: { type: "array", items: {} } },
          },
        },
      }),
    ],
  ],
];

describe("the rules for tools, on both wires", () => {
  it.each(toolCases)("%s", (_rule, broken, problem, valid) => {
    expect(validateOpenAiMessages([user], broken).join("\n")).toMatch(problem);
    expect(validateOllamaMessages([user], broken).join("\n")).toMatch(problem);
    expect(validateOpenAiMessages([user], valid)).toEqual([]);
    expect(validateOllamaMessages([user], valid)).toEqual([]);
  });
});

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
  [
    "temperature is in range",
    { temperature: 2.5 },
    /Invalid 'temperature'/,
    { temperature: 2 },
  ],
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
    expect(openAiRequestProblems(body, { reasoningModel: true })).toMatchObject(
      [
        { param: "max_tokens", code: "unsupported_parameter" },
        { param: "temperature", code: "unsupported_value" },
      ],
    );
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
    expect(openAiRequestProblems(body, { extraParameters: ["top_k"] })).toEqual(
      [],
    );
  });
});

const nativeCall = (name: string, args: unknown = { city: "Kyjiw" }) => ({
  function: { name, arguments: args },
});
const nativeAsks = (...calls: object[]) => ({
  role: "assistant",
  content: "",
  tool_calls: calls,
});
const nativeResult = (name?: string) => ({
  role: "tool",
  content: "21 °C",
  ...(name === undefined ? {} : { tool_name: name }),
});

const ollamaCases: Case[] = [
  ["messages are there", undefined, /at least one message/, [user]],
  ["messages are not empty", [], /at least one message/, [user]],
  [
    "roles are known",
    [{ role: "developer", content: "hi" }, user],
    /invalid role: developer/,
    [system, user],
  ],
  [
    "content is text",
    [{ role: "user", content: [{ type: "text", text: "hi" }] }],
    /cannot unmarshal array/,
    [user],
  ],
  [
    "content is not null",
    [user, { role: "assistant", content: null }, user],
    /cannot unmarshal null/,
    [user, { role: "assistant", content: "Hi." }, user],
  ],
  [
    "no assistant message is empty",
    [user, { role: "assistant", content: "" }, user],
    /must not be empty/,
    [user, nativeAsks(nativeCall("a")), nativeResult("a")],
  ],
  [
    "only an assistant thinks",
    [{ ...user, thinking: "hm" }],
    /only of an assistant/,
    [user, { role: "assistant", content: "Hi.", thinking: "hm" }, user],
  ],
  [
    "images are base64",
    [{ ...user, images: [`data:image/png;base64,${png}`] }],
    /illegal base64/,
    [{ ...user, images: [png] }],
  ],
  [
    "images are a list",
    [{ ...user, images: png }],
    /expected a list of base64/,
    [{ ...user, images: [png] }],
  ],
  [
    "only people send images",
    [{ ...system, images: [png] }, user],
    /not allowed in role system/,
    [system, { ...user, images: [png] }],
  ],
  [
    "arguments are an object",
    [user, nativeAsks(nativeCall("a", "{}")), nativeResult("a")],
    /cannot unmarshal string/,
    [user, nativeAsks(nativeCall("a", {})), nativeResult("a")],
  ],
  [
    "called names are plain",
    [user, nativeAsks(nativeCall("files.read")), nativeResult("files.read")],
    /function\.name/,
    [user, nativeAsks(nativeCall("files_read")), nativeResult("files_read")],
  ],
  [
    "only an assistant calls",
    [{ ...user, tool_calls: [nativeCall("a")] }],
    /only of an assistant/,
    [user, nativeAsks(nativeCall("a")), nativeResult("a")],
  ],
  [
    "every call is answered",
    [
      user,
      nativeAsks(nativeCall("a"), nativeCall("b")),
      nativeResult("a"),
      user,
    ],
    /1 tool call\(s\) before it have no tool message: b/,
    [
      user,
      nativeAsks(nativeCall("a"), nativeCall("b")),
      nativeResult("a"),
      nativeResult("b"),
      user,
    ],
  ],
  [
    "the last calls are answered too",
    [user, nativeAsks(nativeCall("a"))],
    /no tool message: a/,
    [user, nativeAsks(nativeCall("a")), nativeResult()],
  ],
  [
    "nothing stands between call and answer",
    [user, nativeAsks(nativeCall("a")), user, nativeResult("a")],
    /no tool message: a/,
    [user, nativeAsks(nativeCall("a")), nativeResult("a"), user],
  ],
  [
    "a call is answered once",
    [user, nativeAsks(nativeCall("a")), nativeResult("a"), nativeResult("a")],
    /answers no open call/,
    [
      user,
      nativeAsks(nativeCall("a"), nativeCall("a")),
      nativeResult("a"),
      nativeResult("a"),
    ],
  ],
  [
    "an answer names what was called",
    [user, nativeAsks(nativeCall("a")), nativeResult("b")],
    /tool_name "b"/,
    [user, nativeAsks(nativeCall("a")), nativeResult("a")],
  ],
  [
    "ids bind where both sides have them",
    [
      user,
      nativeAsks({ id: "1", ...nativeCall("a") }),
      { ...nativeResult("a"), tool_call_id: "2" },
    ],
    /answers no open call/,
    [
      user,
      nativeAsks({ id: "1", ...nativeCall("a") }),
      { ...nativeResult("a"), tool_call_id: "1" },
    ],
  ],
  [
    "an answer needs a call before it",
    [user, nativeResult("a")],
    /without a tool call before it/,
    [user, nativeAsks(nativeCall("a")), nativeResult("a")],
  ],
  [
    "someone said something",
    [system],
    /no message has role user or tool/,
    [system, user],
  ],
  [
    "the assistant does not speak last",
    [user, { role: "assistant", content: "Hi." }],
    /last message must not have role assistant/,
    [user],
  ],
  [
    "texts are whole characters",
    [{ role: "user", content: "\udc00" }],
    /lone surrogate/,
    [user],
  ],
  [
    "a message is an object",
    [null, user],
    /messages\[0\]: expected an object/,
    [user],
  ],
  [
    "content may be missing only with calls",
    [user, { role: "assistant" }, user],
    /cannot unmarshal undefined/,
    [
      user,
      { role: "assistant", tool_calls: [nativeCall("a")] },
      nativeResult("a"),
    ],
  ],
  [
    "empty calls excuse no missing content",
    [user, { role: "assistant", tool_calls: [] }, user],
    /cannot unmarshal undefined/,
    [user, { role: "assistant", content: "", thinking: "hm" }, user],
  ],
  [
    "thoughts are text and excuse empty content only when there are some",
    [user, { role: "assistant", content: "", thinking: "" }, user],
    /must not be empty/,
    [user, { role: "assistant", content: "", thinking: "hm" }, user],
  ],
  [
    "calls are a list",
    [
      user,
      { role: "assistant", content: "Hi.", tool_calls: nativeCall("a") },
      user,
    ],
    /a non-empty list/,
    [user, nativeAsks(nativeCall("a")), nativeResult("a")],
  ],
  [
    "a call is an object with a function",
    [user, { role: "assistant", content: "Hi.", tool_calls: [null, {}] }, user],
    /tool_calls\[1\]\.function: missing/,
    [user, nativeAsks(nativeCall("a")), nativeResult("a")],
  ],
  [
    "a call has a name",
    [user, nativeAsks({ function: { arguments: {} } }), nativeResult()],
    /function\.name: missing/,
    [user, nativeAsks({ id: "1", ...nativeCall("a") }), nativeResult("a")],
  ],
];

describe("Ollama's message rules", () => {
  it.each(ollamaCases)("%s", (_rule, broken, problem, valid) => {
    expect(validateOllamaMessages(broken).join("\n")).toMatch(problem);
    expect(validateOllamaMessages(valid)).toEqual([]);
  });
});

const ollamaRequestCases: Case[] = [
  [
    "num_ctx is always there",
    { options: { temperature: 1 } },
    /num_ctx is missing/,
    { options: { num_ctx: 8192, temperature: 1 } },
  ],
  [
    "options are always there",
    { options: undefined },
    /num_ctx is missing/,
    {},
  ],
  [
    "num_ctx is a positive integer",
    { options: { num_ctx: 0 } },
    /num_ctx/,
    { options: { num_ctx: 1 } },
  ],
  [
    "options are known",
    { options: { num_ctx: 1, max_tokens: 5 } },
    /invalid option provided: "max_tokens"/,
    { options: { num_ctx: 1, num_predict: 5 } },
  ],
  [
    "integers are integers",
    { options: { num_ctx: 1, top_k: 0.5 } },
    /"top_k" must be of type integer/,
    { options: { num_ctx: 1, top_k: 5 } },
  ],
  [
    "numbers are numbers",
    { options: { num_ctx: 1, temperature: "0.5" } },
    /"temperature" must be of type float32/,
    { options: { num_ctx: 1, temperature: 0.5 } },
  ],
  [
    "switches are switches",
    { options: { num_ctx: 1, use_mmap: 1 } },
    /"use_mmap" must be of type boolean/,
    { options: { num_ctx: 1, use_mmap: true } },
  ],
  [
    "stop is a list",
    { options: { num_ctx: 1, stop: "END" } },
    /array of strings/,
    { options: { num_ctx: 1, stop: ["END"] } },
  ],
  [
    "keep_alive has a unit",
    { keep_alive: "10" },
    /missing unit in duration "10"/,
    { keep_alive: "10m" },
  ],
  [
    "keep_alive may be seconds",
    { keep_alive: "forever" },
    /duration/,
    { keep_alive: -1 },
  ],
  [
    "think is a switch or a level",
    { think: "max" },
    /invalid think value/,
    { think: "low" },
  ],
  [
    "format is json or a schema",
    { format: "yaml" },
    /invalid format/,
    { format: { type: "object" } },
  ],
  [
    "parameters are known",
    { tool_choice: "none" },
    /unknown field "tool_choice"/,
    { format: "json" },
  ],
];

const ollamaTexts = (extra: unknown) =>
  ollamaRequestProblems({
    model: "m",
    messages: [user],
    options: { num_ctx: 8192 },
    ...(extra as object),
  }).map(({ message }) => message);

describe("Ollama's rules for the rest of a request", () => {
  it.each(ollamaRequestCases)("%s", (_rule, broken, problem, valid) => {
    expect(ollamaTexts(broken).join("\n")).toMatch(problem);
    expect(ollamaTexts(valid)).toEqual([]);
  });
});
