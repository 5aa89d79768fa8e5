import type { MessageEntity } from "@grammyjs/types";
import { badRequest } from "./api-error.ts";
import { linkProblem } from "./links.ts";
import { isRecord } from "./parameters.ts";

/** Text with its entities; offsets and lengths in UTF-16 code units. */
export interface FormattedText {
  readonly text: string;
  readonly entities: readonly MessageEntity[];
}

/** UTF-16 code units after entity parsing. https://core.telegram.org/bots/api#sendmessage */
export const maxTextUnits = 4096;
/** https://core.telegram.org/bots/api#sendphoto */
export const maxCaptionUnits = 1024;
/** Entities of one message; Telegram silently ignores the rest. https://limits.tginfo.me */
export const maxEntities = 100;

const splittable = new Set(["bold", "italic", "underline", "strikethrough", "spoiler"]);
const quotes = new Set(["blockquote", "expandable_blockquote"]);
const monospaced = new Set(["pre", "code"]);
const others = new Set([
  "mention",
  "hashtag",
  "cashtag",
  "bot_command",
  "url",
  "email",
  "phone_number",
  "text_link",
  "text_mention",
  "custom_emoji",
  "date_time",
]);

/**
 * Throws what the server answers for the first entity that breaks a rule. `text` is the text as
 * sent.
 */
export function checkEntities(text: string, value: unknown): MessageEntity[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw badRequest("can't parse entities JSON");
  const entities = value.map((entity) => checkShape(entity));
  for (const entity of entities) checkBounds(text, entity);
  const sorted = entities.toSorted(
    (left, right) => left.offset - right.offset || right.length - left.length,
  );
  checkNesting(sorted);
  return sorted;
}

function checkShape(entity: unknown): MessageEntity {
  if (!isRecord(entity))
    throw badRequest("can't parse MessageEntity: expected an entity to be an Object");
  const { type, offset, length } = entity;
  const known =
    typeof type === "string" &&
    [splittable, quotes, monospaced, others].some((kinds) => kinds.has(type));
  if (!known)
    throw badRequest(`can't parse MessageEntity: unsupported type specified: ${String(type)}`);
  if (!Number.isInteger(offset) || (offset as number) < 0)
    throw badRequest("receive an entity with incorrect offset");
  if (!Number.isInteger(length) || (length as number) <= 0)
    throw badRequest("receive an entity with incorrect length");
  if (type === "text_link") {
    const url = typeof entity["url"] === "string" ? entity["url"] : "";
    const problem = linkProblem(url);
    if (problem !== undefined) throw badRequest(`entity URL '${url}' is invalid: ${problem}`);
  }
  return entity as unknown as MessageEntity;
}

/** The sentences are TDLib's (`fix_entity_offsets`, MessageEntity.cpp), their byte offsets too. */
function checkBounds(text: string, entity: MessageEntity): void {
  const end = entity.offset + entity.length;
  if (end > text.length)
    throw badRequest(
      `entity beginning at UTF-16 offset ${entity.offset} ends after the end of the text at UTF-16 offset ${end}`,
    );
  if (splitsPair(text, entity.offset))
    throw badRequest(
      `entity begins in a middle of a UTF-16 symbol at byte offset ${bytesBefore(text, entity.offset)}`,
    );
  if (splitsPair(text, end))
    throw badRequest(
      `entity beginning at UTF-16 offset ${entity.offset} ends in a middle of a UTF-16 symbol at byte offset ${bytesBefore(text, end)}`,
    );
}

const bytesBefore = (text: string, offset: number): number =>
  Buffer.byteLength(text.slice(0, offset + 1));

function splitsPair(text: string, offset: number): boolean {
  if (offset <= 0 || offset >= text.length) return false;
  return (text.codePointAt(offset - 1) ?? 0) > 0xffff;
}

/**
 * The nesting rules of https://core.telegram.org/bots/api#messageentity. The real server repairs
 * such entities silently, so that people see other formatting than was meant; here they are
 * refused.
 */
function checkNesting(sorted: readonly MessageEntity[]): void {
  const open: MessageEntity[] = [];
  for (const inner of sorted) {
    while (open.length > 0 && endOf(open.at(-1) as MessageEntity) <= inner.offset) open.pop();
    for (const outer of open) {
      if (endOf(inner) > endOf(outer) || !mayNest(outer, inner))
        throw badRequest(
          `ENTITY_BOUNDS_INVALID (${inner.type} at ${inner.offset}+${inner.length} in ${outer.type} at ${outer.offset}+${outer.length})`,
        );
    }
    open.push(inner);
  }
}

const endOf = (entity: MessageEntity): number => entity.offset + entity.length;

function mayNest(outer: MessageEntity, inner: MessageEntity): boolean {
  if (monospaced.has(outer.type)) return false;
  if (monospaced.has(inner.type)) return quotes.has(outer.type);
  if (quotes.has(outer.type)) return !quotes.has(inner.type);
  if (splittable.has(outer.type)) return outer.type !== inner.type;
  return splittable.has(inner.type);
}
