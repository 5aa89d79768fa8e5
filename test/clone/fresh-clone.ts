import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { cp, mkdir, readdir, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("../..", import.meta.url));
/**
 * Installs as the README says, which takes a minute; otherwise this repository's packages are
 * borrowed.
 */
const isInstalling = process.env["PARLEY_TEST_CLONE_INSTALL"] === "1";
/** Milliseconds: of a test that may install and fetch a Redis. */
export const cloneTimeoutMs = 600_000;

const folders = (process.env["PATH"] ?? "").split(delimiter);
const onPath = (name: string): boolean => folders.some((each) => existsSync(join(each, name)));
/** Whether Parley could fetch a Redis by itself here. */
export const canFetch = (onPath("apt-get") && onPath("dpkg-deb")) || onPath("brew");

export const whyNot =
  "neither apt-get nor brew is here, so that Parley can't fetch a Redis by itself";

/** A clone of this repository on a machine without Redis; it goes when disposed. */
export class FreshClone implements Disposable {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly #root: string;

  private constructor(root: string, bin: string) {
    this.#root = root;
    this.folder = join(root, "parley");
    this.environment = { PATH: bin, HOME: root, TMPDIR: tmpdir(), ...npmCache() };
  }

  static async make(): Promise<FreshClone> {
    const root = mkdtempSync(join(tmpdir(), "parley-clone-"));
    const clone = new FreshClone(root, join(root, "bin"));
    await copyRepository(clone.folder);
    await linkPathWithoutRedis(clone.environment["PATH"] ?? "");
    const options = { cwd: clone.folder, env: clone.environment };
    if (isInstalling) await run("npm", ["ci", "--prefer-offline"], options);
    else symlinkSync(join(repository, "node_modules"), join(clone.folder, "node_modules"));
    return clone;
  }

  [Symbol.dispose](): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

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
async function linkPathWithoutRedis(bin: string): Promise<void> {
  await mkdir(bin);
  for (const each of folders.filter((name) => !name.includes("node_modules")))
    for (const name of await readdir(each).catch(() => []))
      if (!/^(redis|valkey)-/.test(name) && !existsSync(join(bin, name)))
        await symlink(join(each, name), join(bin, name)).catch(() => undefined);
}

/** What npm has downloaded before serves here too. */
function npmCache(): Record<string, string> {
  const cache = process.env["npm_config_cache"] ?? join(process.env["HOME"] ?? "", ".npm");
  return { npm_config_cache: cache };
}
