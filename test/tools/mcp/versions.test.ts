import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { expect, it } from "vitest";
import { declareTools } from "../../../src/tools/mcp/declare-tool.ts";
import { child } from "./support/harness.ts";

const listed = {
  name: "send",
  title: "Sends a message",
  description: "Sends a message to a channel.",
  inputSchema: { type: "object", properties: { to: { type: "string" } } },
  annotations: { title: "Send", readOnlyHint: false },
  _meta: { "parley/effect": "keyed" },
};

const versionOf = (tool: object): string | undefined => declared(tool)?.version;

function declared(tool: object) {
  const { tools } = declareTools([tool], {
    server: "chat",
    settings: child("sdk-server", "legacy"),
    run: () => Promise.reject(new Error("not called")),
  });
  return tools.get("chat.send")?.tool;
}

it.each([
  { title: "Deletes a channel" },
  { title: undefined },
  { description: "Deletes a channel." },
  { inputSchema: { type: "object", properties: { to: {} } } },
  { annotations: { title: "Delete", readOnlyHint: false } },
  { annotations: { title: "Send", readOnlyHint: true } },
  { _meta: {} },
])("a tool with %j instead is another version of it", (changed) => {
  const before = versionOf(listed);
  expect(before).toMatch(/^[\w-]{43}$/);
  expect(versionOf(listed)).toBe(before);
  expect(versionOf({ ...listed, ...changed })).not.toBe(before);
});

it("a tool without a title has the version that it had before titles counted", () => {
  const { name, description, inputSchema } = listed;
  const text = canonicalize({ name, description, inputSchema }) ?? "";
  const version = createHash("sha256").update(text).digest("base64url");
  expect(versionOf({ name, description, inputSchema })).toBe(version);
});

it.each([
  [{}, "Sends a message"],
  [{ title: undefined }, "Send"],
  [{ title: "a\nb\u202e", annotations: undefined }, "a b"],
  [{ title: "x".repeat(500) }, `${"x".repeat(59)}…`],
  [{ title: "", annotations: {} }, undefined],
  [{ title: undefined, annotations: { title: 7 } }, undefined],
])("of a tool with %j people read a title in one line", (more, title) => {
  expect(declared({ ...listed, ...more })?.title).toBe(title);
});
