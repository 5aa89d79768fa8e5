import { messageOf } from "../core/errors.ts";
import type { Services } from "../services.ts";
import { readTracingKey } from "../store/operations/tracing-key.ts";
import { TraceWarnings } from "../store/traces/trace-warnings.ts";
import { startSdk } from "../tracing/start-sdk.ts";
import { createTracing } from "../tracing/tracing.ts";

/**
 * The services with spans of what passes them; the last ones are sent when `parts` are disposed of.
 * @throws PermanentError where OpenTelemetry's packages are not installed
 */
export async function startTracing(
  services: Services,
  parts: AsyncDisposableStack,
): Promise<Services> {
  const { settings, store, redact, log } = services;
  const warnings = new TraceWarnings(log, "spans are lost: the OTLP receiver did not take them");
  const [sdk, key] = await Promise.all([
    startSdk({
      role: settings.role,
      lost: (count, cause) => warnings.lost(redact(cause), count),
    }),
    readTracingKey(store),
  ]);
  parts.defer(() => sdk.flush());
  const tracing = createTracing({
    tracer: sdk.tracer,
    forceId: sdk.forceId,
    key,
    redact,
    withContent: settings.tracing?.withContent ?? false,
    now: () => store.clock.now(),
    failed: (error) => warnings.lost(redact(messageOf(error)), 1),
  });
  return { ...services, ...tracing.mailboxes(services), tracing };
}
