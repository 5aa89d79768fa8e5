/** docs/reference/metrics.md has every metric with its type and labels, and no other. */
import { collectDefaultMetrics, Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { read, rowsIn } from "../support/shown-by.ts";
import { deploymentMetrics } from "./all-metrics.ts";

const codesIn = (cell: string): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

const page = read("docs/reference/metrics.md");
// There are several tables: rows without a name are their heads.
const rows = rowsIn(page.split("\n"))
  .map(([name = "", type = "", labels = ""]) => ({
    name: codesIn(name)[0] ?? "",
    type,
    labels: codesIn(labels),
  }))
  .filter(({ name }) => name !== "");

describe("docs/reference/metrics.md", () => {
  it("lists every metric of Parley with its type and labels, and no other", () => {
    const listed = rows.filter(({ name }) => !name.endsWith("…"));
    const sorted = (metrics: typeof rows) =>
      metrics.toSorted((one, other) => one.name.localeCompare(other.name));
    expect(sorted(listed)).toEqual(sorted([...deploymentMetrics()]));
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
