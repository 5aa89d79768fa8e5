import { namesDestination } from "./destinations.ts";
import { legible } from "./hide-secrets.ts";
import { visible } from "./visible-text.ts";

/** The label of a masked value, by its length. */
type CharactersOf = Parameters<typeof legible>[1];

/**
 * A call's arguments in one line as people may see them, of at most so many characters. Empty where
 * there are none. Pure.
 */
export function argumentLine(
  json: string,
  { characters, maxLength }: { readonly characters: CharactersOf; readonly maxLength: number },
): string {
  const text = visible(lineOf(legible(JSON.parse(json), characters), String));
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}

/**
 * A call's arguments in one line that is sufficient for a decision: fields that
 * say where the action goes come first, and only prose is cut, in its middle
 * and around the addresses and numbers in it. Calls with different destinations
 * never have the same line. Empty if there are no arguments. Pure.
 */
export function decisionLine(
  json: string,
  { characters }: { readonly characters: CharactersOf },
): string {
  const shown = legible(JSON.parse(json), characters);
  const short = shortened(shown, false);
  const isObject = typeof short === "object" && short !== null;
  return visible(lineOf(isObject ? destinationsFirst(short) : short, unambiguous));
}

const lineOf = (value: unknown, textOf: (text: string) => string): string => {
  const show = (each: unknown): string =>
    typeof each === "string" ? textOf(each) : JSON.stringify(each);
  return typeof value === "object" && value !== null
    ? Object.entries(value)
        .map(([name, each]) => `${textOf(name)}: ${show(each)}`)
        .join(", ")
    : show(value);
};

/** In quotes where it could be read as more than one value, or as another one. */
const unambiguous = (text: string): string =>
  /^$|^\s|\s$|["\\,:{}[\]\p{Cc}]|^(?:true|false|null|-?\d.*)$/u.test(text)
    ? JSON.stringify(text)
    : text;

const destinationsFirst = (value: object): object => {
  const entries = Object.entries(value);
  return Object.fromEntries([
    ...entries.filter(([name]) => namesDestination(name)),
    ...entries.filter(([name]) => !namesDestination(name)),
  ]);
};

/** UTF-16 units of prose that are shown of its beginning and of its end. */
const shownEnds = { first: 60, last: 30 } as const;

function shortened(value: unknown, isDestination: boolean): unknown {
  if (typeof value === "string") return isDestination ? value : shortProse(value);
  if (Array.isArray(value)) return value.map((each) => shortened(each, isDestination));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      shortened(each, isDestination || namesDestination(name)),
    ]),
  );
}

/**
 * A word, perhaps in quotes or brackets and with the punctuation of a sentence, but no address,
 * path, pattern, number, option or channel. No character can be read in two ways: else a long run
 * of apostrophes would take time that grows with its square.
 */
const isPlainWord = (word: string): boolean =>
  /^[\p{Ps}\p{Pi}\p{Pf}"'¿¡—–]*[\p{L}\p{M}](?:['’]?[\p{L}\p{M}]){0,29}[\p{Pe}\p{Pi}\p{Pf}"'.,;:!?…—–-]*$/u.test(
    word,
  );

/** Where it has no blanks it is no prose, and stays whole. */
function shortProse(text: string): string {
  const { first, last } = shownEnds;
  if (text.length <= first + last + 1) return text;
  const words = text.split(/(?<=\s)/u);
  let at = 0;
  const shown = words.map((word) => {
    const isAtEnd = at < first || at + word.length > text.length - last;
    at += word.length;
    return isAtEnd || !isPlainWord(word.trim()) ? word : undefined;
  });
  return shown
    .flatMap((word, index) => {
      if (word !== undefined) return [word];
      return shown[index - 1] === undefined && index > 0 ? [] : ["… "];
    })
    .join("");
}
