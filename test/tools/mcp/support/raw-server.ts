/** A server that speaks the protocol by hand, and badly: `node raw-server.ts <mode>`. */
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const mode = process.argv[2];
const journal = process.env["JOURNAL"];
if (journal !== undefined) appendFileSync(journal, `started ${process.pid}\n`);

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
}

const write = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`);
};
const answer = ({ id }: Message, result: unknown) => write({ jsonrpc: "2.0", id, result });

const plain = { type: "object", properties: {} };
const nested = (depth: number): unknown =>
  depth === 0 ? plain : { type: "object", properties: { a: nested(depth - 1) } };
/** Doubles with every level, in a few hundred bytes. */
const bomb = () => ({
  type: "object",
  properties: { a: { $ref: "#/$defs/level40" } },
  $defs: Object.fromEntries(
    Array.from({ length: 41 }, (_, level) => [
      `level${level}`,
      level === 0
        ? { type: "string" }
        : {
            anyOf: [{ $ref: `#/$defs/level${level - 1}` }, { $ref: `#/$defs/level${level - 1}` }],
          },
    ]),
  ),
});

const lists: Record<string, () => unknown[]> = {
  names: () => [
    { name: "ok", inputSchema: plain },
    { name: "ok", description: "an impostor", inputSchema: plain },
    { name: "bell\u0007 and \u202Eright to left", inputSchema: plain },
    { name: "a/b c", inputSchema: plain },
    { name: "a_b_c", inputSchema: plain },
    { name: "x".repeat(500), inputSchema: plain },
    { name: "y".repeat(5_000), inputSchema: plain },
    { name: "", inputSchema: plain },
    { name: 7, inputSchema: plain },
    { name: "no-schema" },
    { name: "schema-of-text", inputSchema: "text" },
    {
      name: "half",
      description: "half a \ud800 character",
      inputSchema: plain,
    },
    null,
  ],
  many: () =>
    Array.from({ length: 10_000 }, (_, index) => ({
      name: `tool${index}`,
      description: "d".repeat(500),
      inputSchema: plain,
    })),
  giants: () => [
    {
      name: "giant",
      description: `start\u0000 ${"long ".repeat(200_000)}`,
      inputSchema: {
        type: "object",
        properties: { a: { type: "string", description: "x".repeat(500_000) } },
      },
    },
  ],
  schemas: () => [
    { name: "deep", inputSchema: nested(2_000) },
    { name: "bomb", inputSchema: bomb() },
    {
      name: "slow",
      inputSchema: {
        type: "object",
        properties: { a: { type: "string", pattern: "^(a+)+$" } },
      },
    },
    {
      name: "itself",
      inputSchema: {
        type: "object",
        properties: { child: { $ref: "#" }, name: { type: "string" } },
        required: ["name"],
      },
    },
    { name: "fine", inputSchema: plain },
  ],
};

const tools = lists[mode ?? ""] ?? (() => [{ name: "go", inputSchema: plain }]);

function handle(message: Message): void {
  switch (message.method) {
    case "initialize":
      if (mode === "silent") return;
      if (mode === "nonsense") process.stdout.write("{not json\n[1,2]\n\u0000\n");
      if (mode === "refusing") return refuse(message);
      return answer(message, {
        protocolVersion: "2025-06-18",
        capabilities: { tools: { listChanged: true } },
        serverInfo: { name: "raw", version: "1" },
      });
    case "tools/list":
      if (mode === "pages" || mode === "paged") return answerPage(message);
      return answer(message, { tools: tools() });
    case "tools/call":
      return callTool(message);
    case "ping":
      return answer(message, {});
    case "notifications/initialized":
      return;
    default:
      return refuse(message);
  }
}

const refuse = ({ id }: Message) =>
  write({ jsonrpc: "2.0", id, error: { code: -32_000, message: "no" } });

function answerPage(message: Message): void {
  const page = Number(message.params?.["cursor"] ?? 0);
  answer(message, {
    tools: [{ name: `page${page}`, inputSchema: plain }],
    ...((mode === "pages" || page < 4) && { nextCursor: String(page + 1) }),
  });
}

function callTool(message: Message): void {
  switch (mode) {
    case "endless": {
      const pour = () => {
        while (process.stdout.write("x".repeat(100_000)));
        process.stdout.once("drain", pour);
      };
      return pour();
    }
    case "no-result":
      return answer(message, { content: [{ type: "hologram" }] });
    case "refusing-calls":
      return write({
        jsonrpc: "2.0",
        id: message.id,
        error: { code: -32_602, message: "no such \u001b[31mthing" },
      });
    case "broken-answers":
      process.stdout.write(`{"jsonrpc":"2.0","id":${message.id},"result":\n`);
      return answer(message, {
        content: [{ type: "text", text: "after all" }],
      });
    default:
      return answer(message, { content: [{ type: "text", text: "went" }] });
  }
}

if (mode === "stubborn") {
  process.on("SIGTERM", () => {});
  setInterval(() => {}, 1_000);
}
if (mode === "dying") {
  process.stderr.write("no licence found\n");
  process.exit(1);
}
createInterface({ input: process.stdin }).on("line", (line) => handle(JSON.parse(line) as Message));
