import { Gauge, type Registry } from "prom-client";

/** A figure of the deployment, the same whichever process is asked. */
export interface GaugeSource {
  /** E.g. `parley_dead_letters`. */
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  /** Asked once per scrape. */
  read(): Promise<
    readonly {
      readonly labels: Readonly<Record<string, string>>;
      readonly value: number;
    }[]
  >;
}

/**
 * A scrape doesn't wait for an unavailable Redis: its metrics are then left
 * out. Milliseconds.
 */
const limitMs = 2_000;

export function addGauges(registry: Registry, sources: readonly GaugeSource[]): void {
  for (const source of sources) {
    const { name, help, labels } = source;
    // While Redis is away, reads would queue up behind each other.
    let reading: ReturnType<GaugeSource["read"]> | undefined;
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames: [...labels],
      registers: [registry],
      async collect() {
        gauge.reset();
        const late = Promise.withResolvers<[]>();
        const timer = setTimeout(() => late.resolve([]), limitMs);
        // Unreadable metrics are omitted: their values are unknown.
        reading ??= source
          .read()
          .catch(() => [])
          .finally(() => (reading = undefined));
        const figures = await Promise.race([reading, late.promise]);
        clearTimeout(timer);
        for (const figure of figures) gauge.set(figure.labels, figure.value);
      },
    });
  }
}
