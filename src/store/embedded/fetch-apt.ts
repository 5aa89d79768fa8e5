import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { messageOf } from "../../core/errors.ts";
import { systemLists, freshLists, type AptLists } from "./apt-lists.ts";
import type { FetchOptions } from "./fetch-tools.ts";
import { missingLibraries, nextPackages } from "./missing-libraries.ts";
import {
  inspectProgram,
  openInstall,
  type Manifest,
  type ServerProgram,
} from "./server-program.ts";

/**
 * A killed fetch leaves its working folder; after an hour no fetch can still
 * use it.
 */
const abandonedMs = 3_600_000;

/** Preferred first; the second is for distributions without Redis. */
const servers = [
  { packages: ["redis-server", "redis-tools"], command: "redis-server" },
  { packages: ["valkey-server", "valkey-tools"], command: "valkey-server" },
] as const;

/**
 * Unpacks Debian's or Ubuntu's packages into a private folder: nothing is
 * installed, no daemon starts, root or not. Uses the system's package lists
 * first; if those are missing or outdated, fetches its own.
 */
export async function fetchWithApt(options: FetchOptions): Promise<ServerProgram> {
  const { installs, log, signal } = options;
  await removeAbandoned(installs);
  const work = await mkdtemp(join(installs, ".fetching-"));
  try {
    log("Redis not found; fetching it into the data folder (nothing on your system changes)");
    return await fetchBySystem(options, work).catch(async (error: unknown) => {
      signal?.throwIfAborted();
      const [reason] = messageOf(error).split("\n");
      log(`This system's package lists can't be used (${reason})`);
      log("Fetching new ones into a folder of Parley's own …");
      const lists = await freshLists(options, join(work, "apt"));
      return fetchBy(lists, options, await emptyFolder(join(work, "fresh")));
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function fetchBySystem(options: FetchOptions, work: string): Promise<ServerProgram> {
  const folder = await emptyFolder(join(work, "system"));
  return fetchBy(systemLists(options), options, folder);
}

async function emptyFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true });
  return path;
}

async function fetchBy(
  lists: AptLists,
  options: FetchOptions,
  work: string,
): Promise<ServerProgram> {
  const startedMs = performance.now();
  const server = await lists.firstKnown(servers);
  const install = await emptyFolder(join(work, "install"));
  const root = await emptyFolder(join(install, "root"));
  const fetched = new Set<string>();
  let bytes = 0;
  let wanted: readonly string[] = server.packages;
  while (wanted.length > 0) {
    bytes += await lists.unpack(wanted, root);
    for (const name of wanted) fetched.add(name);
    const missing = await missingLibraries({
      command: join(root, "usr/bin", server.command),
      libraryFolders: await libraryFolders(root),
      environment: options.environment,
    });
    if (missing.length === 0) break;
    wanted = await nextPackages(lists, fetched);
    if (wanted.length === 0) throw new Error(`no package has ${missing.join(", ")}`);
  }
  const program = await settle(options.installs, install, server.command);
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  const megabytes = (bytes / 1_000_000).toFixed(1);
  options.log(
    `${server.command} ${program.version} is in ${options.installs} (${megabytes} MB, ${seconds} s)`,
  );
  return program;
}

/** Checks that the server runs, and only then gives the install its name, in one step. */
async function settle(installs: string, install: string, name: string): Promise<ServerProgram> {
  const root = join(install, "root");
  const folders = await libraryFolders(root);
  const manifest: Manifest = {
    command: join("root/usr/bin", name),
    libraryFolders: folders.map((each) => relative(install, each)),
  };
  const { version } = await inspectProgram(join(install, manifest.command), folders);
  await writeFile(join(install, "server.json"), JSON.stringify(manifest));
  const home = join(installs, `${name}-${version}`);
  try {
    await rename(install, home);
    return await openInstall(home);
  } catch {
    // There is one of that name: by another process just now, or one that does not run here.
  }
  return openInstall(home).catch(async () => {
    await rm(home, { recursive: true, force: true });
    await rename(install, home);
    return openInstall(home);
  });
}

/** Every folder under `root` that holds shared libraries. */
async function libraryFolders(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const folders = entries
    .filter(({ name }) => /\.so(?:\.|$)/.test(name))
    .map(({ parentPath }) => parentPath);
  return [...new Set(folders)];
}

async function removeAbandoned(installs: string): Promise<void> {
  for (const name of await readdir(installs)) {
    if (!name.startsWith(".fetching-")) continue;
    const path = join(installs, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs > abandonedMs)
      await rm(path, { recursive: true, force: true });
  }
}
