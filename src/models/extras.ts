import type { Extras } from "../core/history.ts";

/** UTF-16 units of one answer's extras as JSON: a signature has up to 10,000. Of more none are kept. */
const maxLength = 200_000;

/** Undefined where there are none, or too many to keep in the history. */
export const keptExtras = (extras: Extras): Extras | undefined =>
  Object.keys(extras).length === 0 || JSON.stringify(extras).length > maxLength
    ? undefined
    : extras;

/** The fields of a piece that its provider may want back; empty where it has none of them. */
export const pickExtras = (
  piece: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): Extras =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = piece[field];
      return value == null || value === "" ? [] : [[field, value]];
    }),
  );

/**
 * The same fields of two pieces of one answer: lists go on, objects are joined, and of anything else
 * the later counts. Pure.
 */
export function joinExtras(known: Extras, piece: Extras): Extras {
  const joined: Record<string, unknown> = { ...known };
  for (const [field, value] of Object.entries(piece)) joined[field] = join(joined[field], value);
  return joined;
}

function join(known: unknown, value: unknown): unknown {
  if (value == null || value === "") return known;
  if (Array.isArray(known) && Array.isArray(value)) return joinLists(known, value);
  return isObject(known) && isObject(value) ? joinExtras(known, value) : value;
}

/** `reasoning_details` come in pieces: those of one block have its type and index. */
function joinLists(known: readonly unknown[], more: readonly unknown[]): readonly unknown[] {
  const items = [...known];
  for (const item of more) {
    const last = items.at(-1);
    if (isObject(last) && isObject(item) && isContinued(last, item))
      items[items.length - 1] = continued(last, item);
    else items.push(item);
  }
  return items;
}

const words = ["text", "summary", "thinking"] as const;

const isContinued = (last: Fields, item: Fields): boolean =>
  last["type"] === item["type"] &&
  last["index"] === item["index"] &&
  item["data"] === undefined &&
  (item["index"] !== undefined || [last, item].every(hasWords));

const hasWords = (item: Fields): boolean => words.some((field) => typeof item[field] === "string");

function continued(last: Fields, item: Fields): Fields {
  const texts = words.flatMap((field) => {
    const [before, after] = [last[field], item[field]];
    return typeof before === "string" && typeof after === "string" ? [[field, before + after]] : [];
  });
  return { ...joinExtras(last, item), ...Object.fromEntries(texts) };
}

type Fields = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * The same with other ids for the calls: some providers name in an answer's extras the call that a
 * signature belongs to. Pure.
 */
export function withIds(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return ids.get(value) ?? value;
  if (Array.isArray(value)) return value.map((each) => withIds(each, ids));
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withIds(each, ids)]))
    : value;
}
