import { Definitions } from "../../markdown/definitions.ts";
import type {
  MarkdownNode,
  MarkdownRoot,
  NodeOf,
} from "../../markdown/parse.ts";
import { alignTable } from "../../markdown/table.ts";
import { editsOf, spanOf } from "./edits.ts";
import type { Edit, Span } from "./edits.ts";
import { escaped } from "./escape.ts";
import type { Block } from "./pack.ts";

interface Hoisted extends Span {
  readonly blocks: readonly Block[];
}

/**
 * The source with Discord's dialect written into it, cut where code and tables stand: they become blocks of their own,
 * even out of lists and quotes, where Discord would not know them.
 */
export function blocksOf(source: string, root: MarkdownRoot): Block[] {
  const definitions = new Definitions(root);
  const edits: Edit[] = [];
  const hoisted: Hoisted[] = [];
  const open: (MarkdownRoot | MarkdownNode)[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const own = hoist(node);
    if (own) {
      hoisted.push(own);
      continue;
    }
    edits.push(...editsOf(node, source, definitions));
    if ("children" in node) open.push(...node.children.toReversed());
  }
  edits.sort((one, other) => one.start - other.start || one.end - other.end);
  const pieces = new Pieces(source, edits);
  const blocks: Block[] = [];
  for (const each of hoisted) {
    blocks.push(pieces.textUpTo(each.start), ...each.blocks);
    pieces.skipTo(each.end);
  }
  blocks.push(pieces.textUpTo(source.length));
  return blocks;
}

function hoist(node: MarkdownRoot | MarkdownNode): Hoisted | undefined {
  const span = spanOf(node);
  if (!span) return undefined;
  if (node.type === "code") return { ...span, blocks: codeBlocks(node) };
  if (node.type !== "table") return undefined;
  const text = alignTable(node);
  return { ...span, blocks: [{ type: "code", language: "", text }] };
}

/** An empty block's first line is words of the text: nobody closes a fence before opening it. */
function codeBlocks({ lang, meta, value }: NodeOf<"code">): readonly Block[] {
  if (value.trim() === "") {
    const words = [lang, meta].filter((word) => word != null).join(" ");
    return [{ type: "text", text: escaped(words) }];
  }
  const language = /^[a-z0-9_+\-.#]{1,32}$/i.test(lang ?? "")
    ? (lang ?? "")
    : "";
  return [{ type: "code", language, text: value }];
}

/** Reads the source once, from its beginning to its end, with the edits made. */
class Pieces {
  readonly #source: string;
  readonly #edits: readonly Edit[];
  #at = 0;
  #next = 0;

  constructor(source: string, edits: readonly Edit[]) {
    this.#source = source;
    this.#edits = edits;
  }

  textUpTo(end: number): Block {
    let text = "";
    for (
      let edit = this.#edits[this.#next];
      edit !== undefined && edit.end <= end;
      edit = this.#edits[++this.#next]
    ) {
      if (edit.start < this.#at) continue;
      text += this.#source.slice(this.#at, edit.start) + edit.text;
      this.#at = edit.end;
    }
    text += this.#source.slice(this.#at, end);
    this.#at = end;
    return { type: "text", text: withoutMeaning(withoutEmptyQuote(text)) };
  }

  skipTo(end: number): void {
    this.#at = Math.max(this.#at, end);
  }
}

/** What is left of a quote, or of an item's indentation, next to the block that was taken out of it. */
function withoutEmptyQuote(text: string): string {
  const isEmpty = (at: number) => /[>\s]/.test(text[at] ?? "x");
  let end = text.length;
  while (isEmpty(end - 1)) end -= 1;
  if (end === 0) return "";
  const lastLine = text.indexOf("\n", end);
  let start = 0;
  while (isEmpty(start)) start += 1;
  const firstLine = text.lastIndexOf("\n", start - 1) + 1;
  return text.slice(
    start === 0 ? 0 : firstLine,
    lastLine === -1 ? text.length : lastLine,
  );
}

/**
 * Marks of Discord's own that Markdown does not know. Every fence that opens a block has been taken out, so three backticks
 * are three backticks; `-#` at a line's beginning would make it small.
 */
const withoutMeaning = (text: string): string =>
  text
    .replaceAll(/`{3,}/g, (run) => "\\`".repeat(run.length))
    .replaceAll(/^([ \t]*)-#/gm, String.raw`$1\-#`);
