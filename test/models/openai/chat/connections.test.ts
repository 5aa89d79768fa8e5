import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { cloudLimits, withTimeLimits } from "../../../../src/models/limits.ts";
import { createOpenAiModel } from "../../../../src/models/openai/model.ts";
import { ask, request } from "../../helpers.ts";

const chunk = (delta: object, reason: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
const answer = `${chunk({ content: "hello" })}${chunk({}, "stop")}data: [DONE]\n\n`;

const ending: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

/**
 * A server on loopback that says the answer and then does what the test wants; knows on which
 * connections it was asked.
 */
async function startServer(behind: (response: ServerResponse) => void) {
  const asked = new Set<Socket>();
  const server = createServer((incoming, response) => {
    // What it is asked beside, for the model's card, tells nothing here.
    if (!incoming.url?.endsWith("/chat/completions")) {
      response.writeHead(404).end();
      return;
    }
    const { socket } = incoming;
    if (!asked.has(socket)) socket.on("close", () => server.emit("gone"));
    asked.add(socket);
    incoming.resume();
    incoming.on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(answer);
      behind(response);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  ending.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const { port } = server.address() as AddressInfo;
  const model = withTimeLimits(
    createOpenAiModel({
      settings: { baseUrl: `http://127.0.0.1:${port}/v1` },
      id: "a/m",
      card: { contextWindow: 8_192 },
    }),
    cloudLimits,
  );
  return { server, asked, model };
}

describe("the connection of an answer that is whole", () => {
  it("is used again by the next one, though the client reads no further than the mark", async () => {
    // The end comes in a packet of its own, behind the mark.
    const { asked, model } = await startServer((response) => setImmediate(() => response.end()));
    const opened = async () => {
      const before = asked.size;
      expect((await ask(model, request("hi"))).text).toBe("hello");
      return asked.size - before;
    };
    expect(await opened()).toBe(1);
    // No one who has their answer waits for its end: the next one may come too early for it.
    await expect.poll(opened).toBe(0);
  });

  it("is closed when the server never ends it", async () => {
    const { server, asked, model } = await startServer(() => undefined);
    const gone = once(server, "gone");
    expect((await ask(model, request("hi"))).text).toBe("hello");
    await gone;
    expect(asked.size).toBe(1);
  });
});
