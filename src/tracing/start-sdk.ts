import { randomUUID } from "node:crypto";
import type { Tracer } from "@opentelemetry/api";
import type { IdGenerator, SpanExporter } from "@opentelemetry/sdk-trace-node";
import { messageOf, PermanentError } from "../core/errors.ts";
import { ownVersion } from "../util/version.ts";

/** How long the end of a process waits for the receiver to take its last spans. Milliseconds. */
const flushLimitMs = 1_000;

const packages = [
  "@opentelemetry/sdk-trace-node",
  "@opentelemetry/exporter-trace-otlp-http",
  "@opentelemetry/resources",
] as const;

export interface Sdk {
  readonly tracer: Tracer;
  readonly forceId: (spanId: string) => void;
  /** Never rejects; what cannot be sent within a second is lost. */
  flush(): Promise<void>;
}

/**
 * OpenTelemetry's SDK with an OTLP exporter. Endpoint, headers, sampler and batches are the SDK's
 * own business: it reads the `OTEL_*` variables of the process.
 * @throws PermanentError where the optional packages are not installed
 */
export async function startSdk(options: {
  readonly role: string;
  /** Reports spans that the receiver did not take. */
  readonly lost: (count: number, cause: string) => void;
}): Promise<Sdk> {
  const [trace, otlp, resources] = await loadPackages();
  const ids = new trace.RandomIdGenerator();
  let forced: string | undefined;
  const idGenerator: IdGenerator = {
    generateTraceId: () => ids.generateTraceId(),
    generateSpanId() {
      const id = forced ?? ids.generateSpanId();
      forced = undefined;
      return id;
    },
  };
  const named = resources.resourceFromAttributes({
    "service.name": "parley",
    "service.version": ownVersion(),
    "service.instance.id": randomUUID(),
    "parley.role": options.role,
  });
  // The operator's own attributes beat ours.
  const given = resources.detectResources({ detectors: [resources.envDetector] });
  const { exporter, unanswered } = reporting(new otlp.OTLPTraceExporter(), options.lost);
  const provider = new trace.NodeTracerProvider({
    idGenerator,
    resource: named.merge(given),
    spanProcessors: [new trace.BatchSpanProcessor(exporter)],
  });
  return {
    tracer: provider.getTracer("parley", ownVersion()),
    forceId(spanId) {
      forced = spanId;
    },
    async flush() {
      const limit = Promise.withResolvers<void>();
      const timer = setTimeout(limit.resolve, flushLimitMs);
      await Promise.race([provider.shutdown().catch(() => undefined), limit.promise]);
      clearTimeout(timer);
      if (unanswered() > 0) options.lost(unanswered(), "the process ends before an answer");
    },
  };
}

async function loadPackages() {
  try {
    return await Promise.all([
      import("@opentelemetry/sdk-trace-node"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
    ]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new PermanentError(
      `OTEL_EXPORTER_OTLP_ENDPOINT is set, but OpenTelemetry's packages are not installed (${messageOf(error)}). Install them: npm install ${packages.join(" ")}`,
      { cause: error },
    );
  }
}

/** The exporter, which by itself fails in silence, and how many spans it is sending. */
function reporting(exporter: SpanExporter, lost: (count: number, cause: string) => void) {
  let sending = 0;
  const reported: SpanExporter = {
    export(spans, done) {
      sending += spans.length;
      exporter.export(spans, (result) => {
        sending -= spans.length;
        if (result.error !== undefined) lost(spans.length, messageOf(result.error));
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
  return { exporter: reported, unanswered: () => sending };
}
