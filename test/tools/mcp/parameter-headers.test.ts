import { expect, it } from "vitest";
import { declareTools } from "../../../src/tools/mcp/declare-tool.ts";
import { child } from "./support/harness.ts";

const http = {
  transport: "http",
  url: "http://127.0.0.1:9/mcp",
  headers: {},
  timeoutMs: 20_000,
  trusted: false,
  elicitation: "off",
} as const;

const offered = (inputSchema: object, settings: Parameters<typeof declareTools>[1]["settings"]) =>
  declareTools([{ name: "go", inputSchema }], {
    server: "web",
    settings,
    run: () => Promise.reject(new Error("not called")),
  });

const named = (...headers: unknown[]) => ({
  type: "object",
  properties: Object.fromEntries(
    headers.map((header, index) => [`p${index}`, { type: "string", "x-mcp-header": header }]),
  ),
});
const at = (more: object) => ({
  type: "object",
  properties: { a: { "x-mcp-header": "A", ...more } },
});

it.each([
  ["empty", named("")],
  ["an object", named({})],
  ["a number", named(7)],
  ["null", named(null)],
  ["blank", named(" ")],
  ["of two words", named("Two Words")],
  ["with a colon", named("A:b")],
  ["with other letters", named("Región")],
  ["with a control character", named("A\u0007b")],
  ["with the end of a line", named("A\r\nB: c")],
  ["there twice", named("Region", "Region")],
  ["there twice in other letters", named("Region", "REGION")],
  ["at an object", at({ type: "object" })],
  ["at a list", at({ type: "array" })],
  ["at a number", at({ type: "number" })],
  ["at anything", at({})],
  ["at the whole", { type: "object", "x-mcp-header": "A", properties: {} }],
  [
    "in a list",
    { type: "object", properties: { list: { type: "array", items: at({ type: "string" }) } } },
  ],
  ["in an alternative", { type: "object", anyOf: [at({ type: "string" })] }],
])("a tool whose x-mcp-header is %s is left out over HTTP only", (_what, schema) => {
  const { tools, problems } = offered(schema, http);
  expect([...tools.keys()]).toEqual([]);
  expect(problems).toEqual([expect.stringContaining("x-mcp-header")]);
  expect(offered(schema, child("sdk-server", "legacy")).tools.size).toBe(1);
});

it.each([
  ["none", { type: "object", properties: { a: { type: "string" } } }],
  ["two", named("Region", "Tenant-Id")],
  ["one in an object", { type: "object", properties: { o: at({ type: "integer" }) } }],
  [
    "a property of that name",
    { type: "object", properties: { "x-mcp-header": { type: "string" } } },
  ],
])("a tool with %s that is proper is offered", (_what, schema) => {
  expect(offered(schema, http)).toMatchObject({ problems: [] });
});
