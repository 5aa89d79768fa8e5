import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { McpServerSettings } from "../../../../src/tools/mcp/server-settings.ts";

/** A server of the official library that speaks only the revision of 2026-07-28, over HTTP. */
export async function modernHttp({
  welcomes = false,
}: {
  /** Answers the older handshake with a revision that doesn't have it. */
  readonly welcomes?: boolean;
} = {}): Promise<
  AsyncDisposable & { readonly settings: McpServerSettings & { transport: "http" } }
> {
  const handler = createMcpHandler(
    () => {
      const server = new McpServer({ name: "modern", version: "1.0.0" });
      const inputSchema = z.object({ line: z.string() });
      server.registerTool("say", { inputSchema }, ({ line }) => ({
        content: [{ type: "text", text: line }],
      }));
      return server;
    },
    { legacy: "reject" },
  );
  const server = createServer((request, response) => {
    void (async () => {
      const { method = "GET", url = "/", headers } = request;
      const body = method === "POST" ? { body: await buffer(request) } : { body: undefined };
      const { id, method: asks } = JSON.parse(body.body?.toString() ?? "{}") as Record<
        string,
        unknown
      >;
      if (welcomes && asks === "initialize") {
        const serverInfo = { name: "modern", version: "1.0.0" };
        const result = { protocolVersion: "2026-07-28", capabilities: { tools: {} }, serverInfo };
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ jsonrpc: "2.0", id, result }));
        return;
      }
      const sent = new Headers();
      for (const [name, value] of Object.entries(headers)) sent.set(name, String(value));
      const asked = new Request(`http://${headers.host}${url}`, {
        method,
        headers: sent,
        body: body.body ?? null,
      });
      const answer = await handler.fetch(asked);
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (answer.body === null) response.end();
      else Readable.fromWeb(answer.body as never).pipe(response);
    })();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    settings: {
      transport: "http",
      url: `http://127.0.0.1:${port}/mcp`,
      headers: {},
      timeoutMs: 20_000,
      trusted: false,
      elicitation: "off",
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
