import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { z } from "zod";
import { timeoutMs } from "../parley/stage.ts";

/** OTLP/HTTP with JSON: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding */
const value = z.union([
  z.strictObject({ stringValue: z.string() }).transform((each) => each.stringValue),
  z
    .strictObject({ intValue: z.union([z.number(), z.string()]) })
    .transform((each) => Number(each.intValue)),
  z.strictObject({ doubleValue: z.number() }).transform((each) => each.doubleValue),
  z.strictObject({ boolValue: z.boolean() }).transform((each) => each.boolValue),
  z
    .strictObject({
      arrayValue: z.strictObject({ values: z.array(z.strictObject({ stringValue: z.string() })) }),
    })
    .transform((each) => each.arrayValue.values.map((one) => one.stringValue)),
]);
const attributes = z
  .array(z.strictObject({ key: z.string(), value }))
  .transform((list) => Object.fromEntries(list.map((each) => [each.key, each.value])));
const ms = z
  .string()
  .regex(/^\d+$/)
  .transform((nanoseconds) => Number(nanoseconds) / 1e6);
const traceId = z.string().regex(/^[0-9a-f]{32}$/);
const spanId = z.string().regex(/^[0-9a-f]{16}$/);
const span = z.looseObject({
  traceId,
  spanId,
  parentSpanId: spanId.exactOptional(),
  name: z.string(),
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: z.number().int().min(1).max(5),
  startTimeUnixNano: ms,
  endTimeUnixNano: ms,
  attributes,
  events: z.array(z.looseObject({ name: z.string(), timeUnixNano: ms, attributes })),
  links: z.array(z.looseObject({ traceId, spanId })),
  /** 2 is an error. */
  status: z.strictObject({ code: z.number(), message: z.string().exactOptional() }),
});
const request = z.strictObject({
  resourceSpans: z.array(
    z.looseObject({
      resource: z.looseObject({ attributes }),
      scopeSpans: z.array(z.looseObject({ spans: z.array(span) })),
    }),
  ),
});

export type ReceivedSpan = z.output<typeof span> & {
  readonly resource: z.output<typeof attributes>;
};

/** A receiver of spans that takes nothing but what the specification allows. */
export class OtlpReceiver implements AsyncDisposable {
  readonly spans: ReceivedSpan[] = [];
  readonly problems: string[] = [];
  /** What arrived, as it arrived. */
  readonly bodies: string[] = [];
  readonly headers: (string | undefined)[] = [];
  /** Answers with this, and takes nothing, while it is set. */
  refusesWith: number | undefined;
  refused = 0;
  readonly #server: Server;
  readonly #waiting = new Set<() => void>();

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<OtlpReceiver> {
    const server = createServer();
    const receiver = new OtlpReceiver(server);
    server.on("request", (given, response) => {
      void (async () => {
        const body = await json(given);
        if (receiver.refusesWith !== undefined) {
          receiver.refused += 1;
          response.writeHead(receiver.refusesWith).end();
        } else {
          receiver.headers.push(given.headers.authorization);
          receiver.#take(given.url ?? "", body);
          response.writeHead(200, { "content-type": "application/json" }).end("{}");
        }
        for (const check of receiver.#waiting) check();
      })();
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #take(path: string, body: unknown): void {
    this.bodies.push(JSON.stringify(body));
    if (path !== "/v1/traces") this.problems.push(`POST ${path}`);
    const read = request.safeParse(body);
    if (!read.success) {
      this.problems.push(z.prettifyError(read.error));
      return;
    }
    for (const { resource, scopeSpans } of read.data.resourceSpans)
      for (const { spans } of scopeSpans)
        this.spans.push(...spans.map((each) => ({ ...each, resource: resource.attributes })));
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

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}
