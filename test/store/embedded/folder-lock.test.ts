import { spawn } from "node:child_process";
import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { tryFolderLock } from "../../../src/store/embedded/folder-lock.ts";
import { processPlace, processStart } from "../../../src/store/operations/process-identity.ts";
import { temporaryFolder } from "./support.ts";

/** Writes a lock as someone else would have left it. */
async function leaveLock(
  folder: string,
  owner: { pid: number; start: string; place?: string },
): Promise<string> {
  const generation = join(folder, "1");
  mkdirSync(generation, { recursive: true });
  const place = await processPlace();
  writeFileSync(join(generation, "owner.json"), JSON.stringify({ place, ...owner }));
  return join(generation, "owner.json");
}

test("a lock is held once, and free after its release", async () => {
  const folder = temporaryFolder();
  const first = await tryFolderLock(folder);
  expect(first.taken).toBe(true);
  expect(await tryFolderLock(folder)).toEqual({
    taken: false,
    ownerPid: process.pid,
  });
  if (first.taken) await first.lock[Symbol.asyncDispose]();
  const second = await tryFolderLock(folder);
  expect(second.taken).toBe(true);
  if (second.taken) await second.lock[Symbol.asyncDispose]();
});

test.each<[string, { pid: number; start: string }]>([
  ["a process that is gone", { pid: 2 ** 22 - 1, start: "1" }],
  ["a pid that another process has by now", { pid: process.pid, start: "1" }],
  ["a pid that the init process has by now", { pid: 1, start: "999" }],
])("the lock of %s is taken over", async (_, owner) => {
  const folder = temporaryFolder();
  await leaveLock(folder, owner);
  const attempt = await tryFolderLock(folder);
  expect(attempt.taken).toBe(true);
  if (attempt.taken) await attempt.lock[Symbol.asyncDispose]();
});

test("what a power cut left of a lock is taken over", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "7"));
  writeFileSync(join(folder, "7/owner.json"), "");
  await using held = new AsyncDisposableStack();
  held.use(await taken(folder));
  expect(existsSync(join(folder, "8/owner.json"))).toBe(true);
});

test("of twenty that find a dead owner at once, one wins", async () => {
  const folder = temporaryFolder();
  await leaveLock(folder, { pid: process.pid, start: "1" });
  const attempts = await Promise.all(Array.from({ length: 20 }, () => tryFolderLock(folder)));
  const winners = attempts.filter((attempt) => attempt.taken);
  expect(winners).toHaveLength(1);
  await winners[0]?.lock[Symbol.asyncDispose]();
});

test("an owner in another container keeps its lock while it beats, and loses it when it is silent", async () => {
  const folder = temporaryFolder();
  const start = (await processStart(process.pid)) ?? "";
  const file = await leaveLock(folder, { pid: 1, start, place: "elsewhere" });
  const beat = setInterval(() => utimesSync(file, new Date(), new Date()), 200);
  onTestFinished(() => clearInterval(beat));
  expect(await tryFolderLock(folder)).toEqual({ taken: false, ownerPid: 1 });
  clearInterval(beat);
  await using held = new AsyncDisposableStack();
  held.use(await taken(folder));
});

test("a living owner's lock is never had by two, though owners are killed while they hold it", async () => {
  const folder = temporaryFolder();
  const script = fileURLToPath(new URL("lock-contender.ts", import.meta.url));
  const contend = (fate: string) =>
    new Promise<number | string>((done) => {
      const child = spawn(process.execPath, [script, folder, fate], {
        stdio: "inherit",
      });
      child.once("exit", (code, signal) => done(code ?? signal ?? ""));
    });
  const ends = await Promise.all(["lives", "dies", "lives", "lives", "dies", "lives"].map(contend));
  expect(ends).toEqual([0, "SIGKILL", 0, 0, "SIGKILL", 0]);
});

async function taken(folder: string): Promise<AsyncDisposable> {
  const attempt = await tryFolderLock(folder);
  if (!attempt.taken) throw new Error(`held by ${attempt.ownerPid}`);
  return attempt.lock;
}
