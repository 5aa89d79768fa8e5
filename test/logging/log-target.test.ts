import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createLog } from "../../src/logging/log.ts";
import { logTarget } from "../../src/logging/log-target.ts";
import { load } from "../config/support.ts";

const maxBytes = 2_000;

function openLogs(count: number) {
  const folder = mkdtempSync(join(tmpdir(), "parley-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const settings = { ...load(), dataFolder: folder };
  const open = () => createLog(settings, logTarget(settings, true, maxBytes));
  return { folder, open, logs: Array.from({ length: count }, open) };
}

const numbersIn = (folder: string, name: string): readonly number[] =>
  readFileSync(join(folder, name), "utf8")
    .trimEnd()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => Number((JSON.parse(line) as { readonly msg: string }).msg));

it("a log that has grown becomes the one before, and the newest lines are kept", () => {
  const { folder, logs, open } = openLogs(1);
  for (let line = 1; line <= 100; line += 1) logs[0]?.info(String(line));
  expect(readdirSync(folder).toSorted()).toEqual(["parley.log", "parley.log.1"]);
  for (const name of readdirSync(folder)) {
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, name)).size).toBeLessThan(maxBytes + 500);
  }
  // A later process goes on where this one was.
  open().info("101");
  const kept = [...numbersIn(folder, "parley.log.1"), ...numbersIn(folder, "parley.log")];
  expect(kept).toEqual(Array.from(kept, (_, index) => 101 - kept.length + 1 + index));
});

it("two processes on one file tear no line and lose no new one", () => {
  const { folder, logs } = openLogs(2);
  for (let line = 1; line <= 40; line += 1) logs[line % 2]?.info(String(line));
  const newest = new Set([
    ...numbersIn(folder, "parley.log.1"),
    ...numbersIn(folder, "parley.log"),
  ]);
  for (const line of [36, 37, 38, 39, 40]) expect(newest).toContain(line);
});
