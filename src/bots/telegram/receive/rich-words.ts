import { codeLanguage, linkTo, longestRun, saysAddress } from "./markdown-marks.ts";

/**
 * Where the text of a rich message is, however deep. https://core.telegram.org/bots/api#richblock
 */
const said: ReadonlySet<string> = new Set([
  "text",
  "expression",
  "alternative_text",
  "blocks",
  "items",
  "cells",
  "summary",
  "caption",
  "credit",
  "button",
  "buttons",
]);
/** Blocks that look like a part of a line. */
const blockTypes: ReadonlySet<unknown> = new Set([
  "paragraph",
  "pre",
  "footer",
  "blockquote",
  "expandable_blockquote",
  "pullquote",
  "thinking",
]);
/** Far deeper than Telegram allows. */
const maxLevels = 64;

/**
 * The text of a rich message, block by block; empty if it has none. Pure, for
 * any input.
 */
export function richWords(message: unknown): string {
  if (!isRecord(message) || !Array.isArray(message["blocks"])) return "";
  return message["blocks"]
    .map((block) => wordsIn(block, 0))
    .filter((words) => words !== "")
    .join("\n");
}

function wordsIn(value: unknown, level: number): string {
  if (level > maxLevels) return "";
  if (typeof value === "string") return value;
  if (Array.isArray(value)) {
    const parts = value.map((each) => wordsIn(each, level + 1));
    return parts
      .filter((part) => part !== "")
      .join(value.every((each) => isInline(each, level + 1)) ? "" : "\n");
  }
  if (!isRecord(value)) return "";
  const words = Object.entries(value)
    .filter(([key]) => said.has(key))
    .map(([, inner]) => wordsIn(inner, level + 1))
    .filter((part) => part !== "")
    .join("\n");
  return words === "" ? "" : marked(value, words);
}

/** With what people see of its kind, as in a message's own text: addresses, struck words, code, ticks. */
function marked(value: Readonly<Record<string, unknown>>, words: string): string {
  const { type, url, language, label } = value;
  if (typeof url === "string" && url !== "")
    return saysAddress(words, url) ? words : linkTo(words, url);
  if (typeof label === "string" || value["has_checkbox"] === true) {
    const tick = value["is_checked"] === true ? "[x] " : "[ ] ";
    const bullet = typeof label === "string" && label !== "" ? `${label} ` : "";
    return `${bullet}${value["has_checkbox"] === true ? tick : ""}${words}`;
  }
  switch (type) {
    case "strikethrough":
      return `~~${words}~~`;
    case "spoiler":
      return `||${words}||`;
    case "pre": {
      const fence = "`".repeat(Math.max(3, longestRun(words) + 1));
      return `${fence}${typeof language === "string" ? codeLanguage(language) : ""}\n${words}\n${fence}`;
    }
    case "blockquote":
    case "expandable_blockquote":
      return words.replaceAll(/^/gm, "> ");
    default:
      return words;
  }
}

/** A part of a line: what has a text or a formula, and is no block, item or cell. */
function isInline(value: unknown, level: number): boolean {
  if (level > maxLevels || typeof value === "string") return true;
  if (Array.isArray(value)) return value.every((each) => isInline(each, level + 1));
  return (
    isRecord(value) &&
    !["blocks", "items", "cells", "align", "size"].some((key) => key in value) &&
    !blockTypes.has(value["type"])
  );
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
