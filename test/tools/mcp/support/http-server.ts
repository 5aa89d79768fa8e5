import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { McpServerSettings } from "../../../../src/tools/mcp/server-settings.ts";

interface Rpc {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

export interface Exchange {
  readonly rpc: Rpc;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Answers with a result as one JSON body. */
  readonly answer: (result: unknown) => void;
}

export interface HttpServer extends AsyncDisposable {
  readonly settings: McpServerSettings & { transport: "http" };
  /** Names of the methods that arrived, in order; `GET` and `DELETE` too. */
  readonly seen: readonly string[];
  /** Sessions that were given out. */
  sessions(): number;
  /**
   * From now on no one knows the present session; and, when a new one is wanted, no one answers
   * (`hang`), or it is refused in the same way.
   */
  forget(how?: "hang" | "refuse"): void;
}

/** An answer that says no, to a request with this id. */
export interface Refusal {
  readonly status: number;
  readonly type?: string;
  /** An object is sent as JSON with the request's id; in a text, `%id` is that. */
  readonly body: string | object;
}

interface HttpServerOptions {
  /** What is said to a session that is not known. */
  readonly forgotten?: Refusal;
  /** Said to every request, from the handshake on. */
  readonly refusal?: Refusal;
  /** Whether there is one for notifications. */
  readonly streams?: boolean;
  /** What becomes of a notification. */
  readonly onNotified?: (response: ServerResponse, rpc: Rpc) => void;
  /** What it lists. */
  readonly tools?: readonly unknown[];
}

/**
 * A server that speaks streamable HTTP by hand, with sessions, on a free port of the loopback.
 * @param onCall what becomes of a `tools/call` in a session that is known.
 */
export async function httpServer(
  onCall: (exchange: Exchange) => void,
  {
    forgotten = { status: 404, body: "No valid session ID provided" },
    refusal,
    streams = false,
    onNotified = accepted,
    tools = [{ name: "go", inputSchema: { type: "object" } }],
  }: HttpServerOptions = {},
): Promise<HttpServer> {
  let session = 0;
  let known = true;
  let hangs = false;
  let refuses = false;
  const open = new Set<ServerResponse>();
  const seen: string[] = [];
  const takeOther = (request: IncomingMessage, response: ServerResponse) => {
    const isKnown = known && request.headers["mcp-session-id"] === String(session);
    if (!streams || request.method !== "GET") response.writeHead(405).end();
    else if (!isKnown) response.writeHead(404).end();
    else {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
      open.add(response);
    }
  };
  const server = createServer((request, response) => {
    void (async () => {
      if (request.method !== "POST") {
        seen.push(request.method ?? "");
        takeOther(request, response);
        return;
      }
      const rpc = JSON.parse(await text(request)) as Rpc;
      seen.push(rpc.method ?? "");
      const answer = (result: unknown, headers = {}) =>
        response
          .writeHead(200, { "content-type": "application/json", ...headers })
          .end(JSON.stringify({ jsonrpc: "2.0", id: rpc.id, result }));
      const refuse = ({ status, type = "application/json", body }: Refusal) =>
        response
          .writeHead(status, { "content-type": type })
          .end(
            typeof body === "string"
              ? body.replace("%id", String(rpc.id))
              : JSON.stringify({ id: rpc.id, ...body }),
          );
      if (refusal !== undefined) refuse(refusal);
      else if (refuses) refuse(forgotten);
      else if (rpc.method === "initialize") {
        if (hangs) return;
        session += 1;
        known = true;
        answer(
          {
            protocolVersion: "2025-06-18",
            capabilities: { tools: {} },
            serverInfo: { name: "by-hand", version: "1" },
          },
          { "mcp-session-id": String(session) },
        );
      } else if (!known || request.headers["mcp-session-id"] !== String(session)) {
        refuse(forgotten);
      } else if (rpc.method === "tools/list") {
        answer({ tools });
      } else if (rpc.method === "tools/call") {
        onCall({ rpc, request, response, answer });
      } else if (rpc.method === "ping") answer({});
      else onNotified(response, rpc);
    })();
  }).listen(0, "127.0.0.1");
  // No connection is kept: a client that calls after we are gone gets no answer.
  server.maxRequestsPerSocket = 1;
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    settings: {
      transport: "http",
      url: `http://127.0.0.1:${port}/mcp`,
      headers: { authorization: "Bearer secret" },
      timeoutMs: 20_000,
      trusted: true,
      elicitation: "off",
    },
    seen,
    sessions: () => session,
    forget(how) {
      known = false;
      for (const stream of open) stream.end();
      hangs = how === "hang";
      refuses = how === "refuse";
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function accepted(response: ServerResponse): void {
  response.writeHead(202).end();
}
