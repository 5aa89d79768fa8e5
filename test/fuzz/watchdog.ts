import { writeSync } from "node:fs";
import { Worker } from "node:worker_threads";

/**
 * An input may take this long, even on a busy machine; anything that needs it hangs. Milliseconds.
 */
const timeoutMs = 120_000;

/**
 * Looks from a thread of its own at whether inputs still come to an end: code that hangs cannot say
 * so itself. It names the input and ends the process.
 */
export class Watchdog implements AsyncDisposable {
  /** `[how many inputs were begun, the input's number]`. */
  readonly #shared = new Int32Array(new SharedArrayBuffer(8));
  readonly #worker: Worker;
  #fuzzer = "";
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
    const workerData = { shared: this.#shared, timeoutMs, pid: process.pid };
    this.#worker = new Worker(new URL("watchdog-thread.ts", import.meta.url), {
      workerData,
    });
    this.#worker.unref();
    process.once("exit", this.#exit);
  }

  begin(fuzzer: string, index: number): void {
    if (fuzzer !== this.#fuzzer) {
      this.#fuzzer = fuzzer;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is a worker, which has no origin
      this.#worker.postMessage(`${fuzzer} --seed ${this.#seed}`);
    }
    this.#shared[1] = index;
    Atomics.add(this.#shared, 0, 1);
  }

  /** Nothing runs. */
  rest(): void {
    this.#fuzzer = "";
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread's port has no origin
    this.#worker.postMessage("");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    process.off("exit", this.#exit);
    await this.#worker.terminate();
  }

  /** A promise that never settles leaves nothing to do, and the process ends by itself. */
  readonly #exit = (): void => {
    if (this.#fuzzer === "") return;
    writeSync(
      2,
      `input ${this.#shared[1]} never ended (npm run fuzz -- --only ${this.#fuzzer} --seed ${this.#seed} --from ${this.#shared[1]} --runs 1)\n`,
    );
    process.exitCode = 1;
  };
}
