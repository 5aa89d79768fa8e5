import type { MarkdownNode, MarkdownRoot } from "./nodes.ts";

/**
 * Every node, parents before children, in the text's order. Needs no stack, however deep the tree
 * is.
 */
export function* walk(root: MarkdownRoot | MarkdownNode): Generator<MarkdownRoot | MarkdownNode> {
  const open: (MarkdownRoot | MarkdownNode)[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    yield node;
    if ("children" in node) open.push(...node.children.toReversed());
  }
}

/** The words that a reader sees, without any formatting. */
export function flatten(root: MarkdownRoot | MarkdownNode): string {
  let text = "";
  for (const node of walk(root)) text += wordsOf(node);
  return text;
}

function wordsOf(node: MarkdownRoot | MarkdownNode): string {
  switch (node.type) {
    case "text":
    case "inlineCode":
    case "code":
    case "html":
      return node.value;
    case "image":
    case "imageReference":
      return node.alt ?? "";
    case "footnoteReference":
      return `[${node.label ?? node.identifier}]`;
    case "break":
      return " ";
    default:
      return "";
  }
}
