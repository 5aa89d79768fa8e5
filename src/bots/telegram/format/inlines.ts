import { isBlank } from "../../../text/blank.ts";
import { flatten } from "../../markdown/flatten.ts";
import type { MarkdownNode, NodeOf } from "../../markdown/nodes.ts";
import { cleanText, isInvisible } from "./clean-text.ts";
import { isBare, linkOf } from "./link.ts";
import type { RenderContext } from "./render-context.ts";

/** The content of a paragraph. Unknown nodes keep their text. */
export function writeInlines(nodes: readonly MarkdownNode[], context: RenderContext): void {
  for (const node of nodes) writeInline(node, context.deeper());
}

function writeInline(node: MarkdownNode, context: RenderContext): void {
  const { builder, definitions } = context;
  if (context.isTooDeep) return builder.write(flatten(node));
  switch (node.type) {
    case "text":
    case "html":
      return builder.write(node.value);
    case "inlineCode":
      // Telegram drops a style of nothing that can be seen.
      return isBlank(node.value) ? builder.write(node.value) : builder.code(node.value);
    case "break":
      return builder.write("\n");
    case "strong":
      return builder.marked("bold", () => writeInlines(node.children, context));
    case "emphasis":
      return builder.marked("italic", () => writeInlines(node.children, context));
    case "delete":
      return builder.marked("strikethrough", () => writeInlines(node.children, context));
    case "underline":
    case "spoiler":
      return builder.marked(node.type, () => writeInlines(node.children, context));
    case "link":
      return writeLink(node, node.url, context);
    case "linkReference":
      return writeLink(node, definitions.urlOf(node), context);
    case "image":
      return writeImage(node.alt, node.url, context);
    case "imageReference":
      return writeImage(node.alt, definitions.urlOf(node), context);
    default:
      return builder.write(flatten(node));
  }
}

function writeLink(
  node: NodeOf<"link"> | NodeOf<"linkReference">,
  url: string,
  context: RenderContext,
): void {
  const { builder } = context;
  const label = flatten(node);
  const write = (): void => writeInlines(node.children, context);
  if (isInvisible(cleanText(label))) return builder.write(url);
  if (isBare(label, url)) return builder.write(label);
  const link = linkOf(url);
  if (link !== undefined) return builder.linked(link, write);
  write();
  if (url !== "") builder.write(` (${url})`);
}

/** A picture somewhere in the web is a link to it. */
function writeImage(alt: string | null | undefined, url: string, { builder }: RenderContext): void {
  const label = alt?.trim() ? alt : "image";
  const link = linkOf(url);
  if (link !== undefined) builder.linked(link, () => builder.write(label));
  else builder.write(url === "" ? label : `${label} (${url})`);
}
