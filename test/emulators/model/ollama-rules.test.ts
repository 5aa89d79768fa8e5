import { describe, expect, it } from "vitest";
import { validateOllamaMessages } from "./message-rules.ts";
import { ollamaRequestProblems } from "./ollama-request-rules.ts";
import { user, system, png, type Case } from "./rule-cases.ts";

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
    [user, nativeAsks(nativeCall("a"), nativeCall("b")), nativeResult("a"), user],
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
    [user, nativeAsks(nativeCall("a"), nativeCall("a")), nativeResult("a"), nativeResult("a")],
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
  ["someone said something", [system], /no message has role user or tool/, [system, user]],
  [
    "the assistant does not speak last",
    [user, { role: "assistant", content: "Hi." }],
    /last message must not have role assistant/,
    [user],
  ],
  ["texts are whole characters", [{ role: "user", content: "\udc00" }], /lone surrogate/, [user]],
  ["a message is an object", [null, user], /messages\[0\]: expected an object/, [user]],
  [
    "content may be missing only with calls",
    [user, { role: "assistant" }, user],
    /cannot unmarshal undefined/,
    [user, { role: "assistant", tool_calls: [nativeCall("a")] }, nativeResult("a")],
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
    [user, { role: "assistant", content: "Hi.", tool_calls: nativeCall("a") }, user],
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
  ["options are always there", { options: undefined }, /num_ctx is missing/, {}],
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
  ["keep_alive may be seconds", { keep_alive: "forever" }, /duration/, { keep_alive: -1 }],
  ["think is a switch or a level", { think: "max" }, /invalid think value/, { think: "low" }],
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
