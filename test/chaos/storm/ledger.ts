import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { markIn } from "./marks.ts";
import { Random } from "./random.ts";

export interface Effect {
  readonly tool: string;
  /** Unique per call that a model asked for. */
  readonly of: string;
  readonly mark: string;
  readonly caller: string;
  readonly atMs: number;
  endedAtMs?: number;
}

/**
 * The shop, an MCP server over HTTP for any number of clients, without sessions: `look` (read),
 * `set` (idempotent), `pay` (once) and `buy` (once, confirmed). What was called is on record here,
 * outside of all processes under test.
 */
export interface Ledger extends AsyncDisposable {
  readonly url: string;
  readonly effects: readonly Effect[];
}

const rpcSchema = z.object({
  id: z.union([z.number(), z.string()]).optional(),
  method: z.string(),
  params: z
    .object({
      name: z.string().optional(),
      arguments: z.object({ for: z.string() }).optional(),
    })
    .optional(),
});

const inputSchema = {
  type: "object",
  properties: { for: { type: "string" } },
  required: ["for"],
};
const tools = [
  { name: "look", annotations: { readOnlyHint: true } },
  {
    name: "set",
    annotations: { idempotentHint: true, destructiveHint: false },
  },
  { name: "pay", annotations: { destructiveHint: false } },
  { name: "buy", annotations: {} },
].map((tool) => ({ ...tool, description: `To ${tool.name}.`, inputSchema }));

export async function startLedger(options: {
  readonly seed: number;
  /** Told of every call of a tool. */
  readonly heard: (mark: string, caller: string) => void;
}): Promise<Ledger> {
  const effects: Effect[] = [];
  const random = new Random(options.seed + 3);

  /** It takes effect when it arrives, and takes a while to say so. */
  const call = async (tool: string, of: string, caller: string) => {
    const mark = markIn(of) ?? "";
    const effect: Effect = { tool, of, mark, caller, atMs: Date.now() };
    effects.push(effect);
    options.heard(mark, caller);
    await pause(random.between(0, 800));
    effect.endedAtMs = Date.now();
    return { content: [{ type: "text", text: `${tool} done` }] };
  };

  const handle = async (body: string, caller: string, response: ServerResponse): Promise<void> => {
    const { id, method, params } = rpcSchema.parse(JSON.parse(body));
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const answer = (result: unknown): void => {
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, result }));
    };
    if (method === "initialize")
      answer({
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "shop", version: "1" },
      });
    else if (method === "tools/list") answer({ tools });
    else if (method === "tools/call")
      answer(await call(params?.name ?? "", params?.arguments?.for ?? "", caller));
    else if (method === "ping") answer({});
    else {
      const error = { code: -32_601, message: "Method not found" };
      response
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ jsonrpc: "2.0", id, error }));
    }
  };

  const server = createServer((request, response) => {
    if (request.method !== "POST") {
      response.writeHead(405).end();
      return;
    }
    const caller = (request.headers.authorization ?? "").slice(7);
    text(request)
      .then((body) => handle(body, caller, response))
      // The client was killed in the middle of its request.
      .catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    effects,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
