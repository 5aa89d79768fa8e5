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

function versionOf(tool: object): string | undefined {
  const { tools } = declareTools([tool], {
    server: "chat",
    settings: child("sdk-server", "legacy"),
    run: () => Promise.reject(new Error("not called")),
  });
  return tools.get("chat.send")?.tool.version;
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
