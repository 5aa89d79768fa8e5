import { z } from "zod";
import { read } from "../support/shown-by.ts";

const panelSchema = z.object({
  id: z.number().int().positive(),
  type: z.enum(["row", "timeseries", "stat"]),
  title: z.string().min(1),
  gridPos: z.object({
    x: z.number().int().min(0),
    y: z.number().int().min(0),
    w: z.number().int().min(1).max(24),
    h: z.number().int().min(1),
  }),
  datasource: z.object({ type: z.literal("prometheus"), uid: z.string() }).optional(),
  targets: z
    .array(z.object({ refId: z.string(), expr: z.string().min(1), legendFormat: z.string() }))
    .default([]),
});

export const dashboard = z
  .object({
    uid: z.literal("parley"),
    title: z.string(),
    schemaVersion: z.number().min(39),
    panels: z.array(panelSchema).min(10),
    templating: z.object({
      list: z.array(z.object({ name: z.string(), type: z.string(), query: z.string() })),
    }),
  })
  .parse(JSON.parse(read("deploy/grafana/parley.json")));

/** Every PromQL expression, with Grafana's variable for an interval filled in. */
export const dashboardQueries = dashboard.panels.flatMap(({ targets }) =>
  targets.map(({ expr }) => expr.replaceAll("$__rate_interval", "5m")),
);
