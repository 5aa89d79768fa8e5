import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

export type MarkdownRoot = ReturnType<typeof fromMarkdown>;
export type MarkdownNode = MarkdownRoot["children"][number];
export type NodeOf<Type extends MarkdownNode["type"]> = Extract<
  MarkdownNode,
  { type: Type }
>;

/** UTF-16 units. The parser needs time that grows with the square of hostile input: about 0.5 s for this many of `~~a`. */
const maxParsedUnits = 32_000;

/** Lists and quotes within each other; 5,000 of them on one line cost the parser seconds. */
const tooDeep = /^(?:[ \t]*(?:[-+*>]|\d{1,9}[.)])){40}/m;

// One tilde is "about" far more often than it is a deletion.
const options = {
  extensions: [gfm({ singleTilde: false })],
  mdastExtensions: [gfmFromMarkdown()],
};

/** CommonMark and GFM as a tree; undefined for a text that is too long, or too deep, to be parsed. */
export function parseMarkdown(markdown: string): MarkdownRoot | undefined {
  if (markdown.length > maxParsedUnits || tooDeep.test(markdown)) {
    return undefined;
  }
  try {
    return fromMarkdown(markdown, options);
  } catch {
    return undefined;
  }
}

const special =
  /[\\`*_~[<>|&#\t\r\0]|^[-+=]|^[^\S\n]|[^\S\n]$|^\d{1,9}[.)]|\n\n\n/m;

/**
 * Whether the parser would give back the same text, so that it need not be asked. Bare addresses (`https://…`, `www.…`,
 * `a@b.c`) are no exception: every platform finds them by itself.
 */
export const isPlain = (text: string): boolean => !special.test(text);
