import { legible, lengthText, type CharactersOf } from "../text/hide-secrets.ts";
import { namesDestination } from "../text/destinations.ts";
import { visible } from "../text/visible-text.ts";

/** A part of a call's arguments, to be shown in a code fence. */
export interface ArgumentBlock {
  /** The name of the argument; absent if its lines contain it. */
  readonly label?: string;
  readonly language: "" | "json" | "diff";
  readonly text: string;
}

/** Up to this many characters a text is shown on the line of its name. */
const maxLineLength = 200;
/** Characters of a list or an object that still does. */
const maxInlineLength = 80;

/** Names under which an old and a new text are given. */
const diffNames: readonly (readonly [RegExp, string])[] = [
  [/^old(?=$|[-_A-Z])/, "new"],
  [/^before(?=$|[-_A-Z])/, "after"],
  [/^original(?=$|[-_A-Z])/, "replacement"],
  [/^search(?=$|[-_A-Z])/, "replace"],
  [/^find(?=$|[-_A-Z])/, "replace"],
];

const isOld = new RegExp(diffNames.map(([{ source }]) => source).join("|"));

type Fields = Readonly<Record<string, unknown>>;

/**
 * A call's arguments, readable and complete: short values as `name: value`, long and nested ones in
 * blocks of their own, an old and a new text as a comparison. What says where the call goes comes
 * first, what is long comes last. Secrets are masked, and invisible characters shown. Pure.
 * @param json canonical JSON
 */
export function argumentBlocks(json: string, charactersOf: CharactersOf): readonly ArgumentBlock[] {
  const shown = legible(JSON.parse(json), charactersOf);
  return isFields(shown) ? blocksOf(shown, "", charactersOf) : [jsonBlock(shown, undefined)];
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function blocksOf(
  fields: Fields,
  path: string,
  charactersOf: CharactersOf,
): readonly ArgumentBlock[] {
  const blocks: ArgumentBlock[] = [];
  let lines: string[] = [];
  const endLines = () => {
    if (lines.length > 0) blocks.push({ language: "", text: lines.join("\n") });
    lines = [];
  };
  const compared = new Set(Object.keys(fields).flatMap((key) => partnerOf(key, fields)?.key ?? []));
  for (const [key, value] of inOrder(fields)) {
    if (compared.has(key)) continue;
    const name = path + shownName(key);
    const partner = partnerOf(key, fields);
    if (partner !== undefined && typeof value === "string") {
      endLines();
      blocks.push({
        label: `${name} → ${path}${shownName(partner.key)}`,
        language: "diff",
        text: comparison(shownText(value), shownText(partner.text)),
      });
      continue;
    }
    const line = lineOf(value);
    if (line !== undefined) {
      lines.push(`${name}: ${line}`);
      continue;
    }
    endLines();
    blocks.push(...longBlocks(value, name, charactersOf));
  }
  endLines();
  return blocks;
}

function inOrder(fields: Fields): readonly (readonly [string, unknown])[] {
  const rankOf = ([key, value]: readonly [string, unknown]): number => {
    if (partnerOf(key, fields) !== undefined || lineOf(value) === undefined) return 2;
    return namesDestination(key) ? 0 : 1;
  };
  const ranked = Object.entries(fields).map((entry) => ({ entry, rank: rankOf(entry) }));
  return ranked.toSorted((one, other) => one.rank - other.rank).map(({ entry }) => entry);
}

/** Values that don't fit into a line. */
function longBlocks(
  value: unknown,
  name: string,
  charactersOf: CharactersOf,
): readonly ArgumentBlock[] {
  if (typeof value === "string")
    return [
      {
        label: `${name} (${lengthText(value.length, charactersOf)})`,
        language: "",
        text: shownText(value),
      },
    ];
  if (Array.isArray(value) && value.length > 0 && value.every(holdsComparison))
    return value.flatMap((each: Fields, index) =>
      blocksOf(each, `${name}[${index}].`, charactersOf),
    );
  return [jsonBlock(value, name)];
}

const holdsComparison = (value: unknown): boolean =>
  isFields(value) && Object.keys(value).some((key) => partnerOf(key, value) !== undefined);

/** The new text that belongs to an old text. */
function partnerOf(
  key: string,
  fields: Fields,
): { readonly key: string; readonly text: string } | undefined {
  // Otherwise each value is shown separately: nothing may be missing from the comparison.
  if (typeof fields[key] !== "string" || !isOld.test(key)) return undefined;
  for (const [pattern, other] of diffNames) {
    const partner = key.replace(pattern, other);
    const text = fields[partner];
    if (partner !== key && typeof text === "string") return { key: partner, text };
  }
  return undefined;
}

/** A value that fits after its name; undefined if it doesn't. */
function lineOf(value: unknown): string | undefined {
  if (typeof value === "string")
    return value.length > maxLineLength || (/[\r\n]/.test(value) && value.trim() !== "")
      ? undefined
      : quotedIfNeeded(value);
  const inline = visible(JSON.stringify(value));
  if (isLeaf(value)) return inline;
  const isFlat = Object.values(value as object).every(isLeaf);
  return isFlat && inline.length <= maxInlineLength ? inline : undefined;
}

const isLeaf = (value: unknown): boolean => typeof value !== "object" || value === null;

/** A text that could be mistaken for something else is shown as JSON. */
function quotedIfNeeded(text: string): string {
  const isPlain =
    text !== "" &&
    text === text.trim() &&
    !/["\\]/.test(text) &&
    visible(text) === text &&
    !isJson(text);
  return isPlain ? text : visible(JSON.stringify(text));
}

/**
 * Whether it reads as a JSON value that is no text. Not parsed: what isn't JSON would take an
 * exception each, and there may be thousands. @param text without white space at its ends
 */
const isJson = (text: string): boolean =>
  /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|\[[^]*\]|\{[^]*\})$/.test(text);

/** Quoted as JSON if the text is ambiguous; a backtick would end the surrounding label. */
const shownName = (key: string): string =>
  /^[\w.-]+$/.test(key) ? key : visible(JSON.stringify(key)).replaceAll("`", "\\u0060");

/** A text of several lines, each as it is. */
const shownText = (text: string): string => visible(text, "\n\t");

const jsonBlock = (value: unknown, label: string | undefined): ArgumentBlock => ({
  ...(label === undefined ? {} : { label }),
  language: "json",
  text: visible(jsonOf(value), "\n"),
});

/**
 * The most by which indentation may multiply the length: deeply nested values would consist of it.
 */
const maxStretch = 4;

function jsonOf(value: unknown): string {
  const compact = JSON.stringify(value);
  const indented = JSON.stringify(value, undefined, 2);
  return indented.length > maxStretch * compact.length ? compact : indented;
}

const marked = (mark: string, lines: readonly string[]) => lines.map((line) => `${mark} ${line}`);

/**
 * Common lines at the beginning and the end, and the differing part of the old
 * and the new text.
 */
function comparison(before: string, after: string): string {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const shorter = Math.min(old.length, now.length);
  let head = 0;
  while (head < shorter && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  return [
    ...marked(" ", old.slice(0, head)),
    ...marked("-", old.slice(head, old.length - tail)),
    ...marked("+", now.slice(head, now.length - tail)),
    ...marked(" ", old.slice(old.length - tail)),
  ].join("\n");
}
