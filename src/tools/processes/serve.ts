import { writeSync } from "node:fs";
import { messageOf } from "../../core/errors.ts";
import { frame, FrameReader } from "./frames.ts";
import { maxInputBytes, replyDescriptor } from "./limits.ts";

/**
 * The other end of `ChildProcess`: what a script calls when its libraries are loaded. The process
 * ends with its parent, whose end closes the input; only its parent ends it before, whatever
 * signals a terminal or a service manager sends to all.
 */
export function serve(work: (input: Buffer) => string | Promise<string>): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined);
  const reader = new FrameReader(maxInputBytes);
  process.stdin.on("data", (piece: Buffer) => {
    for (const { payload } of reader.push(piece)) void answer(work, payload);
  });
  process.stdin.on("close", () => process.exit());
  writeSync(replyDescriptor, frame("ready", ""));
}

async function answer(
  work: (input: Buffer) => string | Promise<string>,
  input: Buffer,
): Promise<void> {
  let reply: Buffer;
  writeSync(replyDescriptor, frame("begun", ""));
  try {
    reply = frame("done", await work(input));
  } catch (error) {
    reply = frame("failed", messageOf(error));
  }
  for (let at = 0; at < reply.byteLength;) at += writeSync(replyDescriptor, reply, at);
}
