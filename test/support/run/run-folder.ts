import { spawn } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * The temporary folder of one test run. Every process of the run inherits it as `TMPDIR`, which is
 * how a process that was left behind is found: its environment, arguments or working directory name
 * the folder.
 *
 * A cleaner process ends what is left and removes the folder when the runner is gone, however it
 * died.
 */
export type RunFolder = {
  /**
   * Waits for stragglers, up to the limit. @returns one line for each process or file that is still
   * there
   */
  leftovers(limitMs: number): Promise<readonly string[]>;
};

export function openRunFolder(): RunFolder {
  // Short: the paths of sockets in it have at most 104 bytes on macOS.
  const folder = mkdtempSync(join(tmpdir(), "parley-t-"));
  // Programs that run as another user find their scripts in it.
  chmodSync(folder, 0o711);
  const cleaner = spawn(
    process.execPath,
    [join(import.meta.dirname, "clean-run-folder.ts"), folder],
    { stdio: ["pipe", "ignore", "inherit"], detached: true },
  );
  // The pipe closes when this process ends; neither it nor the cleaner keeps the runner alive.
  cleaner.unref();
  if (cleaner.stdin && "unref" in cleaner.stdin) (cleaner.stdin as { unref(): void }).unref();
  process.env["TMPDIR"] = folder;
  return {
    async leftovers(limitMs) {
      const endsAt = performance.now() + limitMs;
      for (;;) {
        const found = [
          ...processesOf(folder)
            .filter(({ pid, parent }) => pid !== cleaner.pid && !isWorker(parent))
            .map(({ pid, command }) => `process ${pid}: ${command}`),
          ...readdirSync(folder).map((name) => `temporary file: ${name}`),
        ];
        if (found.length === 0 || performance.now() >= endsAt) return found;
        await sleep(100);
      }
    },
  };
}

/** Vitest ends its workers after its reporters have finished. */
const isWorker = (parent: number): boolean => parent === process.pid;

type RunProcess = {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
};

/** The processes that name the folder, this one left out. Only Linux tells: none elsewhere. */
export function processesOf(folder: string): readonly RunProcess[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    try {
      const about = join("/proc", name);
      const command = readFileSync(join(about, "cmdline"), "utf8");
      const named = [
        command,
        readFileSync(join(about, "environ"), "utf8"),
        readlinkSync(join(about, "cwd")),
      ];
      if (!named.some((text) => text.includes(folder))) return [];
      // pid (name) state ppid: a name may hold blanks and brackets.
      const stat = readFileSync(join(about, "stat"), "utf8");
      const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (state === "Z") return [];
      return [
        {
          pid,
          parent: Number(parent),
          command: command.replaceAll("\0", " ").trim(),
        },
      ];
    } catch (error) {
      if (isGone(error)) return [];
      throw error;
    }
  });
}

/** It ended while it was read, or belongs to another user. */
const isGone = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  ["ENOENT", "ESRCH", "EACCES", "EPERM"].includes(String(error.code));
