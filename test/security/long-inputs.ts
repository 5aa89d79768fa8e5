import { parentPort } from "node:worker_threads";
import { everyHostileText } from "../support/hostile-texts.ts";
import { textReaders } from "../support/text-readers.ts";

/** What the test is sent: what is read next. */
export type Progress =
  { readonly type: "reading"; readonly what: string } | { readonly type: "done" };

/**
 * A reader whose cost grows with the square of the length needs half a minute for so many
 * characters, others 0.1 s.
 */
const units = 200_000;

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is a worker's port, which has no origin
const report = (progress: Progress) => parentPort?.postMessage(progress);

for (const [name, textOf] of Object.entries(everyHostileText)) {
  const text = textOf(units);
  for (const [reader, read] of Object.entries(textReaders)) {
    report({ type: "reading", what: `${reader} of ${name}` });
    read(text);
  }
}
report({ type: "done" });
