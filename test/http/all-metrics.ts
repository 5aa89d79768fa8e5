import { z } from "zod";
import { createMetrics } from "../../src/http/metrics.ts";
import { gaugesOf } from "../../src/roles/gauges.ts";

export interface MetricDescription {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
}

// prom-client keeps a metric's labels to itself.
const metricSchema = z.object({ name: z.string(), labelNames: z.array(z.string()) });

/** What `/metrics` has besides the figures of Node and of the process. */
export function deploymentMetrics(): readonly MetricDescription[] {
  const { registry } = createMetrics();
  const gauges = gaugesOf({ services: () => undefined, bots: () => [], role: "all" });
  const counted = registry.getMetricsAsArray().map((metric) => {
    const { name, labelNames } = metricSchema.parse(metric);
    const type = name.endsWith("_total") ? "counter" : "histogram";
    return { name, type, labels: labelNames };
  });
  return [
    ...counted,
    ...gauges.map(({ name, labels }) => ({ name, type: "gauge", labels: [...labels] })),
  ];
}
