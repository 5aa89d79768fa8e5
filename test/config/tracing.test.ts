import { expect, test } from "vitest";
import { load, refusal } from "./support.ts";

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };

test.each<[string, string, readonly string[]]>([
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "127.0.0.1:4318", ['"127.0.0.1:4318"', "http"]],
  ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "ftp://a.example", ["http"]],
  ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", ['"grpc"', "http/json or http/protobuf"]],
  ["OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "json", ['"json"', "http/json or http/protobuf"]],
  ["OTEL_TRACES_EXPORTER", "zipkin", ['"zipkin"', "otlp or none"]],
  [
    "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT",
    "yes",
    ['"yes"', "expected true or false"],
  ],
  ["OTEL_EXPORTER_OTLP_HEADERS", "Bearer abc", ["name=value", "%3B for ;"]],
  ["OTEL_EXPORTER_OTLP_HEADERS", "a=b,authorization=abc;def", ["name=value", "%3B for ;"]],
  ["OTEL_EXPORTER_OTLP_HEADERS", "authorization=100%", ["name=value"]],
  ["OTEL_EXPORTER_OTLP_HEADERS", "authorization=", ["name=value"]],
  ["OTEL_EXPORTER_OTLP_TRACES_HEADERS", "a=b,c", ["name=value"]],
])("refuses %s=%s", (name, value, expected) => {
  const message = refusal({ environment: { ...endpoint, [name]: value } });
  for (const part of [name, ...expected]) expect(message).toContain(part);
});

test("shows no part of a header or of an address' password", () => {
  const message = refusal({
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: "ftp://ann:maple-otter@a.example",
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://127.0.0.1:4318",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer;maple-otter",
    },
  });
  expect(message).toContain("OTEL_EXPORTER_OTLP_HEADERS");
  expect(message).not.toContain("maple-otter");
});

test.each([
  "authorization=Basic%20dGVzdA==",
  "authorization=Basic%20dGVzdA%3D%3D",
  "authorization=Bearer abc",
  "x-api-key=abc123,, x-team = green%2C%20blue",
  "x-key=a/b+c?d:e@f",
])("takes the headers %s", (value) => {
  const environment = { ...endpoint, OTEL_EXPORTER_OTLP_HEADERS: value };
  expect(load({ environment }).tracing?.variables).toEqual(environment);
});

test.each([
  {},
  { ...endpoint, OTEL_SDK_DISABLED: "TRUE", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
  { ...endpoint, OTEL_TRACES_EXPORTER: "none" },
  // Meant for other programs.
  { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc", OTEL_EXPORTER_OTLP_HEADERS: "none" },
])("traces nothing with %s", (environment) => {
  expect(load({ environment }).tracing).toBeUndefined();
});

test("takes content only where it is asked for, and the variables of .env", () => {
  const name = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";
  expect(load({ environment: endpoint }).tracing?.withContent).toBe(false);
  const dotEnv = `${name}=true\nOTEL_SERVICE_NAME=our-bot`;
  const { tracing } = load({ environment: endpoint, dotEnv });
  expect(tracing?.withContent).toBe(true);
  expect(tracing?.variables["OTEL_SERVICE_NAME"]).toBe("our-bot");
});
