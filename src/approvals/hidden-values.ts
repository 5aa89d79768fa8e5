import { legible, maskSign, type CharactersOf } from "../text/hide-secrets.ts";

export type { CharactersOf };

export type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Arguments as people are shown them: with their secrets masked. Pure. */
export const shownOf = (fields: Fields, charactersOf: CharactersOf): Fields =>
  legible(fields, charactersOf) as Fields;

/** Restores masked values that came back unchanged. Pure. */
export const restored = (given: Fields, before: Fields, charactersOf: CharactersOf): Fields =>
  restore(given, before, shownOf(before, charactersOf)) as Fields;

function restore(given: unknown, before: unknown, shown: unknown): unknown {
  if (typeof given === "string")
    return typeof shown === "string" && unworded(given) === unworded(shown) ? before : given;
  if (Array.isArray(given) && Array.isArray(before) && Array.isArray(shown))
    return restoreList(given, before, shown);
  if (!isFields(given) || !isFields(before) || !isFields(shown)) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, each]) => [
      name,
      Object.hasOwn(before, name) ? restore(each, before[name], shown[name]) : each,
    ]),
  );
}

/**
 * The end and length of a masked value, as cards and forms show it, each in its reader's language.
 */
const maskWords = new RegExp(`${maskSign}([^\\s()]{0,2}) \\(([^()]*)\\)`, "g");

/** A text whose masks are the same in all languages. */
const unworded = (text: string): string =>
  text.replace(
    maskWords,
    (_mask, end: string, words: string) => `${maskSign}${end} ${words.replaceAll(/\D/g, "")}`,
  );

/**
 * Restores items that come back masked, at any position, if the match is
 * certain: items that look the same must be as many as before, or be identical.
 * A changed item is matched only if all others kept their positions. A secret
 * must never end up under another name, because no one could see it.
 */
function restoreList(
  given: readonly unknown[],
  before: readonly unknown[],
  shown: readonly unknown[],
): readonly unknown[] {
  const [now, then] = [given, shown].map((items) => items.map((each) => unworded(sorted(each))));
  if (now === undefined || then === undefined) return given;
  const [placesNow, placesThen] = [placesOf(now), placesOf(then)];
  /** Old index of an item, by its new index. */
  const stood = new Map<number, number>();
  for (const [text, are] of placesNow) {
    const were = placesThen.get(text) ?? [];
    const isSure =
      are.length === were.length ||
      (are.length < were.length && areSame(were.map((at) => before[at])));
    if (!isSure) continue;
    for (const [index, at] of are.entries()) stood.set(at, were[index] ?? at);
  }
  const changed = now.flatMap((text, at) => (text === then[at] ? [] : [at]));
  const isOneChanged = now.length === then.length && changed.length === 1;
  return given.map((each, at) => {
    const from = stood.get(at);
    if (from !== undefined) return before[from];
    return isOneChanged && !placesThen.has(now[at] ?? "")
      ? restore(each, before[at], shown[at])
      : each;
  });
}

const areSame = (values: readonly unknown[]): boolean => new Set(values.map(sorted)).size <= 1;

const placesOf = (texts: readonly string[]): ReadonlyMap<string, readonly number[]> =>
  Map.groupBy(texts.keys(), (at) => texts[at] ?? "");

/** The same text for the same JSON value. Pure. */
export function sorted(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    isFields(each)
      ? Object.fromEntries(
          Object.entries(each).toSorted(([one], [other]) => (one < other ? -1 : 1)),
        )
      : each,
  );
}

/**
 * Paths at which a mask replaced the value it stood for; that is never
 * intended.
 */
export function hiddenIn(given: unknown, before: unknown, path = ""): string | undefined {
  if (typeof given === "string")
    return isMasked(given) && given !== before && !isOwn(given, before) ? path : undefined;
  if (typeof given !== "object" || given === null) return undefined;
  for (const [name, each] of Object.entries(given)) {
    const isOld = typeof before === "object" && before !== null && Object.hasOwn(before, name);
    const old = isOld ? (before as Fields)[name] : undefined;
    const at = path === "" ? name : `${path}.${name}`;
    const found = hiddenIn(each, old, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

type Leaf = readonly [path: string, value: unknown];

/** All values that are shown masked. */
function hiddenLeaves(value: unknown, shown: unknown, path = ""): readonly Leaf[] {
  if (typeof value !== "object" || value === null) return value === shown ? [] : [[path, value]];
  const seen = shown as Fields;
  return Object.entries(value).flatMap(([name, each]) =>
    hiddenLeaves(each, seen[name], path === "" ? name : `${path}.${name}`),
  );
}

/** Paths of values that were masked before, wherever they were. Pure. */
export function keptHidden(
  given: Fields,
  before: Fields,
  charactersOf: CharactersOf,
): string | undefined {
  const leavesOf = (fields: Fields): readonly Leaf[] =>
    hiddenLeaves(fields, shownOf(fields, charactersOf));
  const secrets = new Set(leavesOf(before).map(([, value]) => value));
  const [path] = leavesOf(given).find(([, value]) => secrets.has(value)) ?? [];
  return path;
}

const isMasked = (text: unknown): boolean => typeof text === "string" && text.includes(maskSign);

/** Some texts contain such dots themselves, without a length. */
const isOwn = (given: string, before: unknown): boolean =>
  isMasked(before) && given.search(maskWords) < 0;
