import { writeSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";

const { shared, timeoutMs, pid } = workerData as {
  readonly shared: Int32Array;
  readonly timeoutMs: number;
  readonly pid: number;
};

/** How a hanging input is run again; empty: nothing runs. */
let named = "";
parentPort?.on("message", (text: string) => {
  named = text;
});

let begun = -1;
setInterval(() => {
  const now = Atomics.load(shared, 0);
  if (named !== "" && now === begun) {
    writeSync(
      2,
      `input ${shared[1]} hangs (npm run fuzz -- --only ${named} --from ${shared[1]} --runs 1)\n`,
    );
    process.kill(pid, "SIGKILL");
  }
  begun = now;
}, timeoutMs);
