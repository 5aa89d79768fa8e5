import { describe, expect, it } from "vitest";
import { maxAnswerBytes, maxLineBytes } from "../../src/models/bounded-response.ts";
import { createOllamaModel } from "../../src/models/ollama/model.ts";
import { createOpenAiModel } from "../../src/models/openai/model.ts";
import { ask, request } from "./helpers.ts";

const host = "http://127.0.0.1:9";
const pieceBytes = 1_048_576;

/** An answer that never ends, in pieces of a megabyte; counts how many were taken. */
function endless(piece: Uint8Array<ArrayBuffer>) {
  const taken = { pieces: 0, cancelled: false };
  const fetcher = (() =>
    Promise.resolve(
      new Response(
        new ReadableStream(
          {
            pull(controller) {
              taken.pieces += 1;
              controller.enqueue(piece);
            },
            cancel() {
              taken.cancelled = true;
            },
          },
          { highWaterMark: 0 },
        ),
        { headers: { "content-type": "text/event-stream" } },
      ),
    )) as typeof fetch;
  return { taken, fetcher };
}

const filled = (text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.alloc(pieceBytes, text));

const models = {
  chat: (fetcher: typeof fetch) =>
    createOpenAiModel({
      settings: { baseUrl: `${host}/v1` },
      id: "a/m",
      fetch: fetcher,
    }),
  ollama: (fetcher: typeof fetch) =>
    createOllamaModel({
      settings: { host },
      id: "a/m",
      card: { tools: true, contextWindow: 8_192 },
      fetch: fetcher,
    }),
};

describe.each(Object.entries(models))("an answer over %s", (_, model) => {
  it.each([
    ["a line without an end", "x", maxLineBytes],
    ["lines without an end", ": ping\n", maxAnswerBytes],
  ])("that is %s is given up", async (_what, text, maxBytes) => {
    const { taken, fetcher } = endless(filled(text));
    const answer = await ask(model(fetcher), request("go"));
    expect(answer.finish).toBeUndefined();
    expect(answer.failure).toBeDefined();
    // The server is asked twice: what its model can do, and the question. What a stream reads ahead
    // is not much.
    expect(taken.pieces * pieceBytes).toBeLessThan(2 * maxBytes + 24 * pieceBytes);
    await expect.poll(() => taken.cancelled).toBe(true);
  });
});
