import { walk } from "./flatten.ts";
import type { MarkdownNode, MarkdownRoot } from "./nodes.ts";

/** The end of a line within a formula: a code point that no text has. */
export const lineEnd = "\ufdd0";
/** UTF-16 units of the longest formula whose lines are joined. */
export const maxUnits = 2_000;

/** Fenced code, code, an escape, and what opens a formula. */
const token =
  /^[ \t>]*(?:(?:[-+*]|\d+[.)])[ \t]+)*(`{3,}|~{3,})[^]*?(?:^[ \t>]*\1|(?![^]))|(`+)|\\begin\{([a-z]+\*?)\}|\\[([]|\\[^]|\$\$?/gim;

/**
 * Formulas over several lines as if they were on one, at the same places: else a line of them that
 * begins with `+` would be a list, and backslashes would be taken for escapes.
 */
export function joinFormulas(markdown: string): string {
  if (!/\\[[(]|\\begin\{|\$/.test(markdown) || markdown.includes(lineEnd)) return markdown;
  let joined = "";
  let from = 0;
  /** Of each opening mark: up to where no end of one was found. */
  const searched = new Map<string, number>();
  token.lastIndex = 0;
  for (let match = token.exec(markdown); match; match = token.exec(markdown)) {
    const rest = markdown.slice(match.index, match.index + maxUnits);
    const skipped = (searched.get(match[0]) ?? 0) - match.index;
    const isBlock = beginsBlock(markdown, match.index, rest);
    const closed = match[1] !== undefined || isBlock ? 0 : unitsOf(rest, match, skipped);
    if (closed === -1) searched.set(match[0], match.index + rest.length);
    const mayBeOpen = closed <= 0 && match[1] === undefined && !isBlock;
    const units = isBlock ? blockUnits(rest) : mayBeOpen ? openUnits(rest) : closed;
    if (units <= 0) continue;
    const end = match.index + units;
    const formula = markdown.slice(match.index, end);
    const isVerbatim = match[2] !== undefined || isBlock;
    joined += markdown.slice(from, match.index);
    joined += isVerbatim
      ? formula
      : formula.replaceAll(/\r?\n/g, (it) => lineEnd.repeat(it.length));
    from = end;
    token.lastIndex = end;
  }
  return joined + markdown.slice(from);
}

/**
 * Of code or a formula at the beginning of a text; 0: there is none, -1: no end of one is in the
 * text.
 * @param skipped units in which no end is
 */
function unitsOf(
  text: string,
  [opening, , ticks, environment]: RegExpExecArray,
  skipped: number,
): number {
  const endOf = (end: RegExp): number => {
    const from = Math.max(opening.length, skipped);
    const found = end.exec(text.slice(from));
    return found ? from + found.index + found[0].length : -1;
  };
  if (ticks !== undefined) return endOf(new RegExp(`(?<!\`)${ticks}(?!\`)`));
  if (environment !== undefined) return environmentUnits(text, environment);
  if (opening === "\\(") {
    const units = endOf(/\\\)/);
    return isLatex.test(text.slice(0, units)) ? ownUnits(text, units) : withoutGap(text, units);
  }
  if (opening === "\\[") return ownUnits(text, endOf(/\\\](?!\()/));
  if (opening === "$$") return endOf(/\$\$/);
  if (opening !== "$" || /^\$\s/.test(text)) return 0;
  const units = withoutGap(text, endOf(/(?<![\s\\])\$(?![\p{L}\p{N}$])/u));
  return units > 0 && !/\\[a-z]|[\^_=]/i.test(text.slice(0, units)) ? 0 : units;
}

/** The end behind another opening mark or in fenced code is none of this formula. */
const ownUnits = (text: string, units: number): number => {
  const inner = text.slice(2, units);
  const opensAgain = text[1] === "(" ? /(?<!\\)(?:\\\\)*\\\(/ : /(?<!\\)(?:\\\\)*\\\[/;
  return units > 0 && (opensAgain.test(inner) || fence.test(inner)) ? 0 : units;
};

/** Whether `$$` or `\[` is alone on its line: the lines after it are a block. */
const beginsBlock = (markdown: string, at: number, rest: string): boolean =>
  /^(?:\$\$|\\\[)[ \t]*\r?\n/.test(rest) &&
  /^[ \t>]*(?:(?:[-+*]|\d+[.)])[ \t]+)*$/.test(
    markdown.slice(Math.max(markdown.lastIndexOf("\n", at) + 1, at - 40), at),
  );

/** 0: the block has no end. */
function blockUnits(text: string): number {
  const end = text.startsWith("$") ? /\$\$[.,;]?[ \t]*$/m : /\\\][.,;]?[ \t]*$/m;
  const found = end.exec(text.slice(2));
  return found ? 2 + found.index + found[0].length : 0;
}

/** Commands, braces, the end of a row, an exponent, an index. */
const isLatex = /\\[a-z]{2}|\\[{}]|\\\\(?=[\s\ufdd0]|$)|\^|(?<![a-z])[a-z]_[\w{]/i;
const opener = /^(?:\$\$|\\[([]|\\begin\{([a-z]+\*?)\})/i;
const fence = /\n[ \t>]*(?:`{3}|~{3})/;
/** An empty line, a heading, fenced code. */
const paragraphEnd = /\r?\n[ \t>]*(?:\r?\n|#{1,6} |`{3}|~{3}|$)/;

/**
 * Of a formula that has no end in its paragraph, since it is still being written or never was: up to the
 * paragraph's end. 0: it doesn't look like a formula, or its end may be too far away.
 */
export function openUnits(text: string): number {
  const [opening, environment] = opener.exec(text) ?? [];
  if (opening === undefined) return 0;
  const end = paragraphEnd.exec(text)?.index ?? (text.length < maxUnits ? text.length : 0);
  const paragraph = text.slice(opening.length, end);
  if (environment !== undefined) return environmentUnits(text, environment) > 0 ? 0 : end;
  const close = opening === "$$" ? "$$" : opening === "\\(" ? "\\)" : "\\]";
  return paragraph.includes(close) || !isLatex.test(paragraph) ? 0 : end;
}

/** An empty line ends a paragraph, and a formula within it. */
const withoutGap = (text: string, units: number): number =>
  units > 0 && /\n[ \t>]*\r?\n/.test(text.slice(0, units)) ? 0 : units;

/** From `\begin{…}` to its own `\end{…}`; 0: there is none. */
export function environmentUnits(text: string, environment: string): number {
  if (!text.includes(`\\end{${environment}}`)) return 0;
  let depth = 0;
  const name = environment.replaceAll("*", String.raw`\*`);
  for (const { 0: mark, index } of text.matchAll(
    new RegExp(String.raw`\\(?:begin|end)\{${name}\}`, "g"),
  )) {
    depth += mark.startsWith(String.raw`\begin`) ? 1 : -1;
    if (depth === 0) return index + mark.length;
  }
  return 0;
}

const put = (node: MarkdownRoot | MarkdownNode, end: RegExp): void => {
  if ("value" in node) node.value = node.value.replaceAll(end, "\n");
};

/** Puts the lines' ends back; a quote's marks are none of its formula. */
export function splitFormulas(root: MarkdownRoot): void {
  for (const quote of walk(root))
    if (quote.type === "blockquote")
      for (const node of walk(quote)) put(node, /\ufdd0+(?:[ \t]*>)*/g);
  for (const node of walk(root)) put(node, /\ufdd0+/g);
}
