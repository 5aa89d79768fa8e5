import { setImmediate } from "node:timers/promises";
import { draftSteps } from "../src/bots/console/format/rows.ts";
import { sanitize } from "../src/bots/console/format/sanitize.ts";
import { renderSteps } from "../src/bots/discord/format/render.ts";
import { inSlices, type Steps } from "../src/bots/markdown/in-slices.ts";
import { formatRichSteps } from "../src/bots/telegram/format/format.ts";
import { hostileTexts } from "../test/support/hostile-texts.ts";
import { textReaders } from "../test/support/text-readers.ts";

/** Prints for how long the worst texts of 100,000 characters keep the event loop busy at a time. Milliseconds of CPU time. */

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

const renderers: Readonly<Record<string, (text: string) => Steps<unknown>>> = {
  Telegram: formatRichSteps,
  Discord: renderSteps,
  terminal: (text) =>
    draftSteps(
      { text: sanitize(text), markup: "markdown" },
      { width: 79, color: true },
    ),
};

async function printRenderers(): Promise<void> {
  const heads = Object.keys(renderers).map((name) => `${name}: longest, total`);
  console.log(`| text | ${heads.join(" | ")} |`);
  console.log(`|${" --- |".repeat(heads.length + 1)}`);
  for (const [name, textOf] of Object.entries(hostileTexts)) {
    const cells: string[] = [name];
    for (const steps of Object.values(renderers)) {
      const { longestMs, totalMs } = await longestBlockMs(steps(textOf(units)));
      cells.push(`${longestMs.toFixed(0)}, ${totalMs.toFixed(0)} ms`);
    }
    console.log(`| ${cells.join(" | ")} |`);
  }
}

/** What reads a text at once blocks for as long as it takes. The better of two: the first also compiles the code. */
function printReaders(): void {
  console.log("\n| reader | longest | with |\n| --- | --- | --- |");
  const rows = Object.entries(textReaders).map(([name, read]) => {
    let worst = { ms: 0, text: "" };
    for (const [text, textOf] of Object.entries(hostileTexts)) {
      const whole = textOf(units).slice(0, units);
      const ms = Math.min(costMs(read, whole), costMs(read, whole));
      if (ms >= worst.ms) worst = { ms, text };
    }
    return { name, ...worst };
  });
  for (const { name, ms, text } of rows.sort((a, b) => b.ms - a.ms))
    console.log(`| ${name} | ${ms.toFixed(0)} ms | ${text} |`);
}

function costMs(read: (text: string) => unknown, text: string): number {
  const startMs = cpuMs();
  read(text);
  return cpuMs() - startMs;
}

await printRenderers();
printReaders();
