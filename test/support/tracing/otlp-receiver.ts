import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { timeoutMs } from "../parley/stage.ts";
import { decodeSpans, type ReceivedSpan } from "./otlp-decoder.ts";

const encodings: Readonly<Record<string, "json" | "protobuf">> = {
  "application/json": "json",
  "application/x-protobuf": "protobuf",
};

/** A receiver of spans over HTTP that takes and refuses what the specification says. */
export class OtlpReceiver implements AsyncDisposable {
  readonly url: string;
  readonly spans: ReceivedSpan[] = [];
  /** What it refused although it wasn't told to. */
  readonly problems: string[] = [];
  /** What arrived, as it arrived. */
  readonly bodies: string[] = [];
  readonly headers: (string | undefined)[] = [];
  /** Answers with this, and takes nothing, while it is set; `hang` never answers. */
  refusesWith: number | "hang" | undefined;
  refused = 0;
  readonly #server: Server;
  readonly #waiting = new Set<() => void>();

  private constructor(server: Server, url: string) {
    this.#server = server;
    this.url = url;
  }

  static async start(): Promise<OtlpReceiver> {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const receiver = new OtlpReceiver(server, `http://127.0.0.1:${port}`);
    server.on("request", (given, response) => {
      void (async () => {
        const status = await receiver.#take(given);
        const type = given.headers["content-type"] ?? "";
        if (status !== "hang")
          response
            .writeHead(status, { "content-type": type })
            .end(type === "application/json" ? "{}" : "");
        for (const check of receiver.#waiting) check();
      })();
    });
    return receiver;
  }

  async #take(given: IncomingMessage): Promise<number | "hang"> {
    const { method, url, headers } = given;
    const sent = await buffer(given);
    if (this.refusesWith !== undefined) {
      this.refused += 1;
      return this.refusesWith;
    }
    const encoding = encodings[headers["content-type"] ?? ""];
    if (url !== "/v1/traces") return this.#refuse(404, `${method} ${url}`);
    if (method !== "POST") return this.#refuse(405, `${method} ${url}`);
    if (encoding === undefined) return this.#refuse(415, String(headers["content-type"]));
    try {
      const body = headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
      this.spans.push(...decodeSpans(body, encoding));
      this.bodies.push(body.toString());
    } catch (error) {
      return this.#refuse(400, String(error));
    }
    this.headers.push(headers.authorization);
    return 200;
  }

  #refuse(status: number, why: string): number {
    this.problems.push(`${status}: ${why}`);
    return status;
  }

  /** Looks again after every request. */
  async waitFor<T>(find: () => T | undefined | false, what: string): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const check = () => {
      const found = find();
      if (found !== undefined && found !== false) resolve(found);
    };
    this.#waiting.add(check);
    const timer = setTimeout(() => {
      const names = this.spans.map(({ name }) => name).join(", ");
      reject(new Error(`no ${what}; there are ${names}; ${this.problems.join("; ")}`));
    }, timeoutMs);
    check();
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#waiting.delete(check);
    }
  }

  /** From then on no one listens at its address. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}
