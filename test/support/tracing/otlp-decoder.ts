import root from "otlp-protos/build/src/generated/root.js";

/** What is used here of OpenTelemetry's generated messages, which come without types. */
interface AnyValue {
  readonly stringValue?: string;
  readonly boolValue?: boolean;
  readonly intValue?: string;
  readonly doubleValue?: number;
  readonly arrayValue?: { readonly values: readonly AnyValue[] };
}
interface KeyValue {
  readonly key: string;
  readonly value?: AnyValue;
}
interface DecodedSpan {
  readonly traceId?: Uint8Array;
  readonly spanId?: Uint8Array;
  readonly parentSpanId?: Uint8Array;
  readonly name?: string;
  readonly kind?: number;
  readonly startTimeUnixNano?: string;
  readonly endTimeUnixNano?: string;
  readonly attributes: readonly KeyValue[];
  readonly events: readonly {
    readonly name?: string;
    readonly timeUnixNano?: string;
    readonly attributes: readonly KeyValue[];
  }[];
  readonly links: readonly { readonly traceId?: Uint8Array; readonly spanId?: Uint8Array }[];
  readonly status?: { readonly code?: number; readonly message?: string };
}
interface DecodedRequest {
  readonly resourceSpans: readonly {
    readonly resource?: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly { readonly spans: readonly DecodedSpan[] }[];
  }[];
}
interface MessageType {
  decode(bytes: Uint8Array): object;
  fromObject(json: unknown): object;
  /** What is wrong with it; null: nothing. */
  verify(message: object): string | null;
  toObject(message: object, options: object): DecodedRequest;
}

const { ExportTraceServiceRequest: requestType } = (
  root as unknown as {
    readonly opentelemetry: {
      readonly proto: {
        readonly collector: {
          readonly trace: { readonly v1: { readonly ExportTraceServiceRequest: MessageType } };
        };
      };
    };
  }
).opentelemetry.proto.collector.trace.v1;

type Value = string | number | boolean | undefined | readonly Value[];
type Attributes = Readonly<Record<string, Value>>;

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  /** Milliseconds since the epoch, as the other times. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly events: readonly {
    readonly name: string;
    readonly atMs: number;
    readonly attributes: Attributes;
  }[];
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  /** Code 2 is an error. */
  readonly status: { readonly code: number; readonly message?: string };
  readonly resource: Attributes;
}

/**
 * The spans of a request in OTLP's two encodings over HTTP, read with OpenTelemetry's own types
 * (https://opentelemetry.io/docs/specs/otlp/#otlphttp).
 * @throws Error for what a receiver answers with 400
 */
export function decodeSpans(body: Buffer, encoding: "json" | "protobuf"): ReceivedSpan[] {
  const message =
    encoding === "protobuf"
      ? requestType.decode(body)
      : requestType.fromObject(JSON.parse(body.toString(), inProtobuf));
  const problem = requestType.verify(message);
  if (problem !== null) throw new Error(problem);
  const { resourceSpans } = requestType.toObject(message, { longs: String, arrays: true });
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => spanOf(span, attributesOf(resource?.attributes ?? []))),
    ),
  );
}

/** JSON differs from protobuf's own JSON in ids, which are hexadecimal; times are decimal. */
function inProtobuf(key: string, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (key.endsWith("UnixNano") && !/^\d+$/.test(value)) throw new Error(`${key}: ${value}`);
  if (key !== "traceId" && key !== "spanId" && key !== "parentSpanId") return value;
  if (!/^(?:[0-9a-f]{2})*$/i.test(value)) throw new Error(`${key}: ${value}`);
  return Buffer.from(value, "hex");
}

function spanOf(span: DecodedSpan, resource: Attributes): ReceivedSpan {
  const parentSpanId = idOf(span.parentSpanId, [0, 8]);
  return {
    traceId: idOf(span.traceId, [16]),
    spanId: idOf(span.spanId, [8]),
    ...(parentSpanId === "" ? {} : { parentSpanId }),
    name: span.name ?? "",
    kind: span.kind ?? 0,
    startMs: msOf(span.startTimeUnixNano),
    endMs: msOf(span.endTimeUnixNano),
    attributes: attributesOf(span.attributes),
    events: span.events.map(({ name = "", timeUnixNano, attributes }) => ({
      name,
      atMs: msOf(timeUnixNano),
      attributes: attributesOf(attributes),
    })),
    links: span.links.map((link) => ({
      traceId: idOf(link.traceId, [16]),
      spanId: idOf(link.spanId, [8]),
    })),
    status: { code: 0, ...span.status },
    resource,
  };
}

/** @throws Error for an id of another length */
function idOf(bytes: Uint8Array = new Uint8Array(), lengths: readonly number[]): string {
  if (!lengths.includes(bytes.length)) throw new Error(`an id of ${bytes.length} bytes`);
  return Buffer.from(bytes).toString("hex");
}

const msOf = (nanoseconds = "0"): number => Number(BigInt(nanoseconds) / 1_000n) / 1_000;

const attributesOf = (list: readonly KeyValue[]): Attributes =>
  Object.fromEntries(list.map(({ key, value }) => [key, valueOf(value)]));

function valueOf({
  stringValue,
  boolValue,
  intValue,
  doubleValue,
  arrayValue,
}: AnyValue = {}): Value {
  if (intValue !== undefined) return Number(intValue);
  return stringValue ?? boolValue ?? doubleValue ?? arrayValue?.values.map(valueOf);
}
