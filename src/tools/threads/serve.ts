import { parentPort, workerData } from "node:worker_threads";
import type { ThreadMessage } from "./protocol.ts";

/** The other end of `Threads`: what a thread's own file calls when its libraries are loaded. @throws outside a thread */
export function serve(work: (input: string) => string): void {
  const port = parentPort;
  if (port === null) throw new TypeError("this file runs in a thread only");
  const say = (message: ThreadMessage): void => port.postMessage(message);
  say({ type: "ready" });
  say({ type: "done", text: work(String(workerData)) });
}
