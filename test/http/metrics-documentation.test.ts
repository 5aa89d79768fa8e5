/** docs/reference/metrics.md has every metric with its labels, and no other. */
import { collectDefaultMetrics, Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { gaugesOf } from "../../src/roles/gauges.ts";
import { read, rowsIn } from "../support/shown-by.ts";

const codesIn = (cell: string): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

const page = read("docs/reference/metrics.md");
const rows = rowsIn(page.split("\n")).map(([name = "", labels = ""]) => ({
  name: codesIn(name)[0] ?? "",
  labels: codesIn(labels),
}));

describe("docs/reference/metrics.md", () => {
  it("lists every gauge of the deployment with its labels, and no other", () => {
    const gauges = gaugesOf(
      () => undefined,
      () => [],
    ).map(({ name, labels }) => ({ name, labels }));
    expect(rows.filter(({ name }) => !name.endsWith("…"))).toEqual(gauges);
  });

  it("names the prefix of every other metric", async () => {
    const registry = new Registry();
    collectDefaultMetrics({ register: registry });
    const prefixes = rows.flatMap(({ name }) => (name.endsWith("…") ? [name.slice(0, -1)] : []));
    expect(prefixes).toHaveLength(2);
    const found = await registry.getMetricsAsJSON();
    expect(found.length).toBeGreaterThan(5);
    for (const { name } of found)
      expect(
        prefixes.some((prefix) => name.startsWith(prefix)),
        name,
      ).toBe(true);
    const names = found.map(({ name }) => name);
    for (const [name] of page.matchAll(/nodejs_\w+/g)) expect(names).toContain(name);
  });
});
