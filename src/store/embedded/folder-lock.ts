import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { sleep } from "../../util/sleep.ts";
import { processPlace, processStart } from "../operations/process-identity.ts";

const ownerSchema = z.object({
  pid: z.number(),
  start: z.string(),
  place: z.string(),
});
type Owner = z.infer<typeof ownerSchema>;

export type FolderLock = AsyncDisposable;

export type LockAttempt =
  | { readonly taken: true; readonly lock: FolderLock }
  | { readonly taken: false; readonly ownerPid: number };

const beatMs = 1_000;
/**
 * An owner whose pid can't be looked up (another container or host) counts as dead after five
 * missed beats.
 */
const silenceMs = 5 * beatMs;

/**
 * A lock that ends with its owner.
 *
 * `folder/<n>/owner.json` is generation n. The creator of the highest
 * generation owns the lock until `folder/<n>/released` exists or its process is
 * gone. A generation is created by renaming a filled folder to its number,
 * which only one process can do. Numbers only grow and the highest never
 * vanishes; a process that creates one and then sees a higher one gives up. So
 * a late process that acted on an old view of a dead owner can't own the lock
 * together with a newer one.
 */
export async function tryFolderLock(folder: string): Promise<LockAttempt> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (;;) {
    const highest = await highestGeneration(folder);
    const owner = await livingOwner(join(folder, String(highest)));
    if (owner !== undefined) return { taken: false, ownerPid: owner.pid };
    const mine = highest + 1;
    if (!(await makeGeneration(folder, mine))) continue;
    if ((await highestGeneration(folder)) > mine) {
      await removeQuietly(join(folder, String(mine)));
      continue;
    }
    await removeOlder(folder, mine);
    return { taken: true, lock: holdGeneration(join(folder, String(mine))) };
  }
}

/** Waits until the lock is free. */
export async function waitForFolderLock(folder: string): Promise<FolderLock> {
  for (;;) {
    const attempt = await tryFolderLock(folder);
    if (attempt.taken) return attempt.lock;
    await sleep(50);
  }
}

function holdGeneration(path: string): FolderLock {
  const beat = setInterval(() => {
    const now = new Date();
    // A beat that fails is a missed beat; a folder that was deleted has no owner to protect.
    utimes(join(path, "owner.json"), now, now).catch(() => undefined);
  }, beatMs).unref();
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(beat);
      await writeFile(join(path, "released"), "").catch(() => undefined);
    },
  };
}

async function generations(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

async function highestGeneration(folder: string): Promise<number> {
  return Math.max(0, ...(await generations(folder)));
}

async function makeGeneration(folder: string, n: number): Promise<boolean> {
  const owner: Owner = {
    pid: process.pid,
    start: (await processStart(process.pid)) ?? "",
    place: await processPlace(),
  };
  const draft = join(folder, `draft-${randomUUID()}`);
  await mkdir(draft, { mode: 0o700 });
  await writeFile(join(draft, "owner.json"), JSON.stringify(owner), {
    mode: 0o600,
  });
  try {
    await rename(draft, join(folder, String(n)));
    return true;
  } catch (error) {
    await removeQuietly(draft);
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOTEMPTY" || code === "EEXIST") return false;
    throw error;
  }
}

async function removeOlder(folder: string, mine: number): Promise<void> {
  for (const n of await generations(folder))
    if (n < mine) await removeQuietly(join(folder, String(n)));
}

async function removeQuietly(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => undefined);
}

async function livingOwner(path: string): Promise<Owner | undefined> {
  const owner = await readOwner(path);
  if (owner === undefined || (await modifiedMs(join(path, "released"))) > 0) return undefined;
  if (owner.place !== (await processPlace())) return (await isBeating(path)) ? owner : undefined;
  const isAlive = (await processStart(owner.pid)) === owner.start;
  return isAlive ? owner : undefined;
}

async function readOwner(path: string): Promise<Owner | undefined> {
  try {
    const text = await readFile(join(path, "owner.json"), "utf8");
    return ownerSchema.parse(JSON.parse(text));
  } catch {
    // No generation yet, or what a power cut left of one: a living owner's file is whole before it
    // has its name.
    return undefined;
  }
}

async function isBeating(path: string): Promise<boolean> {
  const file = join(path, "owner.json");
  const before = await modifiedMs(file);
  for (let waitedMs = 0; waitedMs < silenceMs; waitedMs += beatMs / 2) {
    await sleep(beatMs / 2);
    if ((await modifiedMs(file)) !== before) return true;
  }
  return false;
}

/** 0 when there is no such file. */
async function modifiedMs(path: string): Promise<number> {
  return stat(path).then(
    (found) => found.mtimeMs,
    () => 0,
  );
}
