import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { canFetch, cloneTimeoutMs, FreshClone, whyNot } from "./fresh-clone.ts";

if (!canFetch) process.stdout.write(`\nSKIPPED test/clone: ${whyNot}.\n\n`);

it.skipIf(!canFetch)(
  "answers a question of the README's first command, without a Redis, a token or a model",
  { timeout: cloneTimeoutMs },
  async () => {
    using clone = await FreshClone.make();
    const { code, stdout, stderr } = await npmStart(clone, "What time is it in Tokyo?\n/quit\n");
    expect(stdout, stderr).toMatch(/In Tokyo it is .+\(Asia\/Tokyo\)\./);
    expect(stdout).toContain("demo");
    // It says what it does while it does it.
    expect(stderr).toMatch(/Redis not found/);
    expect(stderr).not.toMatch(/error/i);
    expect(code).toBe(0);
    expect(existsSync(join(clone.folder, "data", "redis"))).toBe(true);
  },
);

async function npmStart(
  { folder, environment }: FreshClone,
  input: string,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const options = { cwd: folder, env: environment, stdio: "pipe" } as const;
  const child = spawn("npm", ["start"], options);
  const { promise, resolve } = Promise.withResolvers<number | null>();
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (text: Buffer) => (said.stdout += text.toString()));
  child.stderr.on("data", (text: Buffer) => (said.stderr += text.toString()));
  child.once("error", (error) => (said.stderr += String(error)));
  child.once("close", resolve);
  child.stdin.end(input);
  const end = () => child.kill("SIGTERM");
  process.once("exit", end);
  const code = await promise;
  process.off("exit", end);
  return { code, ...said };
}
