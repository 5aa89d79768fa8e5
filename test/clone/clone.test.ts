import { execFile, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { cp, mkdir, readdir, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("../..", import.meta.url));
/**
 * Installs as the README says, which takes a minute; otherwise this repository's packages are
 * borrowed.
 */
const isInstalling = process.env["PARLEY_TEST_CLONE_INSTALL"] === "1";
const timeoutMs = 600_000;

const folder = mkdtempSync(join(tmpdir(), "parley-clone-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const folders = (process.env["PATH"] ?? "").split(delimiter);
const onPath = (name: string): boolean => folders.some((each) => existsSync(join(each, name)));
const canFetch = (onPath("apt-get") && onPath("dpkg-deb")) || onPath("brew");
if (!canFetch)
  process.stdout.write(
    "\nSKIPPED test/clone: neither apt-get nor brew is here, so that Parley can't fetch a Redis by itself.\n\n",
  );

describe("a fresh machine", () => {
  it.skipIf(!canFetch)(
    "answers a question of the README's first command, without a Redis, a token or a model",
    { timeout: timeoutMs },
    async () => {
      const clone = join(folder, "parley");
      await copyRepository(clone);
      const environment = {
        PATH: await pathWithoutRedis(),
        HOME: folder,
        TMPDIR: tmpdir(),
        ...npmCache(),
      };
      if (isInstalling)
        await run("npm", ["ci", "--prefer-offline"], {
          cwd: clone,
          env: environment,
        });
      else symlinkSync(join(repository, "node_modules"), join(clone, "node_modules"));
      const { code, stdout, stderr } = await npmStart(
        { cwd: clone, env: environment },
        "What time is it in Tokyo?\n/quit\n",
      );
      expect(stdout, stderr).toMatch(/In Tokyo it is .+\(Asia\/Tokyo\)\./);
      expect(stdout).toContain("demo");
      // It says what it does while it does it.
      expect(stderr).toMatch(/Redis not found/);
      expect(stderr).not.toMatch(/error/i);
      expect(code).toBe(0);
      expect(existsSync(join(clone, "data", "redis"))).toBe(true);
    },
  );
});

/** As it is committed; with changes, every file that is not ignored. */
async function copyRepository(clone: string): Promise<void> {
  if ((await git("status", "--porcelain")) === "") {
    await git("clone", "--quiet", repository, clone);
    return;
  }
  const listed = await git("ls-files", "-z", "-co", "--exclude-standard");
  await mkdir(clone, { recursive: true });
  const list = listed
    .split("\0")
    .filter((name) => name !== "" && existsSync(join(repository, name)));
  for (const name of list)
    await cp(join(repository, name), join(clone, name), {
      verbatimSymlinks: true,
    });
}

async function git(...parameters: readonly string[]): Promise<string> {
  const options = { cwd: repository, maxBuffer: 2 ** 26 };
  return (await run("git", parameters, options)).stdout;
}

/** The PATH of this machine as links, all but any Redis or Valkey. */
async function pathWithoutRedis(): Promise<string> {
  const bin = join(folder, "bin");
  await mkdir(bin);
  for (const each of folders.filter((name) => !name.includes("node_modules")))
    for (const name of await readdir(each).catch(() => []))
      if (!/^(redis|valkey)-/.test(name) && !existsSync(join(bin, name)))
        await symlink(join(each, name), join(bin, name)).catch(() => undefined);
  return bin;
}

/** What npm has downloaded before serves here too. */
function npmCache(): Record<string, string> {
  const cache = process.env["npm_config_cache"] ?? join(process.env["HOME"] ?? "", ".npm");
  return { npm_config_cache: cache };
}

async function npmStart(
  options: { readonly cwd: string; readonly env: Record<string, string> },
  input: string,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn("npm", ["start"], { ...options, stdio: "pipe" });
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
