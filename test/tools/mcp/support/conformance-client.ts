/**
 * Our client as the conformance suite drives it: `node conformance-client.ts <url>`, the scenario
 * in the environment. It connects with `createMcpTools` and calls every tool that the server of the
 * scenario offers.
 */
import { setTimeout as wait } from "node:timers/promises";
import pino from "pino";
import { chatKey } from "../../../../src/core/chat.ts";
import { createMcpTools } from "../../../../src/tools/mcp/create-mcp-tools.ts";

const url = process.argv.at(-1) ?? "";
const ending = new AbortController();

await using mcp = createMcpTools({
  servers: {
    suite: {
      transport: "http",
      url,
      headers: {},
      timeoutMs: 20_000,
      trusted: false,
      // The scenario for an operator who wants forms to be answered with their defaults; the others
      // get what is usual.
      elicitation: process.env["MCP_CONFORMANCE_SCENARIO"]?.startsWith("elicitation-")
        ? "defaults"
        : "off",
    },
  },
  log: pino({ level: "debug" }, pino.destination({ dest: 2, sync: true })),
  signal: ending.signal,
  sleep: (ms, signal) => wait(ms, undefined, { signal }),
  random: Math.random,
  monotonic: () => performance.now(),
  onChanged: () => {},
});
await mcp.ready;

for (const tool of mcp.tools()) {
  const given = Object.keys((tool.jsonSchema?.["properties"] ?? {}) as Record<string, unknown>).map(
    (name, index) => [name, index + 1],
  );
  const result = await tool.run(tool.parameters.parse(Object.fromEntries(given)), {
    chat: chatKey({ platform: "console", bot: "console", chat: "1" }),
    requester: { id: "console:ann", name: "Ann" },
    idempotencyKey: "chat/1.1.0",
    signal: ending.signal,
  });
  process.stderr.write(`${tool.name}: ${result.text}\n`);
}
