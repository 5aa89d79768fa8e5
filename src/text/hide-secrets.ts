import {
  isInDestination,
  isOpaque,
  movesValues,
  namesDestination,
  namesRecipient,
} from "./destinations.ts";
import { secretShapes } from "./secret-shapes.ts";

/*
 * What approval cards hide of a call's arguments. The author of the arguments
 * must not control what is hidden, so a value is hidden only if it can be
 * nothing but a credential; `destinations.ts` lists what is never hidden. Logs
 * have a stricter rule (`src/logging/redactor.ts`): no one decides anything there.
 */

/** How the names of fields end that hold secrets. Plurals count things (`maxTokens`). */
const secretName =
  /(?:pass(?:word|wd|phrase|code)|secret|token|credentials?|(?:api|access|private|secret|auth|service|encryption|signing|master)[-_ ]?key|authorization|cookie|signature|session[-_ ]?id)$|(?:^|[^a-z])(?:pass|pwd|sig)$/i;
/** `dbPass`, but not `compass`. */
const shortName = /[a-z](?:Pass|Pwd)$/;

/** In the fields of a recipient it names a coin or a device. */
const ambiguousName = /(?:token|key)$/i;

const namesSecret = ({ name, isRecipient }: Place): boolean =>
  (secretName.test(name) || shortName.test(name)) && !(isRecipient && ambiguousName.test(name));

/** Says how many characters something has, in the reader's language. */
export type CharactersOf = (count: number) => string;

/**
 * The same with ordinary blanks: some languages group digits with another, which cards show as a
 * code. Pure.
 */
export const lengthText = (count: number, charactersOf: CharactersOf): string =>
  charactersOf(count).replaceAll(/\p{Zs}/gu, " ");

/** The visible part of a mask. */
export const maskSign = "••••";

/** UTF-16 units; less than that is no secret. */
const minHidden = 3;

/**
 * The characters that a mask keeps, by the length of the value: at most a quarter of it, or one at
 * each end.
 */
function keptEnds(length: number): readonly [first: number, last: number] {
  if (length >= 24) return [4, 2];
  return length >= 12 ? [2, 1] : [1, 1];
}

/** Shown instead of a secret: its ends and its length, as in `sk-a••••9f (51 characters)`. Pure. */
function maskOf(secret: string, charactersOf: CharactersOf): string {
  const [first, last] = keptEnds(secret.length);
  const length = lengthText(secret.length, charactersOf);
  return `${secret.slice(0, first)}${maskSign}${secret.slice(-last)} (${length})`;
}

/** A secret among a call's arguments. */
export interface FoundSecret {
  /** Dot path of the value that holds it. */
  readonly path: string;
  readonly secret: string;
}

type Hide = (secret: string, path: string) => string;

/** The same JSON value with its secrets masked. Pure. */
export const legible = (value: unknown, charactersOf: CharactersOf): unknown =>
  withHidden(value, (secret) => maskOf(secret, charactersOf));

/** The values that `legible` masks, in order. Pure. */
export function secretsIn(value: unknown): readonly FoundSecret[] {
  const found: FoundSecret[] = [];
  withHidden(value, (secret, path) => {
    found.push({ path, secret });
    return secret;
  });
  return found;
}

/** The position of a value in the arguments. */
interface Place {
  readonly path: string;
  /** The field's name; of an item of a list, the list's. Empty at the top. */
  readonly name: string;
  /** Below a name that says where the action goes. */
  readonly isDestination: boolean;
  /** Below a name that says who gets something. */
  readonly isRecipient: boolean;
  /** An item of a list: what a name says of one value, it need not say of many. */
  readonly isItem: boolean;
}

const top: Place = {
  path: "",
  name: "",
  isDestination: false,
  isRecipient: false,
  isItem: false,
};

function withHidden(value: unknown, hide: Hide, place: Place = top): unknown {
  if (typeof value === "string") return hideIn(value, hide, place);
  if (Array.isArray(value))
    return value.map((each, index) =>
      withHidden(each, hide, {
        ...place,
        path: below(place, String(index)),
        isItem: true,
      }),
    );
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      withHidden(each, hide, {
        path: below(place, name),
        name,
        isDestination: place.isDestination || namesDestination(name),
        isRecipient: place.isRecipient || namesRecipient(name),
        isItem: false,
      }),
    ]),
  );
}

const below = ({ path }: Place, name: string): string => (path === "" ? name : `${path}.${name}`);

/** How a header's value begins before its secret. */
const scheme = /^(?:bearer|basic|token|bot|apikey|api-key|digest|negotiate)\s+/i;
/** The pairs of a cookie. */
const pairs = /^[\w.-]{1,128}=[^;\s]*(?:;\s*[\w.-]{1,128}=[^;\s]*)*;?$/;

function hideIn(text: string, hide: Hide, place: Place): string {
  if (text.length < minHidden) return text;
  const mask = (secret: string): string => hide(secret, place.path);
  if (!place.isItem && namesSecret(place)) {
    const [kept = ""] = scheme.exec(text) ?? [];
    if (isHideable(text.slice(kept.length))) return kept + mask(text.slice(kept.length));
    if (/cookie$/i.test(place.name) && pairs.test(text))
      return text.replaceAll(/(?<==)[^;\s]+/g, (secret) =>
        isHideable(secret) ? mask(secret) : secret,
      );
  }
  return hideShapes(text, mask, place);
}

const isHideable = (secret: string): boolean => secret.length >= minHidden && isOpaque(secret);

/** Masks values that a text names as secrets, or that have the format of an issuer's keys. */
function hideShapes(
  text: string,
  mask: (secret: string) => string,
  { isDestination }: Place,
): string {
  if (movesValues(text)) return text;
  let shown = text;
  for (const shape of secretShapes)
    shown = shown.replace(shape, (...found: unknown[]) => {
      const match = String(found[0]);
      const offset = Number(found.at(-3));
      const { kept = "" } = found.at(-1) as { readonly kept?: string };
      const secret = match.slice(kept.length);
      const isNamed = kept !== "";
      const run = { at: offset + kept.length, length: secret.length, isNamed };
      if (secret.includes(maskSign) || (isDestination && !isNamed)) return match;
      const key = keyIn(secret);
      if (key !== undefined) return secret.replace(key, () => mask(key));
      return isHideable(secret) && !isInDestination(shown, run) ? kept + mask(secret) : match;
    });
  return shown;
}

/** The text between the two lines of a private key; undefined: words, or nothing. */
function keyIn(secret: string): string | undefined {
  const [, body = ""] = /^-----BEGIN [^-]+-----([^-]+)/.exec(secret) ?? [];
  const key = body.trim();
  return /^[\w+/]{64,}=*$/.test(key.replaceAll(/\s|\\+[nrt]/g, "")) ? key : undefined;
}
