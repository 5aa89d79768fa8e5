import { secretShapes } from "./secret-shapes.ts";

/** How the names of fields end that hold secrets. Plurals count things (`maxTokens`). */
const secretName =
  /(?:pass(?:word|wd|phrase|code)|secret|token|credentials?|(?:api|access|private|secret|auth|service|encryption|signing|master)[-_ ]?key|authorization|cookie|session[-_ ]?id)$|(?:^|[^a-z])(?:pass|pwd)$/i;
/** `dbPass`, but not `compass`. */
const shortName = /[a-z](?:Pass|Pwd)$/;

export const namesSecret = (name: string): boolean =>
  secretName.test(name) || shortName.test(name);

/** Says how many characters something has, in the reader's language. */
export type CharactersOf = (count: number) => string;

/** What stands in the place of a secret. */
export const maskOf = (length: number, charactersOf: CharactersOf): string =>
  `•••• (${charactersOf(length)})`;

/**
 * Masks what looks like a secret. Only what can be nothing but a key is hidden, however the pattern found it: a command in
 * quotes behind the word `token` is shown, for nobody may be asked to approve what they cannot see. Pure.
 */
export function hideSecrets(text: string, charactersOf: CharactersOf): string {
  let shown = text;
  for (const shape of secretShapes)
    shown = shown.replace(shape, (...found: unknown[]) => {
      const match = String(found[0]);
      const groups = found.at(-1) as { kept?: string } | string | undefined;
      const kept = typeof groups === "object" ? (groups.kept ?? "") : "";
      return kept + hidden(match.slice(kept.length), charactersOf);
    });
  return shown;
}

/** An address is no key: what is loaded from it must be seen. */
const keyCharacters = /^(?!\w+:\/\/)[\w+/=.~:@%!#*?^,-]+$/;
const longRun = /[\w+/=-]{16,}/g;

function hidden(secret: string, charactersOf: CharactersOf): string {
  if (secret.includes("••••")) return secret;
  return keyCharacters.test(secret)
    ? maskOf(secret.length, charactersOf)
    : secret.replace(longRun, (run) => maskOf(run.length, charactersOf));
}

/** The same JSON value with its secrets masked. Pure. */
export function legible(value: unknown, charactersOf: CharactersOf): unknown {
  if (typeof value === "string") return hideSecrets(value, charactersOf);
  if (Array.isArray(value))
    return value.map((each) => legible(each, charactersOf));
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      namesSecret(key)
        ? masked(each, charactersOf)
        : legible(each, charactersOf),
    ]),
  );
}

/** What stands under a secret's name. What is only said about it (`true`, `null`) is shown. Pure. */
export function masked(value: unknown, charactersOf: CharactersOf): unknown {
  if (typeof value === "string" || typeof value === "number")
    return value === "" ? "" : maskOf(String(value).length, charactersOf);
  if (Array.isArray(value))
    return value.map((each) => masked(each, charactersOf));
  if (!isMapping(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      masked(each, charactersOf),
    ]),
  );
}

const isMapping = (
  value: unknown,
): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
