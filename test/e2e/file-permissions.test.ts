import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { pathWithRedis } from "../support/parley/redis-on-path.ts";

const program = `umask 000 && exec "$0" --import "$1/scripts/before-start.mjs" "$1/src/main.ts"`;

const PATH = await pathWithRedis();

it("writes nothing that other users of the machine can read, whatever the umask", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-permissions-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  // As an earlier version left it.
  writeFileSync(join(folder, "parley.log"), "old\n");
  chmodSync(join(folder, "parley.log"), 0o644);
  const child = spawn("sh", ["-c", program, process.execPath, resolve(".")], {
    cwd: folder,
    env: { PATH, HOME: folder, PARLEY_DATA: folder },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let shown = "";
  child.stdout.on("data", (bytes: Buffer) => (shown += bytes.toString()));
  child.stdin.end("What time is it in Tokyo?\n/export\n");
  const [code] = (await once(child, "exit")) as [number | null];
  expect(code).toBe(0);
  expect(shown).toContain("Tokyo");
  const paths = readdirSync(folder, { recursive: true }).map(String);
  expect(paths).toContain("parley.log");
  expect(paths).toContain("compiled");
  expect(paths.length).toBeGreaterThan(6);
  const isOpen = (path: string): boolean => {
    const stat = lstatSync(join(folder, path));
    return !stat.isSymbolicLink() && (stat.mode & 0o077) !== 0;
  };
  expect(paths.filter(isOpen)).toEqual([]);
}, 60_000);
