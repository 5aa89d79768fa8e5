import { setImmediate } from "node:timers/promises";
import { draftSteps } from "../src/bots/console/format/rows.ts";
import { renderSteps } from "../src/bots/discord/format/render.ts";
import { inSlices, type Steps } from "../src/bots/markdown/in-slices.ts";
import { formatSteps } from "../src/bots/telegram/format/format.ts";
import { hostileMarkdown } from "../test/support/hostile-markdown.ts";

/** Prints for how long rendering the worst texts of 100,000 characters keeps the event loop busy. Milliseconds. */

const units = 100_000;

/** CPU time of this thread: what other programs on the machine take does not count. */
const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

async function longestBlockMs(
  steps: Steps<unknown>,
): Promise<{ readonly longestMs: number; readonly totalMs: number }> {
  const startMs = cpuMs();
  const over = new AbortController();
  let longestMs = 0;
  const watching = (async () => {
    for (let lastMs = cpuMs(); !over.signal.aborted;) {
      await setImmediate();
      const nowMs = cpuMs();
      longestMs = Math.max(longestMs, nowMs - lastMs);
      lastMs = nowMs;
    }
  })();
  await inSlices(steps);
  over.abort();
  await watching;
  return { longestMs, totalMs: cpuMs() - startMs };
}

const terminalSteps = (text: string): Steps<unknown> =>
  draftSteps({ text, markup: "markdown" }, { width: 79, color: true });

console.log(
  "| text | Telegram: longest, total | Discord: longest, total | terminal: longest, total |",
);
console.log("| --- | --- | --- | --- |");
const texts = {
  ...hostileMarkdown,
  words: (length: number) =>
    "some **words** of an answer\n\n".repeat(length / 29),
};
for (const [name, textOf] of Object.entries(texts)) {
  const cells: string[] = [name];
  for (const steps of [formatSteps, renderSteps, terminalSteps]) {
    const { longestMs, totalMs } = await longestBlockMs(steps(textOf(units)));
    cells.push(`${longestMs.toFixed(0)}, ${totalMs.toFixed(0)} ms`);
  }
  console.log(`| ${cells.join(" | ")} |`);
}
