import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import path from "node:path";
import type { McpServerSettings } from "../../../../src/tools/mcp/server-settings.ts";

const program = path.resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js");

const common = {
  timeoutMs: 20_000,
  trusted: true,
  elicitation: "off",
} as const;

/** The reference server as a child process of the client. */
export const everythingOverStdio = (
  environment: Readonly<Record<string, string>> = {},
): McpServerSettings => ({
  ...common,
  transport: "stdio",
  command: process.execPath,
  arguments: [program, "stdio"],
  environment,
});

export interface Everything extends AsyncDisposable {
  readonly settings: McpServerSettings;
  /** Ends the server without a word. */
  kill(): Promise<void>;
}

/** The reference server over streamable HTTP, on a free port of the loopback. */
export async function everythingOverHttp(
  wishedPort?: number,
): Promise<Everything & { readonly port: number }> {
  const port = wishedPort ?? (await freePort());
  const server = spawn(process.execPath, [program, "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  const listening = Promise.withResolvers<void>();
  server.stderr.on("data", (chunk: Buffer) => {
    said += chunk.toString();
    if (said.includes("listening")) listening.resolve();
  });
  server.once("exit", () => listening.reject(new Error(`it ended: ${said}`)));
  await listening.promise;
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, "exit");
    server.kill("SIGKILL");
    await gone;
  };
  return {
    port,
    settings: {
      ...common,
      transport: "http",
      url: `http://127.0.0.1:${port}/mcp`,
      headers: {},
    },
    kill,
    [Symbol.asyncDispose]: kill,
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
