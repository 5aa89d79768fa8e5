import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { combineExtensions } from "micromark-util-combine-extensions";
import { bareAddresses, widePunctuation } from "./bare-addresses.ts";
import { emphasisIn } from "./emphasis.ts";
import { walk } from "./flatten.ts";
import { maths } from "./maths.ts";
import { addPairs } from "./pairs.ts";
import { joinFormulas, splitFormulas } from "./formula-lines.ts";
import { atOnce, type Steps } from "./in-slices.ts";
import type { MarkdownRoot } from "./nodes.ts";
import { sourcesOf, sourceSteps, type Source } from "./pieces.ts";

// One tilde is "about" far more often than it is a deletion.
const github = gfm({ singleTilde: false });
const options = {
  // The parser merges its extensions for every text; a premerged one is faster.
  extensions: [combineExtensions([github, emphasisIn(github), bareAddresses(github), maths])],
  mdastExtensions: [gfmFromMarkdown()],
};

/** A short document as a tree; undefined where it cannot be parsed, or only in pieces. */
export function parseMarkdown(markdown: string): MarkdownRoot | undefined {
  const [source, second] = sourcesOf(markdown);
  return source?.isCheap === true && second === undefined ? treeOf(source.source) : undefined;
}

/**
 * CommonMark, GFM, formulas and spoilers; undefined where the parser fails. Its time may grow with
 * the square of the text.
 */
function treeOf(markdown: string): MarkdownRoot | undefined {
  try {
    const joined = joinFormulas(markdown);
    const root = fromMarkdown(joined, options);
    addPairs(root, joined);
    if (joined !== markdown) splitFormulas(root);
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
    const start = node.type === "code" ? node.position?.start.offset : undefined;
    const isMaths = source.startsWith("$$", start) || source.startsWith("\\[", start);
    if (node.type === "code" && start !== undefined && isMaths) node.lang = "latex";
  }
}

/** A part of a document, and its tree; undefined where it cannot be parsed. */
export interface Piece {
  readonly source: string;
  readonly root: MarkdownRoot | undefined;
}

/**
 * A document of any length, cut into pieces of limited cost in short steps; each is parsed when it
 * is asked for. An ordinary document of up to 16,000 UTF-16 units is one piece.
 * @param note plain text for a last piece, in italics: never parsed, so that an open fence above
 * does not swallow it.
 */
export function* cutPieces(markdown: string, note?: string): Steps<Generator<Piece>> {
  const sources = yield* sourceSteps(markdown);
  yield;
  return parsed(sources, note);
}

/** The same, cut at once. */
export const parsePieces = (markdown: string, note?: string): Generator<Piece> =>
  atOnce(cutPieces(markdown, note));

const emphasised = (text: string): MarkdownRoot => ({
  type: "root",
  children: [
    {
      type: "paragraph",
      children: [{ type: "emphasis", children: [{ type: "text", value: text }] }],
    },
  ],
});

function* parsed(sources: readonly Source[], note: string | undefined): Generator<Piece> {
  for (const { source, isCheap } of sources)
    yield { source, root: isCheap ? treeOf(source) : undefined };
  if (note !== undefined) yield { source: note, root: emphasised(note) };
}

/** With the mark of commands in our own sentences. */
const special = /[\\`*_~[<>|&#$\t\r\0\u2063]|^[-+=:]|^[^\S\n]|[^\S\n]$|^\d{1,9}[.)]|\n\n\n/m;

/**
 * Whether the parser would return the same text, so that it needn't run. Bare addresses
 * (`https://…`, `www.…`, `a@b.c`) are no exception: every platform detects them itself, unless wide
 * punctuation may follow.
 */
export const isPlain = (text: string): boolean =>
  !special.test(text) && !(text.includes("://") && widePunctuation.test(text));
