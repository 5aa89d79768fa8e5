import type { InputRichBlockListItem } from "grammy/types";
import { Definitions } from "../../markdown/definitions.ts";
import { flatten } from "../../markdown/flatten.ts";
import type { MarkdownNode, NodeOf } from "../../markdown/nodes.ts";
import { isPlain, parseMarkdown } from "../../markdown/parse.ts";
import { cleanText, isInvisible } from "./clean-text.ts";
import { formulaOf, richInlines, type RichContext } from "./rich-inlines.ts";
import { fitsRich, type Block } from "./rich-limits.ts";

/**
 * The model's Markdown as Telegram's rich blocks; undefined where they would gain nothing, or
 * Telegram would not take them. Built from our own tree: Telegram's Markdown also knows buttons,
 * mentions and pictures by address, none of which may come from a model. Pure.
 */
export function richBlocksOf(markdown: string, note?: string): readonly Block[] | undefined {
  const source = markdown.toWellFormed();
  if (isPlain(source.trimEnd())) return undefined;
  const root = parseMarkdown(source);
  if (root === undefined) return undefined;
  const context = { source, definitions: new Definitions(root) };
  const below: readonly Block[] =
    note === undefined ? [] : [{ type: "paragraph", text: { type: "italic", text: note } }];
  const blocks = [...richBlocks(root.children, context), ...below];
  const isVisible = !isInvisible(cleanText(flatten(root)));
  return isVisible && fitsRich(blocks) ? blocks : undefined;
}

const richBlocks = (nodes: readonly MarkdownNode[], context: RichContext): Block[] =>
  nodes.flatMap((node) => richBlock(node, context));

function richBlock(node: MarkdownNode, context: RichContext): Block[] {
  switch (node.type) {
    case "paragraph":
      return paragraph(node.children, context);
    case "heading": {
      const text = richInlines(node.children, context);
      return text.length === 0 ? [] : [{ type: "heading", text, size: node.depth }];
    }
    case "code":
      return codeBlock(node, context);
    case "blockquote": {
      const blocks = richBlocks(node.children, context);
      return blocks.length === 0 ? [] : [{ type: "blockquote", blocks }];
    }
    case "list":
      return list(node, context);
    case "table":
      return [table(node, context)];
    case "thematicBreak":
      return [{ type: "divider" }];
    case "definition":
      return context.definitions.isUsed(node)
        ? []
        : words(`[${node.label ?? node.identifier}]: ${node.url}`);
    case "footnoteDefinition":
      return [
        ...words(`[${node.label ?? node.identifier}]`),
        ...richBlocks(node.children, context),
      ];
    default:
      return words(flatten(node));
  }
}

function paragraph(children: readonly MarkdownNode[], context: RichContext): Block[] {
  const text = richInlines(children, context);
  return text.length === 0 ? [] : [{ type: "paragraph", text }];
}

const words = (text: string): Block[] =>
  isInvisible(cleanText(text)) ? [] : [{ type: "paragraph", text: cleanText(text) }];

function codeBlock(node: NodeOf<"code">, context: RichContext): Block[] {
  const expression = node.lang === "latex" ? formulaOf(node, context.source) : undefined;
  if (expression !== undefined) return [{ type: "mathematical_expression", expression }];
  const text = cleanText(node.value.replaceAll("\t", "    "));
  if (text === "") return [];
  const language = /^[\w+#.-]{1,32}$/.exec(node.lang ?? "")?.[0];
  return [{ type: "pre", text, ...(language === undefined ? {} : { language }) }];
}

/** Telegram drops an empty item: it shows a dash. */
function list(node: NodeOf<"list">, context: RichContext): Block[] {
  const items = node.children.map((item, index): InputRichBlockListItem => {
    const blocks = richBlocks(item.children, context);
    return {
      blocks: blocks.length > 0 ? blocks : [{ type: "paragraph", text: "–" }],
      ...(typeof item.checked === "boolean" ? { has_checkbox: true } : {}),
      ...(item.checked === true ? { is_checked: true } : {}),
      ...(node.ordered === true ? { value: (node.start ?? 1) + index, type: "1" } : {}),
    };
  });
  return [{ type: "list", items }];
}

function table(node: NodeOf<"table">, context: RichContext): Block {
  const cells = node.children.map((row, at) =>
    row.children.map((cell, column) => {
      const text = richInlines(cell.children, context);
      return {
        text: text.length === 0 ? "\u00a0" : text,
        ...(at === 0 ? { is_header: true as const } : {}),
        align: node.align?.[column] ?? ("left" as const),
        valign: "middle" as const,
      };
    }),
  );
  return { type: "table", cells, is_bordered: true };
}
