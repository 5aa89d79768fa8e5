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
  return Object.entries(value)
    .filter(([key]) => said.has(key))
    .map(([, inner]) => wordsIn(inner, level + 1))
    .filter((words) => words !== "")
    .join("\n");
}

/** A part of a line: what has a text or a formula, and is no block, item or cell. */
function isInline(value: unknown, level: number): boolean {
  if (level > maxLevels || typeof value === "string") return true;
  if (Array.isArray(value)) return value.every((each) => isInline(each, level + 1));
  return (
    isRecord(value) &&
    !["blocks", "items", "cells", "align", "size"].some((key) => key in value) &&
    value["type"] !== "paragraph" &&
    value["type"] !== "pre"
  );
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
