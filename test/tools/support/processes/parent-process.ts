import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    // One that has ended, and whose new parent has not looked yet.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
};

const program = fileURLToPath(new URL("./parent.ts", import.meta.url));

/** A parent that has said its child's process id. */
export async function parent(job: string) {
  const started = spawn(process.execPath, [program, job], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | null>((resolve) => started.once("exit", resolve));
  for await (const line of createInterface({ input: started.stdout }))
    return { started, ended, child: Number(line) };
  throw new Error("the parent said nothing");
}
