import { rmSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { processesOf } from "./run-folder.ts";

// Started by the runner, with a pipe as standard input that closes when the runner is gone, by
// whatever signal.
const [folder = ""] = process.argv.slice(2);
const limitMs = 10_000;

process.stdin.resume();
process.stdin.once("close", () => void clean());

async function clean(): Promise<void> {
  const endsAt = performance.now() + limitMs;
  // A process that dies may have started another one just before.
  for (;;) {
    const left = processesOf(folder);
    if (left.length === 0 || performance.now() >= endsAt) break;
    for (const { pid } of left) end(pid);
    await sleep(100);
  }
  rmSync(folder, { recursive: true, force: true });
}

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    const isGone = error instanceof Error && "code" in error && error.code === "ESRCH";
    if (!isGone) throw error;
  }
}
