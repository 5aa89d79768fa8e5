import type { Definitions } from "../../markdown/definitions.ts";
import { flatten } from "../../markdown/flatten.ts";
import { parseMarkdown } from "../../markdown/parse.ts";
import type {
  MarkdownNode,
  MarkdownRoot,
  NodeOf,
} from "../../markdown/parse.ts";
import { escaped } from "./escape.ts";

/** `text` takes the place of the source from `start` to `end`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a node is in the source; undefined for the few that the parser makes up. */
export function spanOf(node: MarkdownRoot | MarkdownNode): Span | undefined {
  const start = node.position?.start.offset;
  const end = node.position?.end.offset;
  return start === undefined || end === undefined ? undefined : { start, end };
}

/** What Discord's dialect writes differently about this one node, its children left alone. */
export function editsOf(
  node: MarkdownRoot | MarkdownNode,
  source: string,
  definitions: Definitions,
): readonly Edit[] {
  const span = spanOf(node);
  if (!span) return [];
  switch (node.type) {
    case "heading":
      return headingEdits(node, source, span);
    case "strong":
      return strongEdits(source, span);
    case "inlineCode":
      return [{ ...span, text: inlineCode(node.value) }];
    case "break":
      return [{ ...span, text: "\n" }];
    case "text":
      return textEdits(node, source, span);
    case "thematicBreak":
      return [{ ...span, text: "---" }];
    case "image":
      return [{ start: span.start, end: span.start + 1, text: "" }];
    case "imageReference":
      return [{ ...span, text: link(node.alt ?? "", definitions.urlOf(node)) }];
    case "linkReference":
      return referenceEdits(node, span, definitions.urlOf(node));
    case "definition":
      return definitions.isUsed(node) ? [{ ...span, text: "" }] : [];
    default:
      return [];
  }
}

/** Discord has three levels, and none that is underlined. Emphasis within bold would end it, so that stays a heading. */
function headingEdits(
  { depth, children }: NodeOf<"heading">,
  source: string,
  span: Span,
): readonly Edit[] {
  const first = children[0] && spanOf(children[0]);
  const last = children.at(-1);
  const end = last && spanOf(last)?.end;
  if (!first || end === undefined) return [{ ...span, text: "" }];
  const isBold = depth > 3 && !/[*_`\n]/.test(source.slice(first.start, end));
  const [before, after] = isBold
    ? ["**", "**"]
    : [`${"#".repeat(Math.min(depth, 3))} `, ""];
  return [
    { start: span.start, end: first.start, text: before },
    { start: end, end: span.end, text: after },
  ];
}

/** To Discord `__` underlines. */
function strongEdits(source: string, { start, end }: Span): readonly Edit[] {
  return source.startsWith("__", start)
    ? [
        { start, end: start + 2, text: "**" },
        { start: end - 2, end, text: "**" },
      ]
    : [];
}

/** `&amp;` and its kind mean nothing to Discord. */
function textEdits(
  { value }: NodeOf<"text">,
  source: string,
  { start, end }: Span,
): readonly Edit[] {
  const text = source.slice(start, end);
  return [...text.matchAll(/&#?\w+;/g)].flatMap((match) => {
    const at = start + match.index;
    // Addresses keep their `&…;` as it is, and so does one behind a backslash.
    const meant = value.includes(match[0]) ? undefined : decoded(match[0]);
    return meant === undefined
      ? []
      : [
          {
            start: at,
            end: at + match[0].length,
            text: escaped(`${meant} `).slice(0, -1),
          },
        ];
  });
}

function decoded(reference: string): string | undefined {
  const root = parseMarkdown(reference);
  const text = root && flatten(root);
  return text === reference ? undefined : text;
}

/** Never three backticks, which would open a block. */
function inlineCode(value: string): string {
  if (!value.includes("`")) return `\`${value}\``;
  const apart = value.replaceAll(/`(?=`)/g, "`\u200B");
  const padded =
    apart.startsWith("`") || apart.endsWith("`") ? ` ${apart} ` : apart;
  return `\`\`${padded}\`\``;
}

function referenceEdits(
  { children }: NodeOf<"linkReference">,
  span: Span,
  url: string,
): readonly Edit[] {
  const last = children.at(-1);
  const end = last && spanOf(last)?.end;
  return end === undefined
    ? []
    : [{ start: end, end: span.end, text: link("", url).slice(1) }];
}

const link = (text: string, url: string): string =>
  `[${text === "" ? "" : escaped(text)}](${/[\s()<>]/.test(url) ? encodeURI(url).replaceAll("(", "%28").replaceAll(")", "%29") : url})`;
