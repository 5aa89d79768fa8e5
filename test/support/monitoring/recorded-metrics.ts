import type { Metrics } from "../../../src/core/metrics.ts";

/** Remembers what was counted, as name and what was given, in order. */
export function recordedMetrics() {
  const counted: (readonly [name: string, ...given: unknown[]])[] = [];
  const record =
    (name: keyof Metrics) =>
    (...given: unknown[]): void =>
      void counted.push([name, ...given]);
  const metrics: Metrics = {
    turnFinished: record("turnFinished"),
    firstWord: record("firstWord"),
    modelCalled: record("modelCalled"),
    toolCalled: record("toolCalled"),
    approvalDecided: record("approvalDecided"),
    delivered: record("delivered"),
    throttled: record("throttled"),
    chatDied: record("chatDied"),
    leaseTakenOver: record("leaseTakenOver"),
    limitRefused: record("limitRefused"),
  };
  return { metrics, counted };
}
