import pino from "pino";
import { describe, expect, it } from "vitest";
import { runChecks } from "../../src/doctor/check.ts";
import { mcpChecks } from "../../src/doctor/mcp.ts";
import { createMcpTools } from "../../src/tools/mcp/create-mcp-tools.ts";
import type { McpServerSettings } from "../../src/tools/mcp/server-settings.ts";
import { sleep } from "../../src/util/sleep.ts";
import { everythingOverStdio } from "../tools/mcp/support/everything.ts";
import { httpServer } from "../tools/mcp/support/http-server.ts";
import { inEnglish } from "./in-english.ts";

const check = async (mcpServers: Readonly<Record<string, McpServerSettings>>) =>
  inEnglish(await runChecks(mcpChecks({ mcpServers }), new AbortController().signal));

const missing = {
  transport: "stdio",
  command: "no-such-program",
  arguments: [],
  environment: {},
} as const;

const tool = (name: string, inputSchema: object = { type: "object" }) => ({
  name,
  description: "Does it.",
  inputSchema,
});

describe("an MCP server", () => {
  it("that offers tools is fine, and is left again", async () => {
    await using server = await httpServer(({ answer }) => answer({ content: [] }), {
      tools: [tool("one"), tool("two")],
    });
    expect(await check({ web: server.settings })).toMatchObject([
      { id: "mcp.web", status: "ok", what: 'The MCP server "web" offers 2 tools.' },
    ]);
    expect(server.seen.at(-1)).toBe("DELETE");
  });

  it("that runs is asked on its own connection, and no second one is opened", async () => {
    await using server = await httpServer(({ answer }) => answer({ content: [] }), {
      tools: [tool("one"), tool("two")],
    });
    const ending = new AbortController();
    const servers = { web: server.settings, gone: { ...everythingOverStdio(), ...missing } };
    await using running = createMcpTools({
      servers,
      log: pino({ level: "silent" }),
      signal: ending.signal,
      sleep,
      random: () => 0,
      monotonic: () => performance.now(),
      onChanged: () => undefined,
    });
    await running.ready;
    const before = server.seen.filter((each) => each === "initialize").length;
    const found = inEnglish(
      await runChecks(
        mcpChecks({ mcpServers: servers }, (name) => running.examine(name)),
        ending.signal,
      ),
    );
    expect(found).toMatchObject([
      { id: "mcp.web", status: "ok", what: 'The MCP server "web" offers 2 tools.' },
      { id: "mcp.gone", status: "broken", fix: expect.stringContaining("no-such-program") },
    ]);
    expect(found[1]?.what).toContain("ENOENT");
    expect(before).toBe(1);
    expect(server.seen.filter((each) => each === "initialize")).toHaveLength(before);
    expect(server.seen).not.toContain("DELETE");
  });

  it("whose tool no model can be offered is a warning that says why", async () => {
    await using server = await httpServer(({ answer }) => answer({ content: [] }), {
      tools: [tool("one"), tool("one")],
    });
    const [found] = await check({ web: server.settings });
    expect(found).toMatchObject({ status: "warning" });
    expect(found?.what).toMatch(/^The MCP server "web" offers 1 tool; 1 more can't be used: ./);
  });

  it("that is not there is broken, with where to correct it", async () => {
    const server = await httpServer(({ answer }) => answer({ content: [] }));
    await server[Symbol.asyncDispose]();
    expect(
      await check({
        web: server.settings,
        local: { ...everythingOverStdio(), ...missing },
      }),
    ).toMatchObject([
      { id: "mcp.web", status: "broken", fix: expect.stringContaining("mcp.servers.web.url") },
      { id: "mcp.local", status: "broken", fix: expect.stringContaining("no-such-program") },
    ]);
  });

  it.each([
    [401, "mcp.servers.web.headers"],
    [403, "mcp.servers.web.headers"],
    [404, "mcp.servers.web.url"],
    [429, "Wait a few minutes"],
    [502, "own log"],
  ])("that answers %i is broken, with what fixes that", async (status, fix) => {
    await using server = await httpServer(() => {}, { refusal: { status, body: "" } });
    expect(await check({ web: server.settings })).toMatchObject([
      {
        status: "broken",
        what: expect.stringContaining(`HTTP ${status}`),
        fix: expect.stringContaining(fix),
      },
    ]);
  });
});
