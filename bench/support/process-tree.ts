import { readdirSync, readFileSync } from "node:fs";

/** What a process and all its descendants have used. */
export interface Used {
  /** Of all cores together, in ms, since each was started. */
  readonly cpuMs: number;
  readonly rssMegabytes: number;
}

/** Linux' unit in `/proc/stat`; the same on every kernel that Node runs on. */
const ticksPerSecond = 100;

/**
 * What all cores together have worked since the machine was started, for whomever, in ms. Reads
 * `/proc/stat`.
 */
export function machineBusyMs(): number {
  const [, line = ""] = /^cpu +(.*)$/m.exec(read("/proc/stat") ?? "") ?? [];
  const ticks = line.split(" ").map(Number);
  // user, nice, system, (idle, iowait,) irq, softirq, steal
  return [0, 1, 2, 5, 6, 7].reduce(
    (sum, field) => sum + ((ticks[field] ?? 0) * 1_000) / ticksPerSecond,
    0,
  );
}

/** Reads `/proc`; what has ended meanwhile counts as nothing. */
export function usedBy(roots: readonly number[]): Used {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const parents = new Map(all.map((pid) => [pid, parentOf(pid)]));
  const tree = new Set(roots);
  for (let grown = -1; grown !== tree.size;) {
    grown = tree.size;
    for (const [pid, parent] of parents)
      if (parent !== undefined && tree.has(parent)) tree.add(pid);
  }
  let cpuMs = 0;
  let rssMegabytes = 0;
  for (const pid of tree) {
    cpuMs += cpuOf(pid);
    rssMegabytes += rssOf(pid);
  }
  return { cpuMs, rssMegabytes };
}

function parentOf(pid: number): number | undefined {
  const text = read(`/proc/${pid}/stat`);
  // The name in brackets may hold anything; what follows is numbers.
  const [, parent] = text?.slice(text.lastIndexOf(")") + 2).split(" ") ?? [];
  return parent === undefined ? undefined : Number(parent);
}

/** Of all its threads, to the nanosecond; a thread that has ended counts as nothing. In ms. */
function cpuOf(pid: number): number {
  const threads = listed(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => {
    const [nanoseconds = 0] =
      read(`/proc/${pid}/task/${thread}/schedstat`)?.split(" ").map(Number) ?? [];
    return sum + nanoseconds / 1e6;
  }, 0);
}

function rssOf(pid: number): number {
  const [, kilobytes = "0"] = /^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`) ?? "") ?? [];
  return Number(kilobytes) / 1_024;
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // It has ended.
    return [];
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // It has ended.
    return undefined;
  }
}
