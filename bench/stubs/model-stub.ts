/**
 * The model's far end for every peer alike: OpenAI's Chat Completions, streamed, in a process of
 * its own. `/plain/v1` answers with 20 chunks and usage; `/tool/<name>/<argument>/v1` asks for one
 * call of that tool first. `GET /stats` counts, `POST /delay/<ms>` makes every answer wait. Below
 * `/otlp` it takes spans and forgets them. Says `{ port }` to its parent when it listens.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The last word tells the Bot API's stub that a text is the whole answer. */
export const words = Array.from(
  { length: 20 },
  (_, index) => `${index === 0 ? "" : " "}word${index}`,
);

const event = (part: object): string =>
  `data: ${JSON.stringify({
    id: "chatcmpl-@@",
    object: "chat.completion.chunk",
    created: 1_700_000_000,
    model: "stub",
    ...part,
  })}\n\n`;
const choice = (delta: object, reason: string | null = null): string =>
  event({ choices: [{ index: 0, delta, finish_reason: reason }] });
const ending = [
  event({
    choices: [],
    usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 },
  }),
  "data: [DONE]\n\n",
];
const answer = [
  choice({ role: "assistant", content: "" }),
  ...words.map((content) => choice({ content })),
  choice({}, "stop"),
  ...ending,
];
const callOf = (name: string, argument: string): readonly string[] => [
  choice({
    role: "assistant",
    content: null,
    tool_calls: [
      {
        index: 0,
        id: "call_@@",
        type: "function",
        function: { name, arguments: "" },
      },
    ],
  }),
  choice({
    tool_calls: [{ index: 0, function: { arguments: `{"${argument}":"UTC"}` } }],
  }),
  choice({}, "tool_calls"),
  ...ending,
];
const whole = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1,
  model: "stub",
  choices: [
    {
      index: 0,
      message: { role: "assistant", content: words.join("") },
      finish_reason: "stop",
    },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 },
});

let requests = 0;
let requestBytes = 0;
let open = 0;
let delayMs = 0;

function reply(url: string, body: Buffer, response: ServerResponse): void {
  if (!body.includes('"stream":true')) {
    response.setHeader("content-type", "application/json").end(whole);
    return;
  }
  response.writeHead(200, {
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
  });
  const [, name, argument] = /^\/tool\/([^/]+)\/([^/]+)\//.exec(url) ?? [];
  // A tool's result is the last message of the second round.
  const last = body.subarray(body.lastIndexOf('"role":"') + 8).toString("latin1", 0, 4);
  const chunks =
    name !== undefined && argument !== undefined && last !== "tool"
      ? callOf(name, argument)
      : answer;
  const id = String(1e9 + requests);
  for (const chunk of chunks) response.write(chunk.replace("@@", id));
  response.end();
}

function handle(request: IncomingMessage, response: ServerResponse): void {
  const url = request.url ?? "";
  if (url === "/stats") {
    response.end(JSON.stringify({ requests, requestBytes, open }));
    return;
  }
  if (url.startsWith("/delay/")) {
    delayMs = Number(url.slice("/delay/".length));
    response.end("{}");
    return;
  }
  if (url.endsWith("/models")) {
    response
      .setHeader("content-type", "application/json")
      .end('{"object":"list","data":[{"id":"stub","object":"model"}]}');
    return;
  }
  if (url.startsWith("/otlp/")) {
    request.resume().on("end", () => {
      response.setHeader("content-type", "application/json").end("{}");
    });
    return;
  }
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const body = Buffer.concat(parts);
    requests += 1;
    requestBytes += body.length;
    open += 1;
    response.on("close", () => {
      open -= 1;
    });
    if (delayMs === 0) reply(url, body, response);
    else setTimeout(() => reply(url, body, response), delayMs);
  });
}

const server = createServer(handle).listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.once("disconnect", () => process.exit());
