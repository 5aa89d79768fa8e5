import { expect, it } from "vitest";
import { slowStart } from "../../src/tools/mcp/open-transport.ts";
import { load } from "./support.ts";

const yaml = `
mcp:
  servers:
    files: { command: npx, args: ["-y", "files"], env: { SSL_CERT_DIR: /own, KEY: "1" } }
    remote: { url: "https://tickets.example/mcp" }
`;

const passed = {
  HTTPS_PROXY: "http://proxy.example:3128",
  no_proxy: "localhost",
  NODE_EXTRA_CA_CERTS: "/etc/ca.pem",
  npm_config_registry: "https://npm.example/",
  PIP_CERT: "/etc/ca.pem",
};

const withheld = {
  TICKETS_KEY: "sk-secret",
  HTTP_PROXY: "http://ann:hush@proxy.example:3128",
  PIP_INDEX_URL: "https://__token__:hush@pypi.example/simple",
  npm_config_userconfig: "/etc/own.npmrc",
  NODE_OPTIONS: "--require /srv/x.js",
  LD_PRELOAD: "/srv/x.so",
};

it("programs of MCP servers get the network's variables, no login, and what env says first", () => {
  const { mcpServers } = load({
    yaml,
    environment: { ...passed, ...withheld, SSL_CERT_DIR: "/etc/ssl" },
    dotEnv: "UV_DEFAULT_INDEX=https://pypi.example/simple\n",
  });
  expect(mcpServers["files"]).toMatchObject({ transport: "stdio", command: "npx" });
  expect(Reflect.get(mcpServers["files"] ?? {}, "environment")).toEqual({
    ...passed,
    UV_DEFAULT_INDEX: "https://pypi.example/simple",
    SSL_CERT_DIR: "/own",
    KEY: "1",
  });
  expect(mcpServers["remote"]).not.toHaveProperty("environment");
});

it.each([
  ["npx", /^; npx may be downloading it/],
  ["/usr/local/bin/uvx", /^; uvx may be downloading it/],
  ["C:\\node\\npx.cmd", /^; npx may be downloading it/],
  ["files-server", /^$/],
  ["/opt/mynpx", /^$/],
])("%s that is slow to answer says why that may be", (command, says) => {
  const common = { timeoutMs: 1, trusted: false, elicitation: "off" } as const;
  const program = { transport: "stdio", command, arguments: [], environment: {} } as const;
  expect(slowStart({ ...common, ...program })).toMatch(says);
});
