import { EventEmitter, once } from "node:events";
import { afterAll } from "vitest";
import { z } from "zod";
import { httpServer, type Exchange } from "../../tools/mcp/support/http-server.ts";
import { timeoutMs } from "./stage.ts";

/** One call that is never answered. */
interface HeldCall {
  /** Fulfils when the server was told that no one waits for an answer any more. */
  readonly cancelled: Promise<void>;
}

/**
 * A tool server with `shop.look` (read), `shop.pay` (once, unconfirmed) and `shop.buy` (once,
 * confirmed).
 */
export interface Shop {
  /** Its part of `parley.yaml`. */
  readonly config: string;
  /** The tools that were called for someone, in order. */
  callsFor(name: string): readonly string[];
  /** Fulfils when a call with this in `hold` stands still. */
  held(name: string): Promise<HeldCall>;
}

/**
 * Arguments of all: `for`, by which a test finds its own calls again, `hold`, the same where the
 * call is to stand still, and `fail`, with which the tool says that it failed.
 */
const given = z.object({
  name: z.string(),
  arguments: z.object({
    for: z.string().optional(),
    hold: z.string().optional(),
    fail: z.boolean().optional(),
  }),
});

const text = { type: "string" };
const inputSchema = {
  type: "object",
  properties: { for: text, hold: text, fail: { type: "boolean" } },
};
const tools = [
  { name: "look", inputSchema, annotations: { readOnlyHint: true } },
  { name: "pay", inputSchema, annotations: { destructiveHint: false } },
  { name: "buy", inputSchema },
];

/** Call it once, at the top of a test file. */
export async function openShop(): Promise<Shop> {
  const calls: { readonly tool: string; readonly name: string | undefined }[] = [];
  const standing = new Map<string, HeldCall>();
  const changes = new EventEmitter().setMaxListeners(0);
  const take = ({ rpc, answer }: Exchange): void => {
    const { name: tool, arguments: wanted } = given.parse(rpc.params);
    calls.push({ tool, name: wanted.for ?? wanted.hold });
    if (wanted.hold === undefined) {
      const text = wanted.fail ? "sold out" : `${tool} done`;
      answer({ content: [{ type: "text", text }], isError: wanted.fail });
      return;
    }
    const { promise: cancelled, resolve } = Promise.withResolvers<void>();
    changes.once(`cancelled ${rpc.id}`, resolve);
    standing.set(wanted.hold, { cancelled });
    changes.emit("held");
  };
  const server = await httpServer(take, {
    tools,
    onNotified(response, { method, params }) {
      response.writeHead(202).end();
      if (method === "notifications/cancelled")
        changes.emit(`cancelled ${String(params?.["requestId"])}`);
    },
  });
  afterAll(() => server[Symbol.asyncDispose]());
  return {
    config: `mcp: { servers: { shop: { url: "${server.settings.url}", trusted: true } } }`,
    callsFor: (name) => calls.filter((call) => call.name === name).map(({ tool }) => tool),
    async held(name) {
      const signal = AbortSignal.timeout(timeoutMs);
      for (;;) {
        const found = standing.get(name);
        if (found !== undefined) return found;
        await once(changes, "held", { signal });
      }
    },
  };
}
