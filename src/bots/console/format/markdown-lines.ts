import type { MarkdownNode, NodeOf } from "../../markdown/nodes.ts";
import { cutPieces } from "../../markdown/parse.ts";
import { spansOf, splitSpans } from "./inline.ts";
import { linesOf, type Line, type Span } from "./line.ts";
import { tableLines } from "./table.ts";

const blank: Line = { spans: [], first: "", rest: "" };

const lines = (spans: readonly Span[]): Line[] =>
  splitSpans(spans).map((each) => ({ spans: each, first: "", rest: "" }));

/** Puts `first` before the first line and `rest` before every other row. */
function nest(inner: readonly Line[], first: string, rest: string): Line[] {
  return inner.map((line, index) => ({
    spans: line.spans,
    first: (index === 0 ? first : rest) + line.first,
    rest: rest + line.rest,
  }));
}

function listLines(list: NodeOf<"list">, width: number): Line[] {
  const isLoose = list.children.some((item) => item.spread === true);
  return list.children.flatMap((item, index) => {
    const mark = list.ordered ? `${(list.start ?? 1) + index}. ` : "• ";
    const box = item.checked == null ? "" : item.checked ? "☑ " : "☐ ";
    const first = mark + box;
    const inner = blockLines(item.children, width - first.length, isLoose);
    return [
      ...(isLoose && index > 0 ? [blank] : []),
      ...nest(inner.length > 0 ? inner : [blank], first, " ".repeat(first.length)),
    ];
  });
}

function linesOfBlock(node: MarkdownNode, width: number): Line[] {
  switch (node.type) {
    case "heading":
      return lines(spansOf(node.children, node.depth === 1 ? ["bold", "link"] : ["bold"]));
    case "paragraph":
      return lines(spansOf(node.children));
    case "blockquote":
      return nest(blockLines(node.children, width - 2, true), "│ ", "│ ");
    case "list":
      return listLines(node, width);
    case "code": {
      const language = node.lang
        ? linesOf([node.lang, node.meta].filter(Boolean).join(" "), ["dim"])
        : [];
      return [...language, ...nest(linesOf(node.value, ["code"]), "  ", "  ")];
    }
    case "table":
      return tableLines(node, width);
    case "thematicBreak":
      return linesOf("─".repeat(Math.min(width, 24)), ["dim"]);
    case "definition":
      return linesOf(
        `[${node.label ?? node.identifier}]: ${node.url}${node.title ? ` "${node.title}"` : ""}`,
        ["dim"],
      );
    case "footnoteDefinition":
      return nest(
        blockLines(node.children, width - 4, true),
        `[^${node.label ?? node.identifier}]: `,
        "    ",
      );
    case "html":
      return linesOf(node.value);
    default:
      // Only a parent that we have rendered as a whole holds the others (rows, cells, words).
      return "value" in node ? linesOf(node.value) : [];
  }
}

function blockLines(nodes: readonly MarkdownNode[], width: number, isLoose: boolean): Line[] {
  return nodes.flatMap((node, index) => [
    ...(isLoose && index > 0 ? [blank] : []),
    ...linesOfBlock(node, width),
  ]);
}

/**
 * The model's Markdown (CommonMark and GFM) as styled lines for a screen of `width` columns; as it
 * was written where it is too long or nested too deeply. Each piece is parsed when it is asked for;
 * undefined after a step without lines.
 */
export function* markdownPieces(
  markdown: string,
  width: number,
): Generator<readonly Line[] | undefined> {
  const pieces = yield* cutPieces(markdown);
  let isFirst = true;
  for (const { source, root } of pieces) {
    if (!isFirst) yield [blank];
    isFirst = false;
    yield root ? pieceLines(root.children, source, width) : linesOf(source.trimEnd());
  }
}

function pieceLines(nodes: readonly MarkdownNode[], source: string, width: number): Line[] {
  try {
    return blockLines(nodes, width, true);
  } catch (error) {
    if (error instanceof RangeError) return linesOf(source);
    throw error;
  }
}
