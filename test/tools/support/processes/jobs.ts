import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { frame } from "../../../../src/tools/processes/frames.ts";
import { replyDescriptor } from "../../../../src/tools/processes/limits.ts";
import { serve } from "../../../../src/tools/processes/serve.ts";

/** The work of a test's child, by its input. */
serve((input) => {
  const [name = "", given = ""] = input.toString().split(" ");
  const job = jobs[name];
  return job === undefined ? input.toString().toUpperCase() : job(given);
});

const jobs: Readonly<Record<string, (given: string) => string>> = {
  loop() {
    for (;;);
  },
  grow() {
    const grown: number[] = [];
    for (;;) grown.push(1);
  },
  fill() {
    const filled: number[] = [];
    for (let at = 0; at < 31_000_000; at += 1) filled[at] = at + 0.5;
    return String(filled.length);
  },
  buffers() {
    const held: Buffer[] = [];
    for (;;) held.push(Buffer.alloc(1_048_576, 1));
  },
  recurse() {
    const down = (depth: number): number => down(depth + 1) + 1;
    return String(down(0));
  },
  throw() {
    throw new TypeError("thrown inside");
  },
  abort: () => process.abort(),
  exit: () => process.exit(0),
  signal(name) {
    process.kill(process.pid, name);
    return wait(200);
  },
  garbage() {
    writeSync(replyDescriptor, Buffer.alloc(100, 0xee));
    return wait(10_000);
  },
  enormous: () => "x".repeat(9 * 1_048_576),
  later() {
    setTimeout(() => writeSync(replyDescriptor, frame("done", "later")), 50);
    return "now";
  },
  environment: () => JSON.stringify(Object.keys(process.env)),
  pid: () => String(process.pid),
  limits: () => readFileSync("/proc/self/limits", "utf8"),
  read: (path) => readFileSync(path, "utf8"),
  write(path) {
    writeFileSync(path, "");
    return "written";
  },
  run: (path) => execFileSync(path).toString(),
  thread() {
    void new Worker("", { eval: true });
    return "started";
  },
  wait: () => wait(200),
  linger: () => wait(1_000),
};

function wait(ms: number): string {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
  return "waited";
}
