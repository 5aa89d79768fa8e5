import {
  costOfCode,
  costOfStructure,
  costOfWords,
  noCost,
  sumOf,
  totalUs,
  type Cost,
} from "./cost.ts";
import { atOnce, type Steps } from "./in-slices.ts";

/** Lines that are looked at in one step. */
const stepLines = 256;
/** UTF-16 units that are parsed at once. */
const maxUnits = 16_000;
/** Estimated time that one piece may take to parse. Microseconds. */
const maxCostUs = 25_000;

/** Containers that begin on one line: 5,000 of them cost the parser seconds. */
const maxContainers = 40;

/** A part of a document, and whether it can be parsed in a short time. */
export interface Source {
  readonly source: string;
  readonly isCheap: boolean;
}

interface Code {
  readonly cost: Cost;
  readonly opening: string;
  readonly fence: string;
}

/** Lines that no paragraph reaches into or out of: a document may be cut between two blocks. */
interface Block {
  readonly start: number;
  readonly end: number;
  readonly cost: Cost;
  /** Above it is an empty line, and it is no part of a list item: a cut there changes the least. */
  readonly isApart: boolean;
  /**
   * Of a block of code: its cost where nothing is above it, its opening line, and what closes it.
   */
  readonly code?: Code;
  readonly isTooDeep: boolean;
}

/**
 * A document as parts of limited parsing cost. What costs little is one part. Others are cut
 * between paragraphs, else between list items, headings and so on. A single block that costs too
 * much, e.g. a long paragraph full of brackets, is not cheap to parse however it is cut. Pure: the
 * same document is always cut in the same way. Linear.
 */
export function* sourceSteps(markdown: string): Steps<readonly Source[]> {
  const blocks = yield* blocksOf(markdown);
  const sources: Source[] = [];
  for (let first = 0; first < blocks.length;) {
    const end = endOfPiece(blocks, first);
    const start = blocks[first]?.start ?? 0;
    const source = markdown.slice(start, blocks[end - 1]?.end);
    const { code, ...block } = blocks[first] as Block;
    if (end === first + 1 && code !== undefined) sources.push(...partsOfCode(source, code));
    else sources.push({ source, isCheap: end > first + 1 || fits(block) });
    first = end;
    yield;
  }
  return sources.length > 0 ? sources : [{ source: markdown, isCheap: true }];
}

/** The same at once. */
export const sourcesOf = (markdown: string): readonly Source[] => atOnce(sourceSteps(markdown));

const fits = ({ cost, isTooDeep }: Pick<Block, "cost" | "isTooDeep">) =>
  !isTooDeep && cost.units <= maxUnits && totalUs(cost) <= maxCostUs;

/** The first block that is not part of the piece that begins with `first`. */
function endOfPiece(blocks: readonly Block[], first: number): number {
  let cost = noCost;
  let apart: number | undefined;
  let end = first;
  for (; end < blocks.length; end += 1) {
    const block = blocks[end];
    if (block === undefined) break;
    const { code } = block;
    cost = sumOf(cost, end === first && code ? code.cost : block.cost);
    if (end > first && block.isApart) apart = end;
    if (!fits({ cost, isTooDeep: block.isTooDeep })) break;
  }
  if (end === blocks.length) return end;
  // At most half of it, or the same blocks would be scanned repeatedly.
  const isFar = apart !== undefined && apart - first >= (end - first) / 2;
  return Math.max(first + 1, isFar ? (apart ?? end) : end);
}

/** A long block of code as several, each opened and closed again. */
function partsOfCode(source: string, { opening, fence }: Code): Source[] {
  const parts: Source[] = [];
  let from = 0;
  const add = (to: number, closing: string): void => {
    const head = from === 0 ? "" : opening;
    const part = head + source.slice(from, to) + closing;
    parts.push({ source: part, isCheap: true });
    from = to;
  };
  while (source.length - from > maxUnits) {
    const middle = from + maxUnits / 2;
    const line = source.slice(from, middle).lastIndexOf("\n") + from;
    const isLong = line < from + opening.length;
    const end = isLong ? source.indexOf("\n", middle) : line;
    if (end < 0) break;
    add(end + 1, `${fence}\n`);
  }
  add(source.length, "");
  return parts;
}

/**
 * Every block of a document, in order, without a gap.
 * @param hasCode whether fences begin blocks of code; else their lines are words, too
 */
function* blocksOf(markdown: string, hasCode = true): Steps<readonly Block[]> {
  const scanner = new Scanner(markdown, hasCode);
  let lines = 0;
  for (const [whole, line = ""] of markdown.matchAll(/([^\r\n]*)(?:\r\n?|\n|$)/g)) {
    if (whole !== "") yield* scanner.add(line, whole.length);
    lines += 1;
    if (lines % stepLines === 0) yield;
  }
  yield* scanner.finish();
  return scanner.blocks;
}

/** The parser's definition of an empty line; other white space counts as a word. */
const isEmpty = (line: string): boolean => /^[ \t]*$/.test(line);

/** HTML and formulas go on over lines that look like a fence. */
const mayHideFences = /^[ \t]*(?:<|\$\$|\\\[)/;

/**
 * Reads lines, each `words → words`, or `words → code → words` from a fence to the one that closes
 * it.
 */
class Scanner {
  readonly #markdown: string;
  readonly #hasCode: boolean;
  readonly blocks: Block[] = [];
  #start = 0;
  #end = 0;
  #lines = 0;
  #structure = noCost;
  #isTooDeep = false;
  #isApart = true;
  #isAfterEmpty = true;
  #isAfterUnderline = false;
  /** Of the last line with words: what `marksOf` says, and its indentation. */
  #marks: readonly string[] = [];
  #indent = 0;
  /** The delimiter of the ordered list that the block began with, e.g. `.`. */
  #ordered = "";
  #code: Omit<Code, "cost"> | undefined;
  #mayHideFences = false;

  constructor(markdown: string, hasCode: boolean) {
    this.#markdown = markdown;
    this.#hasCode = hasCode;
  }

  /** @param units of the line with its end */
  *add(line: string, units: number): Steps<void> {
    if (this.#code !== undefined) {
      this.#end += units;
      if (isClosing(line, this.#code.fence)) yield* this.#endBlock("");
      return;
    }
    const fence = this.#hasCode ? fenceOf(line) : undefined;
    const isFirst = !isEmpty(line) && (fence || this.#isBeginning(line));
    if (isFirst) yield* this.#endBlock(line);
    if (fence !== undefined)
      this.#code = {
        opening: this.#markdown.slice(this.#end, this.#end + units),
        fence,
      };
    else this.#addWords(line);
    this.#end += units;
  }

  *finish(): Steps<void> {
    yield* this.#endBlock("");
  }

  /** Whether the parser begins a block there, whatever is above it. */
  #isBeginning(line: string): boolean {
    if (this.#isAfterEmpty || this.#isAfterUnderline) return true;
    if (/^(?:#{1,6}[ \t]|(?:[-+*]|1[.)])[ \t]+[^ \t])/.test(line)) return true;
    const delimiter = delimiterOf(line);
    return delimiter !== "" && delimiter === this.#ordered;
  }

  #addWords(line: string): void {
    this.#lines += 1;
    this.#isAfterEmpty = isEmpty(line);
    this.#isAfterUnderline = /^ {0,3}(?:-+|=+)[ \t]*$/.test(line);
    this.#mayHideFences ||= mayHideFences.test(line);
    if (!this.#isAfterEmpty) this.#addStructure(line);
    else if (this.#marks[0] === ">") this.#marks = [];
  }

  #addStructure(line: string): void {
    const marks = marksOf(line);
    const indent = line.length - line.trimStart().length;
    let shared = 0;
    while (shared < marks.length && marks[shared] === this.#marks[shared]) {
      shared += 1;
      if (marks[shared - 1] !== ">") break;
    }
    const ended = Math.max(0, this.#marks.length - marks.length);
    const isMoved = marks.length > 0 && indent !== this.#indent;
    this.#structure = sumOf(
      this.#structure,
      costOfStructure(
        marks.length - shared + ended + (isMoved ? 1 : 0),
        /(?:^|[ \t>])(?:-+|=+)[ \t]*$/.test(line),
      ),
    );
    this.#isTooDeep ||= marks.length >= maxContainers;
    this.#marks = marks;
    this.#indent = indent;
  }

  /** @param next the line that begins the next one */
  *#endBlock(next: string): Steps<void> {
    const start = this.#start;
    const text = this.#markdown.slice(start, this.#end);
    if (text !== "")
      this.blocks.push({
        start,
        end: this.#end,
        isApart: this.#isApart,
        ...(yield* this.#costOf(text)),
      });
    const isAfterCode = this.#code !== undefined;
    this.#isApart = (this.#isAfterEmpty || isAfterCode) && /^\S/.test(next);
    this.#isAfterEmpty ||= isAfterCode;
    this.#start = this.#end;
    this.#lines = 0;
    this.#structure = noCost;
    this.#isTooDeep = false;
    this.#code = undefined;
    this.#ordered = delimiterOf(next);
  }

  *#costOf(text: string): Steps<Pick<Block, "cost" | "code" | "isTooDeep">> {
    const isTooDeep = this.#isTooDeep;
    const code = this.#code;
    if (code === undefined) {
      const words = costOfBlock(text, this.#lines);
      return { cost: sumOf(this.#structure, words), isTooDeep };
    }
    const cost = costOfCode(text);
    const hidden = this.#mayHideFences ? yield* blocksOf(text, false) : [];
    const asWords = hidden.map((block) => block.cost).reduce(sumOf, noCost);
    return {
      cost: this.#mayHideFences ? asWords : cost,
      code: { ...code, cost },
      isTooDeep,
    };
  }
}

const delimiterOf = (line: string): string => /^\d{1,9}([.)])[ \t]/.exec(line)?.[1] ?? "";

/** A table's row ends where its line does; other lines may all be one paragraph. */
function costOfBlock(text: string, lines: number): Cost {
  if (!/^ {0,3}\|/.test(text)) return costOfWords(text, lines);
  const [head = "", rule = "", ...rows] = text.split(/\r\n?|\n/);
  const isTable =
    /^ {0,3}\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$/.test(rule) && cellsOf(head) === cellsOf(rule);
  return isTable
    ? [head, rule, ...rows].map((row) => costOfWords(row, 1)).reduce(sumOf, noCost)
    : costOfWords(text, lines);
}

const cellsOf = (row: string): number => row.replaceAll(/\\[^]/g, "").split("|").length;

/**
 * The fence that a line at the margin opens; undefined for any other line. Backticks cannot have
 * backticks after them.
 */
const fenceOf = (line: string): string | undefined =>
  /^(?:(`{3,})[^`]*|(~{3,})[^]*)$/.exec(line)?.slice(1).find(Boolean);

function isClosing(line: string, fence: string): boolean {
  const [, run = ""] = /^ {0,3}(`+|~+)[ \t]*$/.exec(line) ?? [];
  return run.startsWith(fence);
}

const container =
  /[ \t]*(?:([-+*])(?=[ \t]|$)|(>)|\d{1,9}([.)])(?=[ \t]|$)|(\[\^[^\]\s]{1,999}\]:))/y;

/** The lists, quotes and footnotes that a line begins or continues, the outermost first. */
function marksOf(line: string): readonly string[] {
  const marks: string[] = [];
  container.lastIndex = 0;
  for (
    let match = container.exec(line);
    match !== null && marks.length < maxContainers;
    match = container.exec(line)
  )
    marks.push(match[1] ?? match[2] ?? match[3] ?? "[^");
  return marks;
}
