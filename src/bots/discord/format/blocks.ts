import { Definitions } from "../../markdown/definitions.ts";
import { flatten, walk } from "../../markdown/flatten.ts";
import type { MarkdownNode, MarkdownRoot, NodeOf } from "../../markdown/nodes.ts";
import { narrowTable, recordsOf } from "../../markdown/table.ts";
import { bold, writeInlines, type Place } from "./inlines.ts";

/** Discord looks for a link's end in code as well. */
const hasLinkEnd = (node: MarkdownRoot | MarkdownNode): boolean =>
  (node.type === "code" || node.type === "inlineCode") && node.value.includes("](");

/** A document's blocks, in Discord's dialect. */
export function writeDocument(root: MarkdownRoot, place: Pick<Place, "writer">): void {
  const definitions = new Definitions(root);
  if ([...walk(root)].some(hasLinkEnd)) place.writer.protectBrackets();
  writeBlocks(root.children, { ...place, definitions, depth: 0 }, 2);
}

/**
 * Paragraphs, lists, quotes and so on, `gap` lines apart, from here on; a heading keeps its own
 * distance.
 */
function writeBlocks(nodes: readonly MarkdownNode[], place: Place, gap: number): void {
  for (const [index, node] of nodes.entries()) {
    const isBelowHeading = nodes[index - 1]?.type === "heading";
    if (index > 0) place.writer.breakLines(isBelowHeading ? 1 : gap);
    writeBlock(node, { ...place, depth: place.depth + 1 });
  }
}

/** Deeper nodes keep only their words: a stack is finite. */
const maxDepth = 60;

function writeBlock(node: MarkdownNode, place: Place): void {
  const { writer } = place;
  if (place.depth > maxDepth) return writer.write(flatten(node));
  switch (node.type) {
    case "paragraph":
      return writeInlines(node.children, place);
    case "heading":
      return writeHeading(node, place);
    case "code":
      return writeCode(node, place);
    case "blockquote":
      return writer.quoted(() => writeBlocks(node.children, place, 2));
    case "list":
      return writeList(node, place);
    case "table":
      return writeTable(node, place);
    case "thematicBreak":
      return writer.raw("---");
    case "html":
      return writer.write(node.value);
    case "definition":
      return writeDefinition(node, place);
    case "footnoteDefinition":
      writer.raw(`[${node.label ?? node.identifier}] `);
      return writeItem(node.children, false, place);
    default:
      return writer.write(flatten(node));
  }
}

/** Discord has three levels. */
function writeHeading({ depth, children }: NodeOf<"heading">, place: Place): void {
  if (children.length === 0) return;
  const { writer } = place;
  const write = (): void => writeInlines(children, place);
  if (depth <= 3) writer.heading(`${"#".repeat(depth)} `, write);
  else writer.oneLine(() => writer.marked(bold, write));
}

/**
 * An empty block's first line is part of the text: no one closes a fence before
 * opening it.
 */
function writeCode({ lang, meta, value }: NodeOf<"code">, { writer }: Place): void {
  if (value.trim() === "")
    return writer.write([lang, meta].filter((word) => word != null).join(" "));
  const isName = /^[a-z0-9_+\-.#]{1,32}$/i.test(lang ?? "");
  writer.block(isName ? (lang ?? "") : "", value);
}

function writeList(node: NodeOf<"list">, place: Place): void {
  const gap = node.spread === true ? 2 : 1;
  for (const [index, item] of node.children.entries()) {
    place.writer.breakLines(gap);
    const bullet = node.ordered === true ? `${(node.start ?? 1) + index}. ` : "- ";
    const task = typeof item.checked === "boolean" ? (item.checked ? "☑ " : "☐ ") : "";
    place.writer.indented(bullet + task, " ".repeat(bullet.length), () =>
      writeItem(item.children, item.spread === true, place),
    );
  }
}

/**
 * After a bullet or a footnote's number; blocks that need their own line start
 * on the next one.
 */
function writeItem(children: readonly MarkdownNode[], isLoose: boolean, place: Place): void {
  const [first, ...rest] = children;
  if (first === undefined) return;
  if (first.type === "paragraph") writeInlines(first.children, place);
  else if (first.type === "heading")
    place.writer.oneLine(() =>
      place.writer.marked(bold, () => writeInlines(first.children, place)),
    );
  else {
    place.writer.breakLines(1);
    writeBlocks([first], place, 1);
  }
  if (rest.length > 0) place.writer.breakLines(isLoose ? 2 : 1);
  writeBlocks(rest, place, isLoose ? 2 : 1);
}

function writeTable(node: NodeOf<"table">, place: Place): void {
  const { writer } = place;
  const text = narrowTable(node);
  if (text !== undefined) return writer.block("", text);
  for (const record of recordsOf(node)) {
    writer.breakLines(2);
    for (const { name, cell } of record) {
      writer.breakLines(1);
      writer.oneLine(() => {
        if (name !== "") writer.marked(bold, () => writer.write(`${name}:`));
        if (name !== "") writer.raw(" ");
        writeInlines(cell.children, place);
      });
    }
  }
}

/**
 * An address that the text refers to is shown there; one that nothing refers to is a list of
 * sources.
 */
function writeDefinition(node: NodeOf<"definition">, { writer, definitions }: Place): void {
  if (definitions.isUsed(node)) return;
  writer.write(`[${node.label ?? node.identifier}]: ${node.url}`);
}
