import { setImmediate } from "node:timers/promises";
import { draftSteps } from "../src/bots/console/format/rows.ts";
import { sanitize } from "../src/bots/console/format/sanitize.ts";
import { renderSteps } from "../src/bots/discord/format/render.ts";
import { inSlices, type Steps } from "../src/bots/markdown/in-slices.ts";
import { formatRichSteps } from "../src/bots/telegram/format/format.ts";
import { parsePieces } from "../src/bots/markdown/parse.ts";
import { hostileMarkdown } from "../test/support/hostile-markdown.ts";
import { everyHostileText, hostileTexts } from "../test/support/hostile-texts.ts";
import { textReaders } from "../test/support/text-readers.ts";

/**
 * Prints for how long the worst texts of 100,000 characters keep the event loop busy at a time, in
 * milliseconds of CPU time, and which readers' cost grows faster than the text: then it exits with
 * 1.
 */

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
    draftSteps({ text: sanitize(text), markup: "markdown" }, { width: 79, color: true }),
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

/**
 * What reads a text at once blocks for as long as it takes. The better of two: the first also
 * compiles the code.
 */
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

/** A text is compared with so many of the same kind, which together are as long. */
const parts = 8;
/**
 * How many times as much the one text may cost. Where the cost grows with the square of the length,
 * it is 8 times as much.
 */
const mostGrowth = 4;
/**
 * The clock's steps may be as long as 4 ms: what takes no longer than a few of them has no ratio.
 */
const shortMs = 16;

/**
 * The least of up to three: the first also compiles the code. Stops where it is no more than
 * `enough`. Milliseconds.
 */
function leastMs(work: () => unknown, enough = 0): number {
  let least = Infinity;
  for (let left = 3; left > 0 && least > enough; left -= 1)
    least = Math.min(least, costMs(work, ""));
  return least;
}

/**
 * Prints what costs more than so many parts of it: with the square of the length it is 8 times as
 * much.
 */
function printGrowth(): void {
  const parsers = {
    "the Markdown parser": (text: string) => [...parsePieces(text)],
  };
  let compared = 0;
  const grown: string[] = [];
  const compare = (
    readers: Readonly<Record<string, (text: string) => unknown>>,
    texts: typeof hostileTexts,
  ) => {
    for (const [reader, read] of Object.entries(readers))
      for (const [name, textOf] of Object.entries(texts)) {
        compared += 1;
        const [long, short] = [textOf(units), textOf(units / parts)];
        const wholeMs = leastMs(() => read(long), shortMs);
        if (wholeMs <= shortMs) continue;
        const partsMs = leastMs(() => {
          for (let left = parts; left > 0; left -= 1) read(short);
        });
        const growth = wholeMs / Math.max(shortMs / parts, partsMs);
        if (growth > mostGrowth) grown.push(`${reader} of ${name}: ${growth.toFixed(1)} times`);
      }
  };
  compare(textReaders, everyHostileText);
  compare(parsers, hostileMarkdown);
  console.log(
    `\n${compared} pairs of a reader and a text compared with ${parts} texts of an eighth: ${grown.length} cost more than ${mostGrowth} times as much`,
  );
  for (const line of grown) console.log(`- ${line}`);
  if (grown.length > 0) process.exitCode = 1;
}

await printRenderers();
printReaders();
printGrowth();
