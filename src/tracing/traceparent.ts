import type { SpanContext } from "@opentelemetry/api";

const form = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** A span as what follows it names it: 55 characters (https://www.w3.org/TR/trace-context). */
export const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;

/** Undefined for what is none: the span then begins a trace of its own. */
export function spanContextOf(traceparent: string | undefined): SpanContext | undefined {
  const [, traceId, spanId, flags] = form.exec(traceparent ?? "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}
