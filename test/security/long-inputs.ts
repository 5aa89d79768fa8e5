import { parentPort } from "node:worker_threads";
import { hostileTexts } from "../support/hostile-texts.ts";
import { textReaders } from "../support/text-readers.ts";

/** What the test is sent: what is read next, or a text on which a reader was too slow. */
export type Progress =
  | { readonly type: "reading"; readonly what: string }
  | { readonly type: "slow"; readonly what: string }
  | { readonly type: "done" };

const units = 96_000;
/** A text is compared with so many of the same kind, which together are as long. */
const parts = 8;
/** How many times as much the one text may cost. Where the cost grows with the square of the length, it is 8 times as much. */
const mostGrowth = 3;
/** What any text may cost, compared with looking for secrets in ordinary words of the same length. */
const mostOfOrdinary = 80;

/** Texts of one kind of letter, each of which some pattern could go over again and again. */
const single = [
  "a",
  " ",
  "\t",
  "a ",
  "a.",
  "a-",
  "-",
  "_",
  "/",
  "\\",
  ":",
  "=",
  "a=",
  "&a=",
  '"',
  "'",
  "`",
  "*",
  "[",
  "](",
  "<",
  "@",
  "a@",
  "$",
  "|",
  ">",
  "#",
  "{",
  "0",
  "0,",
  "25",
  "://a",
  "bearer ",
  "token: ",
  "eyJ",
  "-----BEGIN ",
  "👍",
];

const repeated =
  (part: string, head = "", tail = "") =>
  (length: number): string =>
    head + part.repeat(Math.ceil(length / part.length)) + tail;

const texts: Readonly<Record<string, (length: number) => string>> = {
  ...Object.fromEntries(
    single.flatMap((part) => [
      [part, repeated(part)],
      [`x=${part}…!`, repeated(part, "x=", "!")],
    ]),
  ),
  ...hostileTexts,
};

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is a worker's port, which has no origin
const report = (progress: Progress) => parentPort?.postMessage(progress);

/** CPU time of this thread in microseconds: other work on the machine does not count. */
function costOf(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

/** The least of up to three: the first also compiles the code. Stops where it is no more than `enough`. */
function leastCost(work: () => unknown, enough: number): number {
  let least = costOf(work);
  for (let left = 2; left > 0 && least > enough; left -= 1)
    least = Math.min(least, costOf(work));
  return least;
}

/** The clock's steps may be as long as 4 ms: several times are measured as one. */
const repeats = 25;
const ordinary = "some words of an ordinary answer, and a few more\n".repeat(
  units / 49,
);
const { legible } = textReaders;
const readOften = () => {
  for (let left = repeats; left > 0; left -= 1) legible?.(ordinary);
};
const ordinaryCost = leastCost(readOften, 0) / repeats;
/** What costs no more is not compared with shorter texts. */
const small = 10 * ordinaryCost;
const most = mostOfOrdinary * ordinaryCost;

for (const [reader, read] of Object.entries(textReaders))
  for (const [name, textOf] of Object.entries(texts)) {
    const what = `${reader} of ${name}`;
    report({ type: "reading", what });
    const long = textOf(units);
    const cost = leastCost(() => read(long), small);
    if (cost <= small) continue;
    const short = textOf(units / parts);
    const readAll = () => {
      for (let left = parts; left > 0; left -= 1) read(short);
    };
    const growth = cost / Math.max(small / 2, leastCost(readAll, 0));
    if (cost <= most && growth <= mostGrowth) continue;
    const grown = `${growth.toFixed(1)} times as much as ${parts} texts of an eighth`;
    const compared = `${(cost / ordinaryCost).toFixed(1)} times as much as ordinary words`;
    report({ type: "slow", what: `${what}: ${grown}, ${compared}` });
  }
report({ type: "done" });
