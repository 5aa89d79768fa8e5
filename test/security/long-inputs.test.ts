import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";

/** One reader may be at one text for this long on a busy machine; what needs more goes over it again and again. Milliseconds. */
const patienceMs = 10_000;

it(
  "no text of 200,000 characters keeps any reader of outside text busy",
  { timeout: 240_000 },
  async () => {
    const worker = new Worker(new URL("long-inputs.ts", import.meta.url));
    const { promise, resolve } = Promise.withResolvers<string>();
    let at = "loading";
    let timer = setTimeout(() => resolve(at), patienceMs);
    worker.on("message", (what: string) => {
      at = what;
      clearTimeout(timer);
      if (what === "done") resolve(what);
      else timer = setTimeout(() => resolve(`stuck: ${at}`), patienceMs);
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
