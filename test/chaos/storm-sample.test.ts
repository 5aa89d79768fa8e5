import { expect, it } from "vitest";
import type { EventKind } from "./storm/plan-events.ts";
import { report, violationsOf } from "./storm/report.ts";
import { removeFolder, runStorm } from "./storm/run-storm.ts";

const seed = Number(process.env["PARLEY_TEST_SEED"] ?? 1);
const turns = 20;
const faults: readonly EventKind[] = [
  "worker-kill",
  "worker-term",
  "redis-restart",
  "platform-429",
];

// For minutes, with everything else that can go wrong: npm run chaos:storm.
it("loses, doubles and reorders nothing while workers, Redis and the platform fail", async () => {
  const result = await runStorm({
    seed,
    turns,
    chats: 8,
    workers: 2,
    bots: 1,
    turnsPerSecond: 5,
    faults,
    eventEveryMs: 800,
    isSample: true,
    maxMinutes: 1,
  });
  const found = Object.entries(violationsOf(result)).filter(([, list]) => list.length > 0);
  expect(found, report(result)).toEqual([]);
  // A storm in which nothing was asked, or nothing went wrong, would prove nothing.
  expect(result.sent).toBe(turns);
  expect(result.verdict.answered).toBeGreaterThan(turns / 2);
  expect(result.disruptions.some(({ waiting, resumed }) => waiting.size + resumed.size > 0)).toBe(
    true,
  );
  expect(result.redelivered).toBeGreaterThan(0);
  expect(result.events.map(({ kind }) => kind).sort()).toEqual([...faults].sort());
  removeFolder(result);
}, 150_000);
