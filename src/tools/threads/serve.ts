import { parentPort, workerData } from "node:worker_threads";
import type { ThreadMessage } from "./protocol.ts";

/** The other end of `Threads`: what a thread's own file calls when its libraries are loaded. @throws outside a thread */
export function serve(work: (input: string) => string): void {
  say({ type: "ready" });
  say({ type: "done", text: work(String(workerData)) });
}

/** The same for a job whose input is bytes and whose work takes pauses. @throws outside a thread; what the work throws */
export async function serveBytes(
  work: (input: Uint8Array) => Promise<string>,
): Promise<void> {
  say({ type: "ready" });
  say({ type: "done", text: await work(workerData as Uint8Array) });
}

function say(message: ThreadMessage): void {
  const port = parentPort;
  if (port === null) throw new TypeError("this file runs in a thread only");
  port.postMessage(message);
}
