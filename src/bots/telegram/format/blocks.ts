import { flatten, walk } from "../../markdown/flatten.ts";
import type { MarkdownNode, NodeOf } from "../../markdown/nodes.ts";
import { narrowTable, recordsOf } from "../../markdown/table.ts";
import { writeInlines } from "./inlines.ts";
import { isBare, linkOf } from "./link.ts";
import type { RenderContext } from "./render-context.ts";

/**
 * Paragraphs, lists, quotes and so on, `gap` lines apart, from here on. Unknown nodes keep their
 * words.
 */
export function writeBlocks(
  nodes: readonly MarkdownNode[],
  context: RenderContext,
  gap: number,
): void {
  for (const [index, node] of nodes.entries()) {
    if (index > 0) context.builder.breakLines(gap);
    writeBlock(node, context.deeper());
  }
}

function writeBlock(node: MarkdownNode, context: RenderContext): void {
  const { builder } = context;
  if (context.isTooDeep) return builder.write(flatten(node));
  switch (node.type) {
    case "paragraph":
      return writeInlines(node.children, context);
    case "heading":
      return builder.marked("bold", () => writeInlines(node.children, context));
    case "code":
      return builder.pre(node.value, languageOf(node));
    case "blockquote":
      return writeQuote(node, context);
    case "list":
      return writeList(node, context);
    case "table":
      return writeTable(node, context);
    case "thematicBreak":
      return builder.write("———");
    case "html":
      return builder.write(node.value);
    case "definition":
      return writeDefinition(node, context);
    case "footnoteDefinition":
      builder.write(`[${node.label ?? node.identifier}] `);
      return writeItem(node.children, false, context);
    default:
      return builder.write(flatten(node));
  }
}

/** The first word of a fence's info string, as far as it can be a language's name. */
const languageOf = ({ lang }: NodeOf<"code">): string | undefined =>
  /^[\w+#.-]{1,32}$/.exec(lang ?? "")?.[0];

/** Telegram's quotes don't nest: an inner one shows its mark. */
function writeQuote(node: NodeOf<"blockquote">, context: RenderContext): void {
  const { builder } = context;
  const write = (): void => writeBlocks(node.children, context, 2);
  if (builder.inQuote) builder.prefixed("> ", write);
  else builder.quoted(write);
}

function writeList(node: NodeOf<"list">, context: RenderContext): void {
  const { builder } = context;
  const gap = node.spread === true ? 2 : 1;
  for (const [index, item] of node.children.entries()) {
    builder.breakLines(gap);
    builder.write(`${bulletOf(node, index)} `);
    builder.prefixed("  ", () => writeItem(item.children, item.spread === true, context));
  }
}

function bulletOf(list: NodeOf<"list">, index: number): string {
  const checked = list.children[index]?.checked;
  if (typeof checked === "boolean") return checked ? "☑" : "☐";
  return list.ordered === true ? `${(list.start ?? 1) + index}.` : "•";
}

/**
 * After a bullet or a footnote's number; blocks that need their own line start
 * on the next one.
 */
function writeItem(
  children: readonly MarkdownNode[],
  isLoose: boolean,
  context: RenderContext,
): void {
  const [first, ...rest] = children;
  if (first === undefined) return;
  const isText = first.type === "paragraph" || first.type === "heading";
  if (!isText) context.builder.breakLines(1);
  writeBlocks([first], context, 1);
  if (rest.length > 0) context.builder.breakLines(isLoose ? 2 : 1);
  writeBlocks(rest, context, isLoose ? 2 : 1);
}

function writeTable(node: NodeOf<"table">, context: RenderContext): void {
  const text = narrowTable(node);
  if (text === undefined) return writeRecords(node, context);
  context.builder.pre(text, undefined);
  writeLinksOf(node, context);
}

function writeRecords(node: NodeOf<"table">, context: RenderContext): void {
  const { builder } = context;
  for (const record of recordsOf(node)) {
    builder.breakLines(2);
    for (const { name, cell } of record) {
      builder.breakLines(1);
      if (name !== "") builder.marked("bold", () => builder.write(`${name}:`));
      if (name !== "") builder.write(" ");
      writeInlines(cell.children, context);
    }
  }
}

/** Monospaced text can't hold links: those of the cells follow below. */
function writeLinksOf(node: NodeOf<"table">, context: RenderContext): void {
  const { builder, definitions } = context;
  for (const inner of walk(node)) {
    const url =
      inner.type === "link" || inner.type === "image"
        ? inner.url
        : inner.type === "linkReference" || inner.type === "imageReference"
          ? definitions.urlOf(inner)
          : "";
    const label = flatten(inner).trim() || "image";
    if (url === "" || isBare(label, url)) continue;
    builder.breakLines(1);
    const link = linkOf(url);
    if (link === undefined) builder.write(`${label} (${url})`);
    else builder.linked(link, () => builder.write(label));
  }
}

/**
 * An address that the text refers to is shown there; one that nothing refers to is a list of
 * sources.
 */
function writeDefinition(
  node: NodeOf<"definition">,
  { builder, definitions }: RenderContext,
): void {
  if (definitions.isUsed(node)) return;
  builder.write(`[${node.label ?? node.identifier}]: ${node.url}`);
}
