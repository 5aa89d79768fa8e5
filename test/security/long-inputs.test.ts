import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import type { Progress } from "./long-inputs.ts";

/**
 * A hundred times what the slowest reader of a text needs: after this time it hangs. Milliseconds.
 */
const timeoutMs = 15_000;
/** On a busy machine. Milliseconds. */
const loadingMs = 120_000;

it(
  "no text of 200,000 characters hangs a reader of outside text",
  // Each reading has its own limit; how many there are must not matter.
  { timeout: 0 },
  async () => {
    const worker = new Worker(new URL("long-inputs.ts", import.meta.url));
    const { promise, resolve } = Promise.withResolvers<string>();
    let at = "loading";
    let timer = setTimeout(() => resolve(`stuck: ${at}`), loadingMs);
    worker.on("message", (progress: Progress) => {
      clearTimeout(timer);
      if (progress.type === "done") return resolve("done");
      at = progress.what;
      timer = setTimeout(() => resolve(`stuck: ${at}`), timeoutMs);
    });
    worker.on("error", (error) => resolve(`${at}: ${String(error)}`));
    try {
      expect(await promise).toBe("done");
    } finally {
      clearTimeout(timer);
      await worker.terminate();
    }
  },
);
