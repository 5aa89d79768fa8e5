import { describe, expect, it } from "vitest";
import { validateOpenAiMessages } from "./message-rules.ts";
import { openAiMessageProblems } from "./openai-message-rules.ts";
import { user, system, call, asks, result, png, type Case } from "./rule-cases.ts";

const openAiCases: Case[] = [
  ["messages are there", undefined, /Missing required parameter: 'messages'/, [user]],
  ["messages are a list", { 0: user }, /expected an array/, [user]],
  ["messages are not empty", [], /empty array/, [user]],
  ["a message is an object", ["hi", user], /messages\[0\].*expected an object/, [system, user]],
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
        content: [{ type: "image_url", image_url: { url: "https://a.b/c.png" } }],
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
        content: [{ type: "image_url", image_url: { url: "https://a.b/c.png" } }],
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
  ["an image part is an object", [{ role: "user", content: [null] }], /content\[0\]\.type/, [user]],
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
    [user, { role: "assistant", content: [{ type: "refusal", refusal: "no" }] }, user],
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
    [user, { role: "assistant", content: null, tool_calls: { length: 1 } }, user],
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
    expect(validateOpenAiMessages([system, asks(call("")), result("")])).toHaveLength(1);
    expect(validateOpenAiMessages([{ role: "user", content: null }, result("a")])).toHaveLength(2);
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
    expect(validateOpenAiMessages(messages, undefined, { systemOnlyFirst: true })).toHaveLength(1);
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
      [user, { role: "assistant", content: "Hi." }, asks(call("a")), result("a")],
      "function call turn comes immediately after a user turn",
    ],
  ])("has an option for Anthropic's and Google's endpoints: %s", (_rule, messages, expected) => {
    expect(validateOpenAiMessages(messages)).toEqual([]);
    const strict = { compatibleEndpoints: true };
    expect(validateOpenAiMessages(messages, undefined, strict)).toEqual([
      expect.stringContaining(expected),
    ]);
    const round = [asks(call("a")), { ...result("a"), content: "" }];
    const said = { role: "assistant", content: "Hi." };
    const fine = [system, user, ...round, said, user];
    expect(validateOpenAiMessages(fine, undefined, strict)).toEqual([]);
  });
});
