/** What `deploy` has for Prometheus, Grafana and systemd fits together, and to the code. */
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { environmentNames } from "../../src/config/environment.ts";
import { deploymentMetrics, type MetricDescription } from "../http/all-metrics.ts";
import { read } from "../support/shown-by.ts";
import { dashboard, dashboardQueries } from "./dashboard.ts";

const rules = z
  .object({
    groups: z.array(
      z.object({
        rules: z.array(
          z.object({
            alert: z.string(),
            expr: z.string(),
            labels: z.object({ severity: z.enum(["warning", "critical"]) }),
            annotations: z.object({ summary: z.string(), runbook: z.string() }),
          }),
        ),
      }),
    ),
  })
  .parse(parse(read("deploy/prometheus/alerts.yml")))
  .groups.flatMap((group) => group.rules);

const histogramParts = ["_bucket", "_sum", "_count"];
const namesOf = ({ name, type }: MetricDescription): readonly string[] =>
  type === "histogram" ? histogramParts.map((part) => `${name}${part}`) : [name];
const known = new Set(deploymentMetrics().flatMap(namesOf));

const unknownIn = (query: string): readonly string[] =>
  [...query.matchAll(/\bparley_\w+/g)].map(([name]) => name).filter((name) => !known.has(name));

describe("the dashboard", () => {
  it("has panels with ids of their own that do not overlap", () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const { gridPos, title } of dashboard.panels)
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
  });

  it("asks a data source that it lets people choose", () => {
    const names = dashboard.templating.list.map(({ name }) => `\${${name}}`);
    for (const { type, datasource, title } of dashboard.panels)
      if (type !== "row") expect(names, title).toContain(datasource?.uid);
  });

  it("shows every metric of Parley, and no other", () => {
    expect(dashboardQueries.flatMap(unknownIn)).toEqual([]);
    const all = dashboardQueries.join("\n");
    const missing = deploymentMetrics().filter(({ name }) => !all.includes(name));
    expect(missing.map(({ name }) => name)).toEqual([]);
  });
});

describe("the alert rules", () => {
  it("ask for metrics that exist", () => {
    expect(rules.length).toBeGreaterThan(5);
    expect(rules.flatMap(({ expr }) => unknownIn(expr))).toEqual([]);
    expect(unknownIn("rate(parley_no_such_total[5m])")).toEqual(["parley_no_such_total"]);
  });

  it("each have a section in the runbooks, and every section an alert", () => {
    const sections = [...read("docs/runbooks.md").matchAll(/^## (\w+)$/gm)].map(
      ([, name = ""]) => name,
    );
    expect(sections).toEqual(rules.map(({ alert }) => alert));
    for (const { alert, annotations } of rules)
      expect(annotations.runbook).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
  });
});

describe("the configuration of Prometheus", () => {
  it("asks every service of the compose file that is Parley, and reads the rules", () => {
    const config = z
      .object({
        rule_files: z.array(z.string()),
        scrape_configs: z.array(
          z.object({
            job_name: z.string(),
            dns_sd_configs: z.array(z.object({ names: z.array(z.string()), port: z.number() })),
          }),
        ),
      })
      .parse(parse(read("deploy/prometheus/prometheus.yml")));
    expect(config.rule_files).toEqual(["alerts.yml"]);
    const [scrape] = config.scrape_configs;
    expect(scrape?.job_name).toBe("parley");
    const { services } = z
      .object({
        services: z.record(
          z.string(),
          z.object({ environment: z.record(z.string(), z.string()).optional() }),
        ),
      })
      .parse(parse(read("docker-compose.yml"), { merge: true }));
    const ours = Object.entries(services).filter(([, { environment = {} }]) =>
      Object.hasOwn(environment, "PARLEY_ROLE"),
    );
    expect(scrape?.dns_sd_configs[0]?.names.toSorted()).toEqual(
      ours.map(([name]) => name).toSorted(),
    );
    for (const [, { environment }] of ours)
      expect(environment?.["PARLEY_HTTP_PORT"]).toBe(String(scrape?.dns_sd_configs[0]?.port));
  });
});

describe("the systemd unit", () => {
  const unit = read("deploy/systemd/parley.service");
  const valuesOf = (key: string): readonly string[] =>
    [...unit.matchAll(new RegExp(`^${key}=(.*)$`, "gm"))].map(([, value = ""]) => value);

  it("starts Parley as npm start does, restarts it, and gives it time to end", () => {
    const { scripts } = z
      .object({ scripts: z.object({ start: z.string() }) })
      .parse(JSON.parse(read("package.json")));
    expect(valuesOf("ExecStart")).toEqual([`/usr/bin/env ${scripts.start}`]);
    expect(valuesOf("Restart")).toEqual(["on-failure"]);
    expect(valuesOf("RestartPreventExitStatus")).toEqual(["2"]);
    expect(Number(valuesOf("TimeoutStopSec")[0])).toBeGreaterThan(10);
  });

  it("sets only names that Parley knows, and gives it no privileges", () => {
    const names = valuesOf("Environment").flatMap((line) =>
      line.split(" ").map((each) => each.split("=", 1)[0] ?? ""),
    );
    expect(names.filter((name) => name !== "NODE_ENV" && !environmentNames.includes(name))).toEqual(
      [],
    );
    expect(valuesOf("DynamicUser")).toEqual(["yes"]);
    expect(valuesOf("NoNewPrivileges")).toEqual(["yes"]);
    expect(valuesOf("CapabilityBoundingSet")).toEqual([""]);
  });
});
