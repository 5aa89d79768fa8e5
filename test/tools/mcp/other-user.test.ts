import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { canChangeUser, findUser } from "../../../src/config/system-user.ts";
import type { McpServerSettings } from "../../../src/tools/mcp/server-settings.ts";
import { start } from "./support/harness.ts";

/** Says who it is and what it can read; without any import, so that it runs wherever Node does. */
const peek = `
const fs = require("node:fs");
const tryTo = (read) => { try { return String(read()); } catch (error) { return error.code; } };
const answers = {
  initialize: (params) => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "peek", version: "1" } }),
  "tools/list": () => ({ tools: [{ name: "look", inputSchema: { type: "object", properties: {} } }] }),
  "tools/call": () => ({ content: [{ type: "text", text: JSON.stringify({
    uid: process.getuid(), gid: process.getgid(), groups: process.getgroups(), home: process.env.HOME, folder: process.cwd(),
    environ: tryTo(() => fs.readFileSync("/proc/" + process.ppid + "/environ").length > 0),
    dotenv: tryTo(() => fs.readFileSync(process.argv[2])),
    back: tryTo(() => process.setuid(0) ?? "root again"),
  }) }] }),
};
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = answers[method];
  const body = answer ? { result: answer(params) } : { error: { code: -32601, message: "no " + method } };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...body }) + "\\n");
});
`;

const folder = mkdtempSync(path.join(tmpdir(), "parley-user-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
chmodSync(folder, 0o755);
const script = path.join(folder, "peek.cjs");
const dotenv = path.join(folder, ".env");
writeFileSync(script, peek, { mode: 0o644 });
writeFileSync(dotenv, "KEY=a-secret", { mode: 0o600 });

const nobody = findUser("nobody");
const asNobody = ["--reuid=nobody", "--clear-groups", "--"];
/** One that the other user can reach: a checkout may be in someone's home. */
const node = [process.execPath, "/usr/bin/node", "/usr/local/bin/node"].find(
  (each) => spawnSync("setpriv", [...asNobody, each, "-v"]).status === 0,
);
const whyNot = !canChangeUser()
  ? "these tests don't run as root on Linux"
  : node === undefined || nobody === undefined
    ? "there is no user nobody, no setpriv, or no Node that they can run"
    : undefined;
if (whyNot !== undefined) process.stderr.write(`Skipping MCP servers as another user: ${whyNot}\n`);

const server = (more: object = {}): McpServerSettings => ({
  transport: "stdio",
  command: node ?? "",
  arguments: [script, dotenv],
  environment: {},
  timeoutMs: 20_000,
  trusted: true,
  elicitation: "off",
  ...more,
});
const look = async (more: object) => {
  await using started = await start({ peek: server(more) });
  const { text } = await started.call("peek.look");
  return JSON.parse(text) as unknown;
};

describe.skipIf(whyNot !== undefined)("a program of an MCP server", () => {
  test("without a user can read Parley's environment and .env, as docs/mcp.md says", async () => {
    expect(await look({})).toMatchObject({
      uid: 0,
      environ: "true",
      dotenv: "KEY=a-secret",
    });
  });

  test("with another user can read neither, has none of root's groups, and can't go back", async () => {
    expect(await look({ user: nobody })).toEqual({
      uid: nobody?.uid,
      gid: nobody?.gid,
      groups: [nobody?.gid],
      home: nobody?.home,
      folder: expect.stringMatching(/^\//),
      environ: "EACCES",
      dotenv: "EACCES",
      back: "EPERM",
    });
  });

  test("keeps what the operator gives it", async () => {
    expect(await look({ user: nobody, environment: { HOME: "/srv/peek" } })).toMatchObject({
      home: "/srv/peek",
    });
  });
});
