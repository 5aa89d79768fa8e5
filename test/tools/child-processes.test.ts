import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { Work } from "../../src/tools/processes/child-process.ts";
import { ChildProcesses } from "../../src/tools/processes/child-processes.ts";
import { watchChildren } from "./support/live-children.ts";
import { isAlive, parent } from "./support/processes/parent-process.ts";

const execFileOf = promisify(execFile);
const jobs = new URL("./support/processes/jobs.ts", import.meta.url);
const file = (name: string) =>
  fileURLToPath(new URL(`./support/processes/${name}`, import.meta.url));

let processes = new ChildProcesses();
const live = watchChildren(() => {
  processes[Symbol.dispose]();
  processes = new ChildProcesses();
});

interface Given extends Partial<Work> {
  readonly person?: string;
  readonly signal?: AbortSignal;
}

const run = (input: string, given: Given = {}) => {
  const { person = "1", signal = new AbortController().signal } = given;
  const { script = jobs, limitMs = 20_000, maxMemoryMb = 64 } = given;
  const work = { script, limitMs, maxMemoryMb };
  return processes.run({ work, input: () => input, person, signal });
};

const done = (text: string) => ({ type: "done", text });
const textOf = async (input: string): Promise<string> => {
  const outcome = await run(input);
  if (outcome.type !== "done") throw new Error(JSON.stringify(outcome));
  return outcome.text;
};
/** A job that was given to a warm child has been written to it by then. */
const underWay = () => new Promise((resolve) => setImmediate(resolve));
const isLinux = process.platform === "linux";

describe("a child process", () => {
  it("works, and is kept for the next job", async () => {
    expect(await run("größe")).toEqual(done("GRÖSSE"));
    expect(await run("next")).toEqual(done("NEXT"));
    expect([live.begun(), live.now()]).toEqual([1, 1]);
  });

  it("is not started before it is needed, and ends when it is not needed for a while", async () => {
    processes = new ChildProcesses({ idleMs: 1 });
    expect(live.begun()).toBe(0);
    await run("a");
    await expect.poll(() => live.now()).toBe(0);
    expect(await run("b")).toEqual(done("B"));
  });

  it.each([
    ["loops", "loop", { limitMs: 100 }, "out-of-time"],
    ["fills an array without end", "grow", {}, "died"],
    ["fills an array of 31 million numbers", "fill", {}, "died"],
    ...(isLinux ? ([["holds buffers without end", "buffers", {}, "died"]] as const) : []),
    ["aborts", "abort", {}, "died"],
    ["has a segmentation fault", "signal SIGSEGV", {}, "died"],
    ["is killed", "signal SIGKILL", {}, "died"],
    ["exits", "exit", {}, "died"],
    ["writes garbage", "garbage", {}, "died"],
    ["replies more than it may", "enormous", {}, "died"],
  ] as const)("that %s ends alone, and another takes its place", async (_, input, given, type) => {
    expect(await run(input, given)).toEqual({ type });
    expect(await run("next")).toEqual(done("NEXT"));
    expect(live.begun()).toBe(2);
  });

  it.each([
    ["throw", "thrown inside"],
    ["recurse", "Maximum call stack size exceeded"],
  ])("whose work throws (%s) says why, and goes on", async (input, message) => {
    expect(await run(input)).toEqual({ type: "failed", message });
    expect(await run("next")).toEqual(done("NEXT"));
    expect(live.begun()).toBe(1);
  });

  it("that ended just before a job is replaced, and the job runs once", async () => {
    const pid = Number(await textOf("pid"));
    process.kill(pid, "SIGKILL");
    // Its end is not known here yet: a warm child is given the job.
    expect(await run("next")).toEqual(done("NEXT"));
    expect(live.begun()).toBe(2);
  });

  it("that ended with a job that had begun does not have it repeated", async () => {
    await run("warm");
    expect(await run("signal SIGKILL")).toEqual({ type: "died" });
    expect(live.begun()).toBe(1);
  });

  it("that replies without a job ends: the next job's reply is its own", async () => {
    expect(await run("later")).toEqual(done("now"));
    await expect.poll(() => live.now()).toBe(0);
    expect(await run("next")).toEqual(done("NEXT"));
  });

  it("that has worked for long is not used again", async () => {
    expect(await run("linger", { limitMs: 1_900 })).toEqual(done("waited"));
    expect(await run("next")).toEqual(done("NEXT"));
    expect(live.begun()).toBe(2);
  });

  it.each(["quitter.ts", "missing.ts"])(
    "that cannot start (%s) rejects with its file's name",
    async (name) => {
      const script = new URL(name, jobs);
      await expect(run("", { script })).rejects.toThrow(name);
      expect(live.now()).toBe(0);
    },
  );

  it("is ended by its signal, with the signal's reason", async () => {
    await run("warm");
    const controller = new AbortController();
    const running = run("loop", { signal: controller.signal });
    const failed = expect(running).rejects.toThrow("enough");
    await underWay();
    controller.abort(new Error("enough"));
    await failed;
    await expect.poll(() => live.now()).toBe(0);
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"])(
    "goes on when %s is sent to it and its parent",
    async (name) => {
      expect(await run(`signal ${name}`)).toEqual(done("waited"));
    },
  );
});

describe("a child process has", () => {
  it("none of our environment", async () => {
    expect(process.env["PATH"]).toBeDefined();
    const names = JSON.parse(await textOf("environment")) as string[];
    expect(names.filter((name) => !/^(?:PWD|OLDPWD|SHLVL|_)$/.test(name))).toEqual([]);
  });

  it("no permission to read anything but its code, to write, or to start anything", async () => {
    const readme = fileURLToPath(new URL("../../README.md", import.meta.url));
    for (const input of [
      "read /proc/self/environ",
      `read /proc/${process.pid}/environ`,
      `read ${readme}`,
      "write /tmp/parley-child",
      "run /bin/true",
      "thread",
    ])
      expect(await run(input), input).toMatchObject({
        type: "failed",
        message: expect.stringMatching(/restricted/) as string,
      });
    expect(existsSync("/tmp/parley-child")).toBe(false);
  });

  it.runIf(isLinux)("limits of address space and processor time, and writes no core", async () => {
    await run("warm");
    const pid = await textOf("pid");
    const limits = readFileSync(`/proc/${pid}/limits`, "utf8");
    expect(limits).toMatch(/^Max address space +2147483648 +2147483648 /m);
    expect(limits).toMatch(/^Max cpu time +65 +65 /m);
    expect(limits).toMatch(/^Max core file size +0 +0 /m);
  });
});

describe("jobs", () => {
  it("run two at a time, one of each person", async () => {
    const all = await Promise.all(
      ["a", "b", "c", "d"].map((input, index) => run(input, { person: String(index % 3) })),
    );
    expect(all).toEqual(["A", "B", "C", "D"].map(done));
    expect(live.most()).toBe(2);
    await expect.poll(() => live.now()).toBe(1);
  });

  it("of one person keep no one else waiting", async () => {
    const ending = new AbortController();
    const endless = { person: "slow", signal: ending.signal, limitMs: 600_000 };
    const slow = Promise.allSettled(Array.from({ length: 5 }, () => run("loop", endless)));
    expect(await run("quick", { person: "quick" })).toEqual(done("QUICK"));
    ending.abort();
    await slow;
  });

  it("hold no input while they wait", async () => {
    let loaded = 0;
    const signal = new AbortController().signal;
    const work = { script: jobs, limitMs: 20_000, maxMemoryMb: 64 };
    const input = () => {
      loaded += 1;
      return "wait";
    };
    const first = processes.run({ work, input, person: "1", signal });
    const second = processes.run({ work, input, person: "1", signal });
    expect(loaded).toBe(1);
    await Promise.all([first, second]);
    expect(loaded).toBe(2);
  });

  it("start nothing for a signal that is aborted already", async () => {
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(run("x", { signal })).rejects.toThrow("too late");
    expect(live.begun()).toBe(0);
  });

  it("under way when all are disposed of end", async () => {
    await run("warm");
    const running = run("loop");
    await underWay();
    processes[Symbol.dispose]();
    expect(await running).toEqual({ type: "died" });
    await expect.poll(() => live.now()).toBe(0);
  });
});

describe.runIf(isLinux)("a child process whose parent", () => {
  it("has no file descriptor left rejects, and the parent goes on", async () => {
    const limited = ["-c", 'ulimit -n 120; exec "$@"', "sh"];
    const node = [process.execPath, file("no-descriptors.ts")];
    const { stdout } = await execFileOf("/bin/sh", [...limited, ...node]);
    expect(stdout.trim().split("\n")).toEqual(["rejected", "done"]);
  });

  it("has nothing else to do does not keep it, and ends with it", async () => {
    const { ended, child } = await parent("");
    expect(await ended).toBe(0);
    await expect.poll(() => isAlive(child)).toBe(false);
  });
});
