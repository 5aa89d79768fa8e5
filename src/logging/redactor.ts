import { secretShapes } from "../text/secret-shapes.ts";

/** A shorter text could be an ordinary word. UTF-16 units. */
const shortestSecret = 8;
const placeholder = "[redacted]";

/**
 * Makes a function that replaces these secrets, and text that looks like one, by `[redacted]`, also
 * if they are escaped in JSON or in a URL.
 * @param secrets those shorter than 8 characters are ignored
 */
export function createRedactor(secrets: readonly string[]): (text: string) => string {
  const known = [...new Set(secrets)]
    .filter((secret) => secret.length >= shortestSecret)
    // A secret that is part of another one must not break it up.
    .sort((one, other) => other.length - one.length)
    .flatMap((secret) => [inJson(secret), inUrl(secret)]);
  // A pattern that matches nothing where there are none.
  const anyKnown = new RegExp(known.join("|") || "(?!)", "g");
  return (text) => {
    let shown = text.replace(anyKnown, placeholder);
    for (const shape of secretShapes) shown = shown.replace(shape, `$<kept>${placeholder}`);
    return shown;
  };
}

/** Matches a secret as it is and as JSON writes it, once or inside of other JSON. */
function inJson(secret: string): string {
  let pattern = "";
  // The deeper an escape is nested, the more backslashes it has. No two unlimited runs of them may
  // follow each other in the pattern, and none may begin it: a text of backslashes would take for
  // ever.
  let backslashes = oneBackslash;
  for (const piece of secret.match(/\\+|[^\\]/g) ?? []) {
    if (!piece.startsWith("\\")) {
      pattern += escapable(piece, backslashes);
      backslashes = `${oneBackslash}+`;
      continue;
    }
    pattern += pattern === "" ? oneBackslash : `${oneBackslash}{${piece.length},}`;
    backslashes = "";
  }
  return pattern;
}

const oneBackslash = "\\\\";
const named: ReadonlyMap<string, string> = new Map([
  ["\n", "n"],
  ["\r", "r"],
  ["\t", "t"],
  ["\b", "b"],
  ["\f", "f"],
  ['"', '"'],
  ["/", "/"],
]);

/**
 * @param unit one UTF-16 unit
 * @param backslashes the pattern of the characters before an escape
 */
function escapable(unit: string, backslashes: string): string {
  const forms = [literal(unit)];
  const name = named.get(unit);
  if (name !== undefined) forms.push(backslashes + literal(name));
  // Encoders that keep to ASCII, or to what is safe within HTML
  if (!/[!-~]/.test(unit) || /[<>&'"/]/.test(unit)) forms.push(`${backslashes}u${digitsOf(unit)}`);
  return forms.length === 1 ? literal(unit) : `(?:${forms.join("|")})`;
}

/** Four hexadecimal digits, of either case. */
const digitsOf = (unit: string): string =>
  unit
    .charCodeAt(0)
    .toString(16)
    .padStart(4, "0")
    .replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);

const inUrl = (secret: string): string => literal(encodeURIComponent(secret.toWellFormed()));

const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
