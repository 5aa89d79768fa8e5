import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "./problem.ts";
import { isObject, parseJson } from "./problem.ts";
import type { RecordedRequest, ScriptedModel } from "./scripted-model.ts";
import type { Wire } from "./step.ts";

/** A request that the vendor would not have accepted, and every reason. */
export interface Violation {
  readonly wire: Wire;
  readonly problems: readonly string[];
  readonly body: JsonObject;
}

/** Every request that was answered or refused, model calls and questions about models alike. */
export interface Hit {
  readonly method: string;
  readonly path: string;
  status: number;
}

const maxHits = 10_000;

/** A server on 127.0.0.1. Listening until disposed; then no socket, timer or handler is left. */
export class HttpEmulator {
  readonly hits: Hit[] = [];
  readonly closing: AbortSignal;
  readonly #closing = new AbortController();
  readonly #server: Server;

  private constructor(
    handle: (incoming: IncomingMessage, response: ServerResponse) => Promise<void>,
  ) {
    this.closing = this.#closing.signal;
    this.#server = createServer((incoming, response) => {
      const hit: Hit = {
        method: incoming.method ?? "",
        path: pathOf(incoming),
        status: 0,
      };
      this.hits.push(hit);
      if (this.hits.length > maxHits) this.hits.shift();
      // A client that goes away is not an error here.
      incoming.on("error", () => undefined);
      response.on("error", () => undefined);
      response.once("close", () => {
        hit.status = response.headersSent ? response.statusCode : 0;
      });
      handle(incoming, response).catch((error: unknown) => {
        // A script that throws is the test's mistake: say so on the wire, where the test will see
        // it.
        if (response.headersSent) response.destroy();
        else
          sendJson(response, 500, {
            error: { message: `the emulator failed: ${String(error)}` },
          });
      });
    });
  }

  static async start(
    handle: (incoming: IncomingMessage, response: ServerResponse) => Promise<void>,
    port = 0,
  ): Promise<HttpEmulator> {
    const emulator = new HttpEmulator(handle);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    emulator.#server.once("error", reject);
    emulator.#server.listen(port, "127.0.0.1", resolve);
    await promise;
    return emulator;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    this.#server.closeAllConnections();
    await promise;
  }
}

export function pathOf(incoming: IncomingMessage): string {
  return new URL(incoming.url ?? "/", "http://127.0.0.1").pathname;
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}

/** The body as an object; undefined when it is not a JSON object. */
export async function readJsonObject(incoming: IncomingMessage): Promise<JsonObject | undefined> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  const parsed = parseJson(Buffer.concat(pieces).toString("utf8"));
  return parsed.ok && isObject(parsed.value) ? parsed.value : undefined;
}

/** `GET /__emulator`: for tests whose emulator runs in another process. */
export function report(model: ScriptedModel, violations: readonly Violation[]): JsonObject {
  const count = (state: RecordedRequest["state"]): number =>
    model.requests.filter((request) => request.state === state).length;
  return {
    received: model.received,
    open: count("open") + count("held"),
    finished: count("finished"),
    failed: count("failed"),
    aborted: count("aborted"),
    violations: violations.map(({ problems }) => problems),
    requests: model.requests.map(
      ({ id, wire, model: name, state, lastUserText, lastRole, atMs }) => ({
        id,
        wire,
        model: name,
        state,
        lastUserText,
        lastRole,
        atMs,
      }),
    ),
  };
}
