import { describe, expect, it } from "vitest";
import { validateOllamaMessages, validateOpenAiMessages } from "./message-rules.ts";
import { user, tool, type Case } from "./rule-cases.ts";

const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => tool(`tool_${index}`));
const toolCases: Case[] = [
  ["tools are a list", {}, /expected an array/, [tool("a")]],
  ["tools are not an empty list", [], /'tools': empty array/, undefined],
  ["there are at most 128", numbered(129), /maximum length 128/, numbered(128)],
  ["names are unique", [tool("a"), tool("a")], /'a' is used twice/, [tool("a"), tool("b")]],
  ["names are plain", [tool("files.read")], /name': string does not match/, [tool("files_read")]],
  [
    "names have at most 64 characters",
    [tool("n".repeat(65))],
    /at most 64/,
    [tool("n".repeat(64))],
  ],
  ["the type is function", [{ name: "a", input_schema: {} }], /tools\[0\]\.type/, [tool("a")]],
  ["there is a function", [{ type: "function", name: "a" }], /tools\[0\]\.function/, [tool("a")]],
  [
    "descriptions have at most 1024 characters",
    [tool("a", { description: "d".repeat(1025) })],
    /maximum length 1024/,
    [tool("a", { description: "d".repeat(1024) })],
  ],
  ["descriptions are text", [tool("a", { description: 5 })], /expected a string/, [tool("a")]],
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
  ["a tool has a name", [tool("a", { name: undefined })], /function\.name/, [tool("a")]],
  ["parameters are no list", [tool("a", { parameters: [] })], /must be a JSON Schema/, [tool("a")]],
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
