import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { combineExtensions } from "micromark-util-combine-extensions";
import { walk } from "./flatten.ts";
import { maths } from "./maths.ts";
import { addPairs } from "./pairs.ts";

export type MarkdownRoot = ReturnType<typeof fromMarkdown>;
export type MarkdownNode = MarkdownRoot["children"][number];
export type NodeOf<Type extends MarkdownNode["type"]> = Extract<
  MarkdownNode,
  { type: Type }
>;

/**
 * UTF-16 units that are parsed at once. The parser needs time that grows with the square of hostile input: at most some
 * tenths of a second for this many.
 */
const maxParsedUnits = 16_000;

/** Lists and quotes within each other; 5,000 of them on one line cost the parser seconds. */
const tooDeep = /^(?:[ \t]*(?:[-+*>]|\d{1,9}[.)])){40}/m;

/** Runs of marks in one paragraph, all of which the parser tries against all: 4,000 of them cost it seconds. */
const maxMarkRuns = 1_000;

// One tilde is "about" far more often than it is a deletion.
const options = {
  // The parser joins what it is given anew for every text: one is soon joined with its own.
  extensions: [combineExtensions([gfm({ singleTilde: false }), maths])],
  mdastExtensions: [gfmFromMarkdown()],
};

/** CommonMark, GFM, formulas and spoilers as a tree; undefined for a text that is too long, or too deep, to be parsed. */
export function parseMarkdown(markdown: string): MarkdownRoot | undefined {
  const isTooMuch =
    markdown.length > maxParsedUnits ||
    tooDeep.test(markdown) ||
    hasTooManyMarks(markdown);
  if (isTooMuch) return undefined;
  try {
    const root = fromMarkdown(markdown, options);
    addPairs(root, markdown);
    nameMaths(root, markdown);
    return root;
  } catch {
    return undefined;
  }
}

/** Formulas on lines of their own are code in the language in which they are written. */
function nameMaths(root: MarkdownRoot, source: string): void {
  if (!/^.*(?:\$\$|\\\[)[ \t]*$/m.test(source)) return;
  for (const node of walk(root)) {
    const start =
      node.type === "code" ? node.position?.start.offset : undefined;
    const isMaths =
      source.startsWith("$$", start) || source.startsWith("\\[", start);
    if (node.type === "code" && start !== undefined && isMaths)
      node.lang = "latex";
  }
}

/** A blank line and an item's beginning end a paragraph; what stands in a fence is none. */
function hasTooManyMarks(markdown: string): boolean {
  let count = 0;
  let fence = "";
  for (const line of markdown.split("\n")) {
    const mark = fenceOf(line);
    if (fence === "") fence = mark;
    else if (mark.startsWith(fence)) fence = "";
    if (fence !== "" || /^[ \t]*(?:$|[-+*] )/.test(line)) count = 0;
    if (fence !== "") continue;
    for (const [run] of line.matchAll(/\\.|[*_~]+/g))
      if (!run.startsWith("\\")) count += 1;
    if (count > maxMarkRuns) return true;
  }
  return false;
}

/** The fence that a line opens or closes; empty for any other line. */
const fenceOf = (line: string): string =>
  /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? "";

/** A part of a document, and its tree; undefined where it cannot be parsed. */
export interface Piece {
  readonly source: string;
  readonly root: MarkdownRoot | undefined;
}

/**
 * A document of any length, parsed in pieces between whose ends no block of it reaches as far as that can be avoided.
 * @param note plain text for a last piece, in italics: never parsed, so that an open fence above does not swallow it.
 */
export const parsePieces = (
  markdown: string,
  note?: string,
): readonly Piece[] => [
  ...piecesOf(markdown).map((source) => ({
    source,
    root: parseMarkdown(source),
  })),
  ...(note === undefined ? [] : [{ source: note, root: emphasised(note) }]),
];

const emphasised = (text: string): MarkdownRoot => ({
  type: "root",
  children: [
    {
      type: "paragraph",
      children: [
        { type: "emphasis", children: [{ type: "text", value: text }] },
      ],
    },
  ],
});

function piecesOf(markdown: string): readonly string[] {
  if (markdown.length <= maxParsedUnits) return [markdown];
  const pieces: string[] = [];
  let from = 0;
  let lastBreak = 0;
  let fence = "";
  /** The line that has opened the fence, and whether the piece begins within it. */
  let opening = "";
  let head = "";
  for (const { 0: line, index } of markdown.matchAll(/[^\n]*\n?/g)) {
    const end = index + line.length;
    if (end - from > maxParsedUnits && lastBreak > from) {
      pieces.push(head + markdown.slice(from, lastBreak));
      from = lastBreak;
      head = "";
    } else if (
      end - from > maxParsedUnits / 2 &&
      fence !== "" &&
      index > from
    ) {
      pieces.push(`${head}${markdown.slice(from, index)}${fence}\n`);
      from = index;
      head = opening;
    }
    const mark = fenceOf(line);
    if (fence === "" && mark !== "") [fence, opening] = [mark, line];
    else if (fence !== "" && mark.startsWith(fence)) fence = "";
    const isBreak = fence === "" && line.trim() === "";
    if (isBreak && /\S/.test(markdown[end] ?? "")) lastBreak = end;
  }
  if (from < markdown.length) pieces.push(head + markdown.slice(from));
  return pieces;
}

const special =
  /[\\`*_~[<>|&#$\t\r\0]|^[-+=]|^[^\S\n]|[^\S\n]$|^\d{1,9}[.)]|\n\n\n/m;

/**
 * Whether the parser would give back the same text, so that it need not be asked. Bare addresses (`https://…`, `www.…`,
 * `a@b.c`) are no exception: every platform finds them by itself.
 */
export const isPlain = (text: string): boolean => !special.test(text);
