import { performance } from "node:perf_hooks";
import type { Tool } from "../src/core/tool.ts";
import { estimateRequest } from "../src/loop/compaction/measure.ts";
import { offeredTools } from "../src/loop/tools/offered-tools.ts";
import { createToolbox } from "../src/loop/tools/toolbox.ts";
import { loadTokenizer } from "../src/models/tokens.ts";
import { createToolIndex } from "../src/tools/tool-index.ts";
import { indexed, measured, readQuestions, readTools } from "./tool-search/read.ts";

/** How well tools are found among those of ten public MCP servers, and what a request costs. */

const real = readTools();
/** The real ones first, then copies under other servers' names. */
const toolsUpTo = (count: number): readonly Tool[] =>
  Array.from({ length: count }, (_, index) => {
    // Spread, so that ten aren't all of one server.
    const tool = real[(index * 59) % real.length];
    if (tool === undefined) throw new Error("there are no tools");
    const copy = Math.floor(index / real.length);
    return copy === 0 ? tool : { ...tool, name: `copy${copy}-${tool.name}` };
  });

const before = performance.now();
const search = await createToolIndex(real.map(indexed));
const builtMs = performance.now() - before;
const line = (what: string, { first, five, of }: ReturnType<typeof measured>): void =>
  console.log(
    `${what}: first ${((100 * first) / of).toFixed(0)} %, among five ${((100 * five) / of).toFixed(0)} %`,
  );
const heldOut = readQuestions("held-out");
console.log(`${real.length} tools`);
line(
  "100 questions, verbatim",
  measured(readQuestions("questions"), ({ ask }) => search(ask, 5)),
);
line(
  "50 more, verbatim",
  measured(heldOut, ({ ask }) => search(ask, 5)),
);
line(
  "50 more, as keywords",
  measured(heldOut, ({ ask, words = ask }) => search(words, 5)),
);

const unseen = readQuestions("unseen");
line(
  "100 of an author who had not seen the search, as keywords that a model chose",
  measured(unseen, ({ ask, words = ask }) => search(words, 5)),
);
line(
  "the same, verbatim",
  measured(unseen, ({ ask }) => search(ask, 5)),
);

const rounds = 1_000;
/** Milliseconds of one, the median of five series. */
function timeOf(work: () => unknown): string {
  const series = Array.from({ length: 5 }, () => {
    const start = performance.now();
    for (let round = 0; round < rounds; round += 1) work();
    return (performance.now() - start) / rounds;
  });
  return (series.toSorted((one, other) => one - other)[2] ?? NaN).toFixed(3);
}

const count = await loadTokenizer();
const session = { transcript: [], viewStart: 0 };
for (const size of [10, 100, 1_000]) {
  const toolbox = createToolbox(toolsUpTo(size));
  const offered = offeredTools({ toolbox, narrowing: undefined }, session);
  const tokens = (specs: typeof offered): string =>
    estimateRequest([], specs, count).toLocaleString("en");
  const ms = timeOf(() => offeredTools({ toolbox, narrowing: undefined }, session));
  console.log(
    `${size} tools: ${tokens(offered)} tokens per request (${tokens(toolbox.specs)} without search), ${ms} ms to choose them`,
  );
}
const index = await createToolIndex(toolsUpTo(1_000).map(indexed));
console.log(
  `index of ${real.length} tools: ${builtMs.toFixed(0)} ms, once; a search among 1,000: ${timeOf(() => index("close a GitHub issue", 5))} ms`,
);
