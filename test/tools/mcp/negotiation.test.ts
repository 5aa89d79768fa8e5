import { pino } from "pino";
import { expect, test } from "vitest";
import { checkServer } from "../../../src/tools/mcp/check-server.ts";
import type { McpServerSettings } from "../../../src/tools/mcp/server-settings.ts";
import { aborted } from "../../../src/util/abort.ts";
import { child, start } from "./support/harness.ts";
import { httpServer } from "./support/http-server.ts";
import { modernHttp } from "./support/modern-http.ts";

const options = {
  connectTimeoutMs: 10_000,
  log: pino({ level: "silent" }),
  signal: new AbortController().signal,
};

const none = { [Symbol.asyncDispose]: () => Promise.resolve() };
const servers: Readonly<
  Record<string, () => Promise<AsyncDisposable & { readonly settings: McpServerSettings }>>
> = {
  "initialize over stdio": () =>
    Promise.resolve({ ...none, settings: child("sdk-server", "legacy") }),
  "2026-07-28 alone over stdio": () =>
    Promise.resolve({ ...none, settings: child("sdk-server", "modern") }),
  "initialize over HTTP": () =>
    httpServer(
      ({ rpc: { params }, answer }) => {
        const { line } = (params ?? {})["arguments"] as Record<string, string>;
        answer({ content: [{ type: "text", text: line }] });
      },
      { tools: [{ name: "say", inputSchema: { type: "object", properties: { line: {} } } }] },
    ),
  "2026-07-28 alone over HTTP": () => modernHttp(),
  "2026-07-28 alone over HTTP, and answers initialize with it": () =>
    modernHttp({ welcomes: true }),
};

test.each(Object.entries(servers))(
  "a server that speaks %s is connected to at the first attempt",
  async (_what, open) => {
    await using server = await open();
    const { tools } = await checkServer("web", server.settings, options);
    expect(tools).toBeGreaterThan(0);
    await using started = await start({ web: server.settings });
    expect(started.waits).toEqual([]);
    expect(await started.call("web.say", { line: "hello" })).toMatchObject({ text: "hello" });
  },
);

const rpc = (code: number, message: string) => ({ jsonrpc: "2.0", error: { code, message } });

test.each([
  [401, { error: "invalid_token" }, "it answered HTTP 401 (Unauthorized): invalid_token"],
  [
    401,
    { error: "invalid_token", error_description: "expired" },
    "it answered HTTP 401 (Unauthorized): invalid_token: expired",
  ],
  [403, { message: "not yours" }, "it answered HTTP 403 (Forbidden): not yours"],
  [404, "Not Found", "it answered HTTP 404 (Not Found): Not Found"],
  [405, "", "it answered HTTP 405 (Method Not Allowed)"],
  [406, rpc(-32000, "Not Acceptable"), "it answered HTTP 406 (Not Acceptable): Not Acceptable"],
  [429, { detail: "slow down" }, "it answered HTTP 429 (Too Many Requests): slow down"],
  [500, "oops", "it answered HTTP 500 (Internal Server Error): oops"],
  [
    502,
    "<html><head><title>502 Bad Gateway</title></head><body><h1>x</h1></body></html>",
    "it answered HTTP 502 (Bad Gateway): 502 Bad Gateway",
  ],
  [503, "<!doctype html><p>later", "it answered HTTP 503 (Service Unavailable)"],
  [400, rpc(-32600, "no licence"), "it answered HTTP 400 (Bad Request): no licence"],
  [200, rpc(-32603, "no licence"), "no licence"],
  [200, "{", "what answers there isn't an MCP server: the answer can't be read"],
  [200, { hello: 1 }, "what answers there isn't an MCP server: the answer can't be read"],
])("a handshake that is refused with %i %j says so", async (status, body, reason) => {
  await using server = await httpServer(() => {}, { refusal: { status, body } });
  await expect(checkServer("web", server.settings, options)).rejects.toThrow(reason);
  await using started = await start(
    { web: server.settings },
    { sleep: (_ms, signal) => aborted(signal) },
  );
  expect(started.lines).toContainEqual(expect.objectContaining({ server: "web", reason }));
  expect(started.lines.map(({ reason: each }) => each)).not.toContain("its connection was closed");
});

test("a page where a server should be is named", async () => {
  const refusal = { status: 200, type: "text/html", body: "<h1>Hello</h1>" };
  await using server = await httpServer(() => {}, { refusal });
  await expect(checkServer("web", server.settings, options)).rejects.toThrow(
    "what answers there isn't an MCP server (Unexpected content type: text/html)",
  );
});
