import { readFile, readlink } from "node:fs/promises";
import { hostname } from "node:os";
import { runCommand } from "../embedded/run-command.ts";

/**
 * When a process started, as the system writes it: with the pid it names one process for ever,
 * though pids are used again. Undefined when there is no such process (a zombie is none).
 */
export async function processStart(pid: number): Promise<string | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8");
    // The name, in brackets, may hold anything; the state is the first field after it, the start
    // the 20th (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
  } catch {
    return process.platform === "linux" ? undefined : startByPs(pid);
  }
}

async function startByPs(pid: number): Promise<string | undefined> {
  const environment = { PATH: "/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };
  try {
    const given = ["-o", "state=,lstart=", "-p", String(pid)];
    const line = (await runCommand("ps", given, { environment })).trim();
    return line === "" || line.startsWith("Z") ? undefined : line.replace(/^\S+\s+/, "");
  } catch {
    return undefined;
  }
}

/** Where this process's pids mean something: this boot of this host, and this container. */
export async function processPlace(): Promise<string> {
  try {
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
    return `${boot.trim()} ${await readlink("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}
