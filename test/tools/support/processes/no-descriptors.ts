import { closeSync, openSync } from "node:fs";
import { ChildProcesses } from "../../../../src/tools/processes/child-processes.ts";

/*
 * Under `ulimit -n`: gives a child a job while no file descriptor is free, and again when they are.
 * Writes both results, one a line.
 */
const processes = new ChildProcesses();
const run = async (): Promise<void> => {
  const outcome = processes.run({
    work: {
      script: new URL("jobs.ts", import.meta.url),
      limitMs: 20_000,
      maxMemoryMb: 64,
    },
    input: () => "next",
    person: "1",
    signal: new AbortController().signal,
  });
  const type = await outcome.then(
    (ended) => ended.type,
    () => "rejected",
  );
  lines.push(type);
  // What `spawn` reports comes a moment later.
  await new Promise((resolve) => setImmediate(resolve));
};

const lines: string[] = [];
const taken: number[] = [];
const takeAll = (): void => {
  for (;;) taken.push(openSync("/dev/null", "r"));
};
try {
  takeAll();
} catch {
  await run();
}
for (const descriptor of taken) closeSync(descriptor);
await run();
process.stdout.write(`${lines.join("\n")}\n`);
