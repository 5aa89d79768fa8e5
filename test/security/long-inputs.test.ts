import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import type { Progress } from "./long-inputs.ts";

/** One reader may be at one text for this long on a busy machine; what needs more goes over it again and again. Milliseconds. */
const timeoutMs = 10_000;

it(
  "no text of 100,000 characters keeps any reader of outside text busy",
  { timeout: 240_000 },
  async () => {
    const worker = new Worker(new URL("long-inputs.ts", import.meta.url));
    const { promise, resolve } = Promise.withResolvers<string>();
    const slow: string[] = [];
    let at = "loading";
    let timer = setTimeout(() => resolve(`stuck: ${at}`), timeoutMs);
    worker.on("message", (progress: Progress) => {
      clearTimeout(timer);
      if (progress.type === "done") return resolve("done");
      if (progress.type === "slow") slow.push(progress.what);
      else at = progress.what;
      timer = setTimeout(() => resolve(`stuck: ${at}`), timeoutMs);
    });
    worker.on("error", (error) => resolve(`${at}: ${String(error)}`));
    try {
      expect(await promise).toBe("done");
      expect(slow).toEqual([]);
    } finally {
      clearTimeout(timer);
      await worker.terminate();
    }
  },
);
