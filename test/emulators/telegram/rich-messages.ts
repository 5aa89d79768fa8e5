import type { Message } from "@grammyjs/types";
import { badRequest } from "./api-error.ts";
import { isInvisible } from "./clean-text.ts";
import { linkProblem } from "./links.ts";
import { isRecord, jsonField } from "./parameters.ts";

/** https://core.telegram.org/bots/api#inputrichmessage */
const maxUnits = 32_768;
const maxBlocks = 500;
const maxLevels = 16;
const maxColumns = 20;

/** A rich message as people see it: its blocks, and their words. */
interface RichContent {
  readonly blocks: readonly unknown[];
  readonly text: string;
}

/**
 * The fields of such a message. What is sent is in the shape in which it is received, but for a
 * list's labels.
 */
export const richFields = ({ blocks }: RichContent): Partial<Message> =>
  ({ rich_message: { blocks } }) as unknown as Partial<Message>;

interface Counts {
  units: number;
  blocks: number;
}

const refuse = (what: string): never => {
  throw badRequest(`can't parse rich message: ${what}`);
};

/**
 * Reads and checks `rich_message`; undefined: there is none. Throws what a server answers for the
 * first broken rule.
 */
export function readRichMessage(
  payload: Readonly<Record<string, unknown>>,
): RichContent | undefined {
  const given = jsonField(payload, "rich_message", "rich message");
  if (given === undefined) return undefined;
  if (!isRecord(given)) return refuse("object expected");
  const sources = ["blocks", "html", "markdown"].filter((key) => given[key] !== undefined);
  if (sources.length !== 1) return refuse("exactly one of blocks, html and markdown must be used");
  // A model's words must never be read for buttons, mentions and pictures.
  const { blocks } = given;
  if (!Array.isArray(blocks))
    return refuse("this server reads blocks, which our bot promises to send");
  if (given["skip_entity_detection"] !== true)
    return refuse("names in a model's words would ring people");
  const counts = { units: 0, blocks: 0 };
  const text = textOfBlocks(blocks, counts, 1);
  if (isInvisible(text)) return refuse("message text is empty");
  if (counts.units > maxUnits) return refuse("message is too long");
  if (counts.blocks > maxBlocks) return refuse("too many blocks");
  return { blocks, text };
}

function textOfBlocks(blocks: readonly unknown[], counts: Counts, level: number): string {
  if (blocks.length === 0) refuse("blocks must not be empty");
  if (level > maxLevels) refuse("nested too deeply");
  return blocks
    .map((block) => {
      counts.blocks += 1;
      return isRecord(block)
        ? textOfBlock(block, counts, level)
        : refuse("a block must be an object");
    })
    .join("\n\n");
}

function textOfBlock(
  block: Readonly<Record<string, unknown>>,
  counts: Counts,
  level: number,
): string {
  const { type } = block;
  switch (type) {
    case "paragraph":
      return richText(block["text"], counts, level);
    case "pre": {
      const { language } = block;
      if (language !== undefined && typeof language !== "string")
        return refuse("language must be a string");
      return richText(block["text"], counts, level);
    }
    case "heading":
      if (![1, 2, 3, 4, 5, 6].includes(Number(block["size"])))
        return refuse("size of a heading must be 1-6");
      return richText(block["text"], counts, level);
    case "divider":
      return "———";
    case "mathematical_expression":
      return counted(block["expression"], counts);
    case "blockquote":
      return textOfBlocks(listOf(block["blocks"]), counts, level + 1);
    case "list":
      return items(listOf(block["items"]), counts, level);
    case "table":
      return rows(listOf(block["cells"]), counts, level);
    default:
      // Buttons, media and the like are blocks too, and nothing that a model may make.
      return refuse(`unexpected block ${String(type)}`);
  }
}

function items(list: readonly unknown[], counts: Counts, level: number): string {
  if (list.length === 0) refuse("a list must have items");
  return list
    .map((item) => {
      counts.blocks += 1;
      if (!isRecord(item)) return refuse("an item must be an object");
      if (item["is_checked"] === true && item["has_checkbox"] !== true)
        return refuse("only a checkbox can be checked");
      const { type, value } = item;
      const isOrdered = type !== undefined || value !== undefined;
      if (isOrdered && (type !== "1" || !Number.isInteger(value)))
        return refuse("wrong label of an item");
      const mark = isOrdered ? `${Number(value)}.` : "•";
      return `${mark} ${textOfBlocks(listOf(item["blocks"]), counts, level + 1)}`;
    })
    .join("\n");
}

function rows(list: readonly unknown[], counts: Counts, level: number): string {
  if (list.length === 0) refuse("a table must have rows");
  return list
    .map((row) => {
      counts.blocks += 1;
      const cells = listOf(row);
      if (cells.length === 0 || cells.length > maxColumns)
        return refuse(`a row must have 1-${maxColumns} cells`);
      return cells.map((cell) => cellText(cell, counts, level)).join(" | ");
    })
    .join("\n");
}

function cellText(cell: unknown, counts: Counts, level: number): string {
  if (!isRecord(cell)) return refuse("a cell must be an object");
  if (!["left", "center", "right"].includes(String(cell["align"])))
    return refuse("wrong align of a cell");
  if (!["top", "middle", "bottom"].includes(String(cell["valign"])))
    return refuse("wrong valign of a cell");
  return cell["text"] === undefined ? "" : richText(cell["text"], counts, level + 1);
}

const marks: ReadonlySet<unknown> = new Set([
  "bold",
  "italic",
  "underline",
  "strikethrough",
  "spoiler",
  "code",
]);

/** A string, a list, or one of the kinds of marks; never empty. */
function richText(value: unknown, counts: Counts, level: number): string {
  if (level > maxLevels) return refuse("nested too deeply");
  if (typeof value === "string") return counted(value, counts);
  if (Array.isArray(value)) {
    if (value.length === 0) return refuse("text must not be empty");
    return value.map((each) => richText(each, counts, level)).join("");
  }
  if (!isRecord(value)) return refuse("a text must be a string or an object");
  const { type, url } = value;
  if (type === "mathematical_expression") return counted(value["expression"], counts);
  if (type === "url") {
    const isWeb = typeof url === "string" && /^https?:\/\//i.test(url);
    if (!isWeb || linkProblem(url) !== undefined) return refuse(`wrong URL ${String(url)}`);
  } else if (!marks.has(type)) return refuse(`unexpected text ${String(type)}`);
  return richText(value["text"], counts, level + 1);
}

function counted(value: unknown, counts: Counts): string {
  if (typeof value !== "string" || value === "")
    return refuse("text must be a string that is not empty");
  if (!value.isWellFormed()) return refuse("strings must be encoded in UTF-8");
  counts.units += value.length;
  return value;
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : refuse("a list is expected");
