import { wildcards } from "../text/wildcards.ts";

/** Patterns for the arguments of a call, by dot path. */
export type ArgumentPatterns = Readonly<Record<string, string>>;

/**
 * Whether a rule names a call. `unsure`: some items of a list match and others don't, or the text
 * matched by `*` may escape the pattern's prefix. A rule must then neither loosen anything nor be
 * evaded.
 */
export type Match = "yes" | "no" | "unsure";

/** Maximum nesting of lists and objects that is checked. */
const maxDepth = 64;

/**
 * Tests a call's arguments: all patterns must match, in a list every item. A number or boolean is
 * compared as text; absent, empty and other values don't match. Pure, and in linear time.
 * @returns a function of the arguments as a JSON value.
 */
export function argumentsMatcher(patterns: ArgumentPatterns): (given: unknown) => Match {
  const tests = Object.entries(patterns).map(([path, pattern]) => {
    const test = textMatcher(pattern);
    const names = path.split(".");
    return (given: unknown) => matchAt(given, names, test);
  });
  return (given) => all(tests.map((test) => test(given)));
}

/**
 * `..` as a part of a path or an address, written out or encoded; an address ends its path at `?`
 * and `#`.
 */
const leadsOut = /(?:^|[\\/]|%2f|%5c)(?:\.|%2e){2}(?:[\\/?#;]|%2f|%5c|$)/i;
/**
 * Characters that URL parsers drop
 * (https://url.spec.whatwg.org/#concept-basic-url-parser).
 */
const unread = /\p{Cc}+/gu;

function textMatcher(pattern: string): (text: string) => Match {
  const matches = wildcards(pattern);
  const isFixed = !pattern.includes("*");
  return (text) => {
    if (!matches(text)) return "no";
    return isFixed || !leadsOut.test(text.replace(unread, "").trim()) ? "yes" : "unsure";
  };
}

function matchAt(
  value: unknown,
  path: readonly string[],
  test: (text: string) => Match,
  depth = 0,
): Match {
  if (depth > maxDepth) return "unsure";
  if (Array.isArray(value)) {
    const found = value.map((each) => matchAt(each, path, test, depth + 1));
    if (!found.includes("no")) return all(found, "no");
    return found.every((each) => each === "no") ? "no" : "unsure";
  }
  const [name, ...rest] = path;
  if (name === undefined) return isText(value) ? test(String(value)) : "no";
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? matchAt((value as Record<string, unknown>)[name], rest, test, depth + 1)
    : "no";
}

const isText = (value: unknown): value is string | number | boolean =>
  ["string", "number", "boolean"].includes(typeof value);

/** @param ofNone the result for an empty list. */
function all(found: readonly Match[], ofNone: Match = "yes"): Match {
  if (found.length === 0) return ofNone;
  if (found.includes("no")) return "no";
  return found.includes("unsure") ? "unsure" : "yes";
}
