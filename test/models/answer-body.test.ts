import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { maxAnswerBytes, maxLineBytes } from "../../src/models/answer-body.ts";
import { createOllamaModel } from "../../src/models/ollama/model.ts";
import { createOpenAiModel } from "../../src/models/openai/model.ts";
import { ask, request } from "./helpers.ts";

const pieceBytes = 1_048_576;

/** A server whose answers never end; counts the bytes that were taken, of all answers. */
async function endless(text: string): Promise<AsyncDisposable & { url: string; taken: number }> {
  const piece = Buffer.alloc(pieceBytes, text);
  const server: Server = createServer((incoming, response) => {
    incoming.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    const more = (): void => {
      if (response.destroyed) return;
      found.taken += pieceBytes;
      response.write(piece, more);
    };
    more();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const found = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken: 0,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return found;
}

const models = {
  chat: (host: string) =>
    createOpenAiModel({ settings: { baseUrl: `${host}/v1` }, id: "a/m", card: { tools: true } }),
  ollama: (host: string) =>
    createOllamaModel({
      settings: { host },
      id: "a/m",
      card: { tools: true, contextWindow: 8_192 },
    }),
};

describe.each(Object.entries(models))("an answer over %s", (_, model) => {
  it.each([
    ["a line without an end", "x", maxLineBytes],
    ["lines without an end", " \n", maxAnswerBytes],
  ])("that is %s is given up", async (_what, text, maxBytes) => {
    await using server = await endless(text);
    const answer = await ask(model(server.url), request("go"));
    expect(answer.finish).toBeUndefined();
    expect(answer.failure?.message).toContain("larger than");
    // The server is asked twice: what its model can do, which is read whole, and the question.
    // What a socket holds is not much.
    expect(server.taken).toBeLessThan(maxAnswerBytes + maxBytes + 32 * pieceBytes);
  });
});
