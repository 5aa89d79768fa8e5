/** Prometheus' own tool reads the rules and the dashboard's queries, and says when each alert fires. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import {
  expectAlerts,
  rulesFile,
  runPromtool,
  type InputSeries,
} from "../support/monitoring/promtool.ts";
import { at } from "../support/shown-by.ts";
import { dashboardQueries } from "./dashboard.ts";

describe("promtool", () => {
  it("accepts the rules and the configuration", async () => {
    expect(await runPromtool("check", "rules", rulesFile)).toContain("SUCCESS");
    const config = at("deploy/prometheus/prometheus.yml").pathname;
    expect(await runPromtool("check", "config", config)).toContain("SUCCESS");
  });

  it("parses every query of the dashboard", async () => {
    const folder = await mkdtemp(join(tmpdir(), "queries-"));
    try {
      const file = join(folder, "queries.yml");
      const rules = dashboardQueries.map((expr, index) => ({ record: `query:${index}`, expr }));
      await writeFile(file, stringify({ groups: [{ name: "dashboard", rules }] }));
      expect(await runPromtool("check", "rules", file)).toContain(`${rules.length} rules found`);
      await writeFile(
        file,
        stringify({ groups: [{ name: "x", rules: [{ record: "x", expr: "sum(" }] }] }),
      );
      await expect(runPromtool("check", "rules", file)).rejects.toThrow("parse error");
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

const one = '{job="parley",instance="a"}';
const calls = (outcome: string) => `parley_model_calls_total{model="x/y",outcome="${outcome}"}`;
const tools = (outcome: string) => `parley_tool_calls_total{tool="t",outcome="${outcome}"}`;
const turns = (outcome: string) => `parley_turns_total{platform="telegram",outcome="${outcome}"}`;
const words = (upTo: string) => `parley_first_word_seconds_bucket{le="${upTo}"}`;

const lag = `nodejs_eventloop_lag_max_seconds${one}`;
const started = `process_start_time_seconds${one}`;
const info = (role: string) => `parley_build_info{job="parley",role="${role}"}`;

/** What each half hour has besides: a process that answers. */
const answers = { [`up${one}`]: "1x30", [info("all")]: "1x30" };

/** In this half hour it has no series; the roles of others do. */
const split = (...roles: readonly string[]): InputSeries => ({
  [info("all")]: "_x30",
  ...Object.fromEntries(roles.map((role) => [info(role), "1x30"])),
});

/** Half an hour in which something is wrong, and one in which it is not. */
const cases: Readonly<
  Record<string, { readonly wrong: InputSeries; readonly healthy: InputSeries }>
> = {
  ParleyDown: { wrong: { [`up${one}`]: "0x30" }, healthy: split("bots", "worker") },
  ParleyRedisDown: {
    wrong: { parley_redis_up: "0x30" },
    healthy: { parley_redis_up: "1x30" },
  },
  ParleyMessagesWaiting: {
    wrong: { parley_inbox_oldest_seconds: "0+60x30", 'parley_paused{scope="all"}': "0x30" },
    healthy: { parley_inbox_oldest_seconds: "0+60x30", 'parley_paused{scope="all"}': "1x30" },
  },
  ParleyModelSlow: {
    wrong: { [words("10")]: "0+5x30", [words("15")]: "0+10x30", [words("+Inf")]: "0+10x30" },
    healthy: { [words("10")]: "0+10x30", [words("15")]: "0+10x30", [words("+Inf")]: "0+10x30" },
  },
  ParleyModelFailing: {
    wrong: { [calls("answered")]: "0+3x30", [calls("overloaded")]: "0+1x30" },
    healthy: { [calls("answered")]: "0+9x30", [calls("stopped")]: "0+9x30" },
  },
  ParleyTurnsFailing: {
    wrong: { [turns("answered")]: "0+8x30", [turns("model-failed")]: "0+1x30" },
    healthy: { [turns("answered")]: "0+1x30", [turns("cancelled")]: "0+8x30" },
  },
  ParleyToolFailing: {
    wrong: { [tools("done")]: "0+1x30", [tools("timeout")]: "0+2x30" },
    healthy: { [tools("done")]: "0+1x30", [tools("confirmation-denied")]: "0+9x30" },
  },
  ParleyThrottled: {
    wrong: { 'parley_platform_throttled_total{platform="telegram"}': "0+2x30" },
    healthy: { 'parley_platform_throttled_total{platform="telegram"}': "0x15 1x15" },
  },
  ParleyDeliveriesFailing: {
    wrong: { parley_dead_letters: "0x20 1x10" },
    healthy: { parley_dead_letters: "7x30" },
  },
  ParleyChatsDying: {
    wrong: { 'parley_chats_dead_total{platform="telegram"}': "0x20 6x10" },
    healthy: { 'parley_chats_dead_total{platform="telegram"}': "0x10 1x10 2x10" },
  },
  ParleyProcessLost: {
    wrong: { parley_lease_takeovers_total: "0x20 1x10" },
    healthy: { parley_lease_takeovers_total: "3x30" },
  },
  ParleyEventLoopBlocked: {
    wrong: { [lag]: "2x30" },
    healthy: { [lag]: "0.02x30" },
  },
};

/** Half an hour each that an alert is most easily wrong about. */
const closeCalls: readonly (readonly [
  what: string,
  series: InputSeries,
  firing: readonly string[],
])[] = [
  ["no target left", { [`up${one}`]: "1x20 stale" }, ["ParleyDown"]],
  ["no process that takes turns", split("bots"), ["ParleyDown"]],
  ["no process that receives", split("worker"), ["ParleyDown"]],
  [
    "messages that wait while one platform is paused",
    {
      parley_inbox_oldest_seconds: "0+60x30",
      'parley_paused{scope="all"}': "0x30",
      'parley_paused{scope="discord"}': "1x30",
    },
    ["ParleyMessagesWaiting"],
  ],
  ["two failed calls of a model", { [calls("overloaded")]: "0x17 2x13" }, []],
  ["three failed calls", { [calls("overloaded")]: "0x17 3x13" }, ["ParleyModelFailing"]],
  ["two failed turns", { [turns("model-failed")]: "0x17 2x13" }, []],
  ["three failed turns", { [turns("model-failed")]: "0x17 3x13" }, ["ParleyTurnsFailing"]],
  ["two failed calls of a tool", { [tools("timeout")]: "0x17 2x13" }, []],
  ["three failed calls of a tool", { [tools("timeout")]: "0x17 3x13" }, ["ParleyToolFailing"]],
  ["a process that starts three times", { [started]: "1x20 2 3 4x10" }, ["ParleyProcessLost"]],
  ["a process that starts twice", { [started]: "1x20 2 3x10" }, []],
  ["one standstill", { [lag]: "0.02x22 2 0.02x8" }, []],
  [
    "a standstill every other minute",
    { [lag]: Array.from({ length: 15 }, () => "2 0.02").join(" ") },
    ["ParleyEventLoopBlocked"],
  ],
];

it.each(closeCalls)("%s", async (_, series, firing) => {
  await expectAlerts({ ...answers, ...series }, { firing, afterMinutes: 25 });
});

describe.each(Object.entries(cases))("%s", (alert, { wrong, healthy }) => {
  it("fires while something is wrong, alone", async () => {
    await expectAlerts({ ...answers, ...wrong }, { firing: [alert], afterMinutes: 25 });
  });

  it("does not fire otherwise", async () => {
    await expectAlerts({ ...answers, ...healthy }, { firing: [], afterMinutes: 25 });
  });
});

it("has a case for every alert", async () => {
  const found = await runPromtool("check", "rules", rulesFile);
  expect(found).toContain(`${Object.keys(cases).length} rules found`);
});

it("the systemd unit is accepted by systemd", async () => {
  const verify = promisify(execFile)("systemd-analyze", [
    "verify",
    at("deploy/systemd/parley.service").pathname,
  ]);
  const problem = await verify.then(
    ({ stderr }) => stderr,
    (error: unknown) => error,
  );
  // Where there is no systemd, the unit's structure is checked elsewhere.
  if (!(problem instanceof Error && "code" in problem && problem.code === "ENOENT"))
    expect(problem).toBe("");
});
