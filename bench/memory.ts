import { parseArgs } from "node:util";
import { conversationsIn, windowsOf, type PlacedWindow } from "../src/memory/windows.ts";
import { termsOfWindow } from "../src/memory/terms.ts";
import { newKeywordIndex } from "../src/memory/warm-indexes.ts";
import { termsOf } from "../src/text/terms.ts";
import { loadTokenizer } from "../src/models/tokens.ts";
import { readLocomo, type Conversation } from "./memory/read-locomo.ts";

/** How often what answers a question is among the first windows that its words find, without a model. */

const { data } = parseArgs({ options: { data: { type: "string" } } }).values;
if (data === undefined) throw new Error("expected --data <folder or zip with LoCoMo's JSON files>");
const conversations = readLocomo(data);
const tops = [5, 10, 20] as const;

type Unit = (conversation: Conversation) => readonly PlacedWindow[];
const units: Readonly<Record<string, Unit>> = {
  window: ({ entries }) => windowsOf(conversationsIn(entries)),
  message: ({ entries }) =>
    windowsOf(conversationsIn(entries).flatMap((said) => said.map((one) => [one]))),
};

const countTokens = await loadTokenizer();
for (const [name, unit] of Object.entries(units)) {
  const found = conversations.flatMap((conversation) => foundIn(conversation, unit));
  const bySet = Map.groupBy(found, ({ set }) => set);
  for (const [set, those] of [["all", found] as const, ...bySet])
    console.log(lineOf(set, name, those));
}

interface Found {
  readonly set: string;
  /** For each of `tops`: whether any of the evidence is there, and, for ten, whether all is. */
  readonly any: readonly boolean[];
  readonly all: boolean;
  /** Of ten windows together. */
  readonly tokens: number;
}

function foundIn(conversation: Conversation, unit: Unit): readonly Found[] {
  const windows = unit(conversation);
  const index = newKeywordIndex();
  for (const [id, window] of windows.entries()) index.add(id, termsOfWindow(window));
  return conversation.questions.map(({ set, text, evidence }) => {
    const ranked = index.search(new Set(termsOf(text)), 20).flatMap(({ id }) => windows[id] ?? []);
    const ten = fitting(ranked.slice(0, 10));
    const isIn = (top: number) => {
      const positions = new Set(
        (top === 10 ? ten : ranked.slice(0, top)).flatMap(({ lines }) =>
          lines.map(({ position }) => position),
        ),
      );
      return (each: number) => positions.has(each);
    };
    return {
      set,
      any: tops.map((top) => evidence.some(isIn(top))),
      all: evidence.every(isIn(10)),
      tokens: tokensOf(ten),
    };
  });
}

function tokensOf(windows: readonly PlacedWindow[]): number {
  const lines = windows.flatMap((window) => window.lines);
  return countTokens(lines.map(({ who, text }) => `${who}: ${text}`).join("\n"));
}

/** The first that have at most 2,000 tokens together. */
function fitting(windows: readonly PlacedWindow[]): readonly PlacedWindow[] {
  let count = windows.length;
  while (tokensOf(windows.slice(0, count)) > 2_000) count -= 1;
  return windows.slice(0, count);
}

function lineOf(set: string, unit: string, found: readonly Found[]): string {
  const share = (is: (each: Found) => boolean | undefined): string =>
    `${((100 * found.filter(is).length) / found.length).toFixed(1)} %`;
  const any = tops.map((top, at) => `any@${top} ${share((each) => each.any[at])}`);
  const tokens = found.map((each) => each.tokens).toSorted((one, other) => one - other);
  const most = tokens.at(-1) ?? 0;
  const usual = tokens.reduce((sum, each) => sum + each, 0) / found.length;
  return `LoCoMo, ${set} (${found.length}), by ${unit}: ${any.join(", ")}; all@10 ${share(({ all }) => all)}; ten are ${usual.toFixed(0)} tokens, ${most} at most`;
}
