import { gzipSync } from "node:zlib";
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-node";
import { JsonTraceSerializer, ProtobufTraceSerializer } from "otlp-protos";
import { describe, expect, it } from "vitest";
import { OtlpReceiver } from "../support/tracing/otlp-receiver.ts";

const context = {
  traceId: "0123456789abcdef0123456789abcdef",
  spanId: "0123456789abcdef",
  traceFlags: 1,
};

/** A request with one span, written by OpenTelemetry in both encodings. */
function written() {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ "service.name": "s" }),
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  });
  const span = provider.getTracer("t").startSpan(
    "turn",
    {
      kind: SpanKind.PRODUCER,
      startTime: 1_790_000_000_000,
      attributes: { count: 3, ratio: 0.5, flag: true, list: ["a"] },
      links: [{ context }],
    },
    trace.setSpanContext(ROOT_CONTEXT, context),
  );
  span.addEvent("asked", { tool: "go" }, 1_790_000_000_001);
  span.setStatus({ code: SpanStatusCode.ERROR, message: "failed" });
  span.end(1_790_000_000_002);
  const spans = exporter.getFinishedSpans();
  const json = Buffer.from(JsonTraceSerializer.serializeRequest(spans) ?? []);
  return { json, protobuf: Buffer.from(ProtobufTraceSerializer.serializeRequest(spans) ?? []) };
}

const asJson = { "content-type": "application/json" };
const asProtobuf = { "content-type": "application/x-protobuf" };

const post = async (
  { url }: OtlpReceiver,
  body: string | Buffer<ArrayBuffer>,
  headers: Record<string, string>,
) => (await fetch(`${url}/v1/traces`, { method: "POST", headers, body })).status;

describe("the tests' OTLP receiver", () => {
  it("takes both encodings, compressed or not", async () => {
    await using receiver = await OtlpReceiver.start();
    const { json, protobuf } = written();
    expect(await post(receiver, json, asJson)).toBe(200);
    expect(await post(receiver, protobuf, asProtobuf)).toBe(200);
    const gzip = { ...asJson, "content-encoding": "gzip" };
    expect(await post(receiver, gzipSync(json), gzip)).toBe(200);
    expect(receiver.problems).toEqual([]);
    const { traceId, spanId } = context;
    const [first, ...others] = receiver.spans;
    expect(first).toEqual({
      traceId,
      spanId: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
      parentSpanId: spanId,
      name: "turn",
      kind: 4,
      startMs: 1_790_000_000_000,
      endMs: 1_790_000_000_002,
      attributes: { count: 3, ratio: 0.5, flag: true, list: ["a"] },
      events: [{ name: "asked", atMs: 1_790_000_000_001, attributes: { tool: "go" } }],
      links: [{ traceId, spanId }],
      status: { code: 2, message: "failed" },
      resource: { "service.name": "s" },
    });
    expect(others).toEqual([first, first]);
  });

  it.each([
    ["no JSON", "{", asJson, 400],
    ["another shape", '{"resourceSpans":5}', asJson, 400],
    ["an id in base64", spanWith({ traceId: "AAAAAAAAAAAAAAAAAAAAAA==" }), asJson, 400],
    ["an id that is too short", spanWith({ spanId: "01" }), asJson, 400],
    ["a time that is none", spanWith({ startTimeUnixNano: "now" }), asJson, 400],
    ["JSON called protobuf", spanWith({}), asProtobuf, 400],
    ["another type", spanWith({}), { "content-type": "text/plain" }, 415],
  ])("refuses %s", async (_, body, headers, status) => {
    await using receiver = await OtlpReceiver.start();
    expect(await post(receiver, body, headers)).toBe(status);
    expect(receiver.spans).toEqual([]);
    expect(receiver.problems).toHaveLength(1);
  });
});

function spanWith(fields: object): string {
  const { traceId, spanId } = context;
  const span = { traceId, spanId, name: "turn", startTimeUnixNano: "1", ...fields };
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
}
