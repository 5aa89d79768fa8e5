/** What goes wrong in a deployment is seen in its metrics, and makes the alert fire that says so. */
import { expect, it } from "vitest";
import { longText, stopInTheMiddle } from "../support/parley/previews.ts";
import { openWorld } from "../support/parley/open-world.ts";
import type { ParleyProcess } from "../support/parley/parley-process.ts";
import { timeoutMs } from "../support/parley/stage.ts";
import { expectAlerts, type InputSeries } from "../support/monitoring/promtool.ts";

const world = await openWorld();
const { telegram } = world;

const start = (role: "bots" | "worker") =>
  world
    .start({
      environment: {
        ...(role === "bots" ? world.environment : world.services),
        PARLEY_ROLE: role,
        PARLEY_HTTP_PORT: "0",
      },
    })
    .ready();

/** The values of one scrape by series, each named as Prometheus names it. */
type Scrape = ReadonlyMap<string, number>;

/** Later than the alert lets an answer begin. */
const slowMs = 10_500;

/** All processes at one moment; one that is gone has no metrics, and is down. */
async function scrape(processes: Readonly<Record<string, ParleyProcess>>): Promise<Scrape> {
  const all = await Promise.all(
    Object.entries(processes).map(async ([instance, parley]) => {
      const target = `job="parley",instance="${instance}"`;
      const up = `up{${target}}`;
      if (!parley.isRunning) return [[up, 0] as const];
      const text = await (await fetch(`${await parley.httpUrl()}/metrics`)).text();
      const lines = text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm);
      const series = [...lines].map(([, name = "", labels = "", value]) => {
        const own = labels === "" ? "" : `,${labels}`;
        return [`${name}{${target}${own}}`, Number(value)] as const;
      });
      return [[up, 1] as const, ...series];
    }),
  );
  return new Map(all.flat());
}

const isCounter = (series: string): boolean => /^\w+_(?:total|bucket|sum|count)\{/.test(series);

/**
 * As if what happened between two scrapes had happened in every minute for half an hour. Gauges
 * stay as they were at the second.
 */
function minutesLike(before: Scrape, after: Scrape): InputSeries {
  const ours = [...after].filter(([series]) =>
    /^(?:parley_|up\{|nodejs_eventloop_|process_start_)/.test(series),
  );
  return Object.fromEntries(
    ours.map(([series, value]) => {
      const from = before.get(series) ?? 0;
      return [series, isCounter(series) ? `${from}+${value - from}x30` : `${value}x30`];
    }),
  );
}

/** What a metric has grown by in all processes. */
const grown = (before: Scrape, after: Scrape, pattern: RegExp): number =>
  [...after].reduce(
    (sum, [series, value]) =>
      pattern.test(series) ? sum + value - (before.get(series) ?? 0) : sum,
    0,
  );

it(
  "a slow model, a throttling platform, a failing tool and a killed worker each fire their alert",
  async () => {
    const bots = await start("bots");
    await Promise.all(world.stages.map((stage) => stage.connected()));
    const first = await start("worker");
    const text = longText("kept-");
    const killed = telegram.direct("Ann");
    const { release } = await stopInTheMiddle(world.model, killed, text);
    const second = await start("worker");
    const before = await scrape({ bots, first, second });

    await first.kill();
    release();
    await killed.wait((message) => message.text === text);

    const slow = telegram.direct("Ben");
    const held = world.model.hold("say late", { at: "headers" });
    slow.say("say late");
    await held.waitUntilHeld({ timeoutMs });
    const asked = await world.model.waitForRequest(({ heldAt }) => heldAt === held);
    const throttled = telegram.direct("Cem");
    for (const word of ["one", "two", "three"]) {
      const fault = telegram.server.inject({
        method: "sendMessage",
        kind: {
          type: "status",
          code: 429,
          description: "Too Many Requests: retry after 1",
          retryAfterSeconds: 1,
        },
      });
      throttled.say(`say ${word}`);
      await throttled.wait(word);
      expect(fault.hits).toHaveLength(1);
    }
    const failing = telegram.direct("Dee");
    // An address of this machine, which the tool refuses.
    failing.say('call fetch_url {"url":"http://127.0.0.1:9/"}');
    await failing.wait("tool-error");
    await expect
      .poll(() => Date.now() - asked.atMs, { timeout: timeoutMs })
      .toBeGreaterThan(slowMs);
    held.release();
    await slow.wait("late");
    await world.delivered();

    const troubled = await scrape({ bots, first, second });
    const rose = (pattern: RegExp) => grown(before, troubled, pattern);
    expect(rose(/^parley_platform_throttled_total.*telegram/)).toBe(3);
    expect(rose(/^parley_tool_calls_total.*fetch_url.*tool-error/)).toBe(1);
    expect(rose(/^parley_lease_takeovers_total/)).toBeGreaterThanOrEqual(1);
    const late =
      rose(/^parley_first_word_seconds_count/) - rose(/^parley_first_word_seconds_bucket.*le="10"/);
    // On a slow machine others may be late, too.
    expect(late).toBeGreaterThanOrEqual(1);
    await expectAlerts(minutesLike(before, troubled), {
      firing: [
        "ParleyDown",
        "ParleyModelSlow",
        "ParleyToolFailing",
        "ParleyThrottled",
        "ParleyProcessLost",
      ],
      afterMinutes: 25,
    });

    // Another worker in its place, and everything goes well.
    const third = await start("worker");
    const calm = await scrape({ bots, second, third });
    for (const stage of world.stages) {
      const chat = stage.direct("Eve");
      chat.say("say fine");
      await chat.wait("fine");
      chat.say('call calculate {"expression":"1 + 1"}');
      await chat.wait("calculate said: 2");
    }
    await world.delivered();
    const healthy = await scrape({ bots, second, third });
    expect(grown(calm, healthy, /^parley_turns_total.*answered/)).toBe(4);
    expect(grown(calm, healthy, /^parley_deliveries_total.*outcome="sent"/)).toBe(4);
    for (const runtime of ["nodejs_eventloop_lag_max_seconds", "process_start_time_seconds"])
      expect(healthy.get(`${runtime}{job="parley",instance="bots"}`)).toBeGreaterThan(0);
    await expectAlerts(minutesLike(calm, healthy), { firing: [], afterMinutes: 25 });
  },
  6 * timeoutMs,
);
