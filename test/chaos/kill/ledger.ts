import { z } from "zod";
import { httpServer, type HttpServer } from "../../tools/mcp/support/http-server.ts";

/** One time that a tool did what it does. */
export interface Effect {
  readonly tool: string;
  /** Whose it was: the tag of the conversation. */
  readonly tag: string;
  /** The key against repetitions that came with the call, if one did. */
  readonly key: string | undefined;
}

/**
 * The tool server `shop`, which lives outside of the process that is killed and writes down every
 * effect: `look` (read), `pay` (once), `book` (keyed) and `buy` (once, confirmed).
 */
export interface Ledger extends AsyncDisposable {
  /** Its part of `parley.yaml`. */
  readonly config: string;
  effectsOf(tag: string): readonly Effect[];
}

const given = z.object({
  name: z.string(),
  arguments: z.object({ for: z.string() }),
  _meta: z.record(z.string(), z.unknown()).optional(),
});

const inputSchema = {
  type: "object",
  properties: { for: { type: "string" } },
  required: ["for"],
};
const tools = [
  { name: "look", inputSchema, annotations: { readOnlyHint: true } },
  { name: "pay", inputSchema, annotations: { destructiveHint: false } },
  {
    name: "book",
    inputSchema,
    annotations: { destructiveHint: false },
    _meta: { "parley/effect": "keyed" },
  },
  { name: "buy", inputSchema },
];

export async function openLedger(): Promise<Ledger> {
  const effects: Effect[] = [];
  const server: HttpServer = await httpServer(
    ({ rpc, answer }) => {
      const { name, arguments: wanted, _meta } = given.parse(rpc.params);
      const key = _meta?.["parley/idempotency-key"];
      effects.push({
        tool: name,
        tag: wanted.for,
        key: typeof key === "string" ? key : undefined,
      });
      answer({ content: [{ type: "text", text: `${name} done` }] });
    },
    { tools },
  );
  return {
    config: `mcp: { servers: { shop: { url: "${server.settings.url}", trusted: true } } }`,
    effectsOf: (tag) => effects.filter((effect) => effect.tag === tag),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}
