import type { EnvironmentSettings } from "./environment.ts";
import type { Environment } from "./interpolation.ts";
import { show, type Problem } from "./problems.ts";

export interface TracingSettings {
  /** Messages, arguments and results are exported, too. */
  readonly withContent: boolean;
  /** The `OTEL_*` variables, `.env` included: the SDK reads the process's environment alone. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Whether spans are exported. Only with an endpoint: the other variables may be there for other
 * programs.
 */
export function joinTracing(
  names: EnvironmentSettings,
  environment: Environment,
): { readonly settings: TracingSettings | undefined; readonly problems: readonly Problem[] } {
  const endpoint = names.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? names.OTEL_EXPORTER_OTLP_ENDPOINT;
  const isDisabled =
    environment["OTEL_SDK_DISABLED"]?.toLowerCase() === "true" ||
    environment["OTEL_TRACES_EXPORTER"] === "none";
  if (endpoint === undefined || isDisabled) return { settings: undefined, problems: [] };
  const unknown = Object.entries(known).flatMap(([where, values]) => {
    const value = environment[where];
    return value === undefined || values.includes(value.toLowerCase())
      ? []
      : [{ where, value: show(value), expected: `expected ${values.join(" or ")}` }];
  });
  const problems = [...unknown, ...headerNames.flatMap((name) => headerProblem(name, environment))];
  const variables = Object.entries(environment).filter(
    (each): each is [string, string] => each[0].startsWith("OTEL_") && each[1] !== undefined,
  );
  return {
    settings: {
      withContent: environment[captureContent]?.toLowerCase() === "true",
      variables: Object.fromEntries(variables),
    },
    problems,
  };
}

const captureContent = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

/** A receiver that takes protobuf over HTTP takes JSON at the same address; gRPC has another. */
const protocols = ["http/json", "http/protobuf"];
const known: Readonly<Record<string, readonly string[]>> = {
  OTEL_TRACES_EXPORTER: ["otlp", "none"],
  OTEL_EXPORTER_OTLP_PROTOCOL: protocols,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: protocols,
  [captureContent]: ["true", "false"],
};

const headerNames = ["OTEL_EXPORTER_OTLP_HEADERS", "OTEL_EXPORTER_OTLP_TRACES_HEADERS"];

/** The SDK leaves out in silence what it can't read, so that a receiver would refuse all spans. */
function headerProblem(where: string, environment: Environment): readonly Problem[] {
  const pair = /^(?:[^\s=]+\s*=(?:[^%;]|%[0-9a-f]{2})+)?$/i;
  if (environment[where]?.split(",").every((each) => pair.test(each.trim())) ?? true) return [];
  const expected =
    "expected name=value,name=value, and in a value %25 for %, %2C for a comma, %3B for ;";
  return [{ where, value: undefined, expected }];
}

/** The values of headers and of addresses, which may be passwords. */
export const secretVariables = /^OTEL_EXPORTER_OTLP_.*(?:HEADERS|ENDPOINT)$/;
