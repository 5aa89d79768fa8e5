import type { RichText } from "grammy/types";
import type { Definitions } from "../../markdown/definitions.ts";
import { flatten } from "../../markdown/flatten.ts";
import type { MarkdownNode, NodeOf } from "../../markdown/nodes.ts";
import { cleanText, isInvisible } from "./clean-text.ts";
import { isBare, linkOf } from "./link.ts";

/** The context of one document's inlines. */
export interface RichContext {
  readonly source: string;
  readonly definitions: Definitions;
}

/** The content of a paragraph; may be empty. Unknown nodes keep their text. */
export const richInlines = (nodes: readonly MarkdownNode[], context: RichContext): RichText[] =>
  nodes
    .flatMap((node) => richInline(node, context))
    .filter((text) => text !== "" && !(Array.isArray(text) && !text.length));

function richInline(node: MarkdownNode, context: RichContext): RichText {
  switch (node.type) {
    case "text":
    case "html":
      return cleanText(node.value);
    case "inlineCode":
      return mathsOf(node, context.source) ?? coded(node.value);
    case "break":
      return "\n";
    case "strong":
      return marked("bold", node.children, context);
    case "emphasis":
      return marked("italic", node.children, context);
    case "delete":
      return marked("strikethrough", node.children, context);
    case "underline":
    case "spoiler":
      return marked(node.type, node.children, context);
    case "link":
      return linked(node, node.url, context);
    case "linkReference":
      return linked(node, context.definitions.urlOf(node), context);
    case "image":
      return pictured(node.alt, node.url);
    case "imageReference":
      return pictured(node.alt, context.definitions.urlOf(node));
    default:
      return cleanText(flatten(node));
  }
}

type Mark = "bold" | "italic" | "underline" | "strikethrough" | "spoiler";

function marked(type: Mark, children: readonly MarkdownNode[], context: RichContext): RichText {
  const text = richInlines(children, context);
  return text.length === 0 ? "" : { type, text };
}

/** Cleaning may leave nothing, which Telegram refuses. */
function coded(code: string): RichText {
  const text = cleanText(code);
  return text === "" ? "" : { type: "code", text };
}

function linked(
  node: NodeOf<"link"> | NodeOf<"linkReference">,
  address: string,
  context: RichContext,
): RichText {
  const label = flatten(node);
  if (isInvisible(cleanText(label))) return pointing([cleanText(address)], address);
  const text = richInlines(node.children, context);
  return isBare(label, address) && linkOf(address) === undefined ? text : pointing(text, address);
}

/** A picture somewhere in the web is a link to it. */
const pictured = (alt: string | null | undefined, address: string): RichText =>
  pointing([alt?.trim() ? cleanText(alt) : "image"], address);

/** An address that Telegram would refuse is shown after its text. */
function pointing(text: RichText[], address: string): RichText {
  const url = linkOf(address);
  if (url !== undefined) return { type: "url", text, url };
  const behind = cleanText(address);
  const isSaid = behind === "" || text[0] === behind;
  return (isSaid ? text : [...text, ` (${behind})`]).filter((each) => each !== "");
}

/** Ends of a formula, as models write them. */
const delimiters = [
  ["$$", "$$"],
  ["$", "$"],
  ["\\(", "\\)"],
  ["\\[", "\\]"],
] as const;

/** The formula between its delimiters; undefined where it is code. */
export function formulaOf(
  node: Extract<MarkdownNode, { type: "inlineCode" | "code" }>,
  source: string,
): string | undefined {
  const start = node.position?.start.offset;
  if (start === undefined) return undefined;
  const ends = delimiters.find(([open]) => source.startsWith(open, start));
  if (ends === undefined) return undefined;
  const [open, close] = ends;
  const text = node.value.trim();
  const inner = text
    .slice(
      text.startsWith(open) ? open.length : 0,
      text.endsWith(close) ? -close.length : undefined,
    )
    .trim();
  const formula = cleanText(inner);
  return formula === "" ? undefined : formula;
}

function mathsOf(
  node: Extract<MarkdownNode, { type: "inlineCode" }>,
  source: string,
): RichText | undefined {
  const expression = formulaOf(node, source);
  return expression === undefined ? undefined : { type: "mathematical_expression", expression };
}
