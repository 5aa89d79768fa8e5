/*
 * What says where an action goes, or what it does: hosts, mail domains, paths, commands,
 * recipients, numbers. An approval card never hides any of it. Where one text could be a credential
 * or a destination, it counts as a destination. All of this is pure.
 */

/** Words in names of fields whose values are destinations in any format. */
const destinationWords = new Set(
  `to cc bcc from recipient recipients receiver receivers payee beneficiary addressee assignee owner
  url urls uri uris href link links host hosts hostname domain domains server servers endpoint ip port webhook callback redirect
  address addresses mail mails email emails phone number numbers amount amounts price account accounts iban wallet
  user users username login person people member members contact contacts channel channels chat chats room rooms group groups
  topic topics thread threads queue path paths file files filename folder folders dir directory cwd location
  target targets destination dest source src repo repos repository branch ref bucket table database db project
  command commands cmd script scripts code shell exec run args argv arguments query sql expression program
  id ids name names`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

/**
 * Those that say who gets something. Below them a token or a key is a coin, a device or a person.
 */
const recipientWords = new Set(
  "to from cc bcc recipient recipients receiver receivers payee beneficiary addressee".split(" "),
);

const wordsIn = (name: string): readonly string[] =>
  name
    .slice(0, 200)
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);

/** Whether the value of a field with this name is a destination. */
export const namesDestination = (name: string): boolean =>
  wordsIn(name).some((word) => destinationWords.has(word));

/** Whether the value of a field with this name is a recipient. */
export const namesRecipient = (name: string): boolean =>
  wordsIn(name).some((word) => recipientWords.has(word));

/**
 * Characters of passwords and keys: no blanks, and no marks of addresses, paths, shells or
 * templates.
 */
const opaqueCharacters = /^[\p{L}\p{M}\p{N}!"#%&'*+,.=?^_~-]+$/u;
/** In addresses all of them separate names (https://www.unicode.org/reports/tr46/#Notation). */
const dots = /[.\u3002\uff0e\uff61]/;
/**
 * The longest top-level domain has 24 characters
 * (https://data.iana.org/TLD/tlds-alpha-by-domain.txt).
 */
const maxTopLevelDomain = 24;

/** Telegram's: no port has as many characters. */
const botToken = /^\d{6,12}:[\w-]{30,}$/;

/** How often a text is decoded; what is encoded more often counts as a destination. */
const maxDecodings = 4;

/**
 * Whether a text can be nothing but a password or a key: no number, no path, no address, no
 * command.
 */
export function isOpaque(text: string, decodings = 0): boolean {
  if (botToken.test(text)) return true;
  if (/%[0-9a-f]{2}/i.test(text)) {
    if (decodings === maxDecodings) return false;
    const plain = percentDecoded(text);
    return plain !== text && isOpaque(plain, decodings + 1);
  }
  if (!opaqueCharacters.test(text) || isNumeric(text)) return false;
  return !text.split(/[^\p{L}\p{M}\p{N}._\u3002\uff0e\uff61-]/u).some(isHostLike);
}

/** Numbers of any kind, also of telephones and cards, and of bank accounts. */
const isNumeric = (text: string): boolean =>
  !/\p{L}/u.test(text) || !Number.isNaN(Number(text)) || isIban(text);

/**
 * With the check digits of ISO 13616: the number that its letters and digits make leaves 1 when
 * divided by 97.
 */
function isIban(text: string): boolean {
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/i.test(text)) return false;
  const digits = (text.slice(4) + text.slice(0, 4)).replaceAll(/[a-z]/gi, (letter) =>
    String(Number.parseInt(letter, 36)),
  );
  return BigInt(digits) % 97n === 1n;
}

function isHostLike(text: string): boolean {
  const labels = text.split(dots).filter((label) => label !== "");
  const last = labels.at(-1) ?? "";
  if (labels.every((label) => /^(?:\d+|0x[\da-f]*)$/i.test(label))) return labels.length > 1;
  return (
    labels.length > 1 &&
    last.length <= maxTopLevelDomain &&
    /^[\p{L}\p{M}\p{N}-]+$/u.test(last) &&
    /[^\d-]/.test(last)
  );
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Whether a text can put a part of itself somewhere else: variables, pipes, templates, joined
 * strings. In such a text a token may become a host or a command.
 */
export const movesValues = (text: string): boolean =>
  /[$|]|%\w{1,64}%|\{[\w{}]|["']\s{0,8}\+|\+\s{0,8}["']/.test(text);

/**
 * By code unit, 1 for what a word ends at. A pattern would take long: it is asked for each unit
 * around each run.
 */
const boundaries = new Uint8Array(0x10000);
// White space, as `\s` means it, and signs.
for (const each of "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff\"'`<>,;()")
  boundaries[each.charCodeAt(0)] = 1;
/**
 * The rest of a name or a path: a dot in any of its forms with a letter, or a sign of an address.
 * An ideographic full stop is one only before ASCII, since it ends sentences that have no blanks.
 */
const continued =
  /^(?:[\w~+-]|[^\0-\x7f\u3002\uff0e\uff61])*(?:[/\\@:]|[.\uff0e\uff61]\p{Cf}*[\p{L}\p{N}]|\u3002\p{Cf}*[a-z\d]|%[\da-f]{2})/iu;
/** Parsers of addresses ignore line breaks and tabs (https://url.spec.whatwg.org/#url-parsing). */
const brokenBefore = /(?:[/\\@]|https?:)[\t\r\n]{1,8}$/i;
const brokenAfter = /^[\t\r\n]{1,8}(?:@|\.[\p{L}\p{N}])/u;
/**
 * A field's name and the separator before its value, as JSON, YAML and commands
 * write it.
 */
const fieldBefore =
  /(?<quote>\\{0,8}["'])?(?<name>[\w.-]{1,64})(?:\\{0,8}["'])?\s{0,8}(?<sign>[:=])\s{0,8}(?:\[\s{0,8})?(?:\\{0,8}["'])?$/;

/** UTF-16 units at each side of a run that are looked at; a longer word counts as a destination. */
const maxLooked = 512;
/** UTF-16 units before a run that may contain the name of its field. */
const maxFieldLength = 100;

/** A run of characters in a text, and whether a name before it says that it is a secret. */
export interface Run {
  readonly at: number;
  readonly length: number;
  readonly isNamed: boolean;
}

/**
 * Whether a run is a part of an address or a path, or is what an option such as `--host` is given.
 */
export function isInDestination(text: string, run: Run): boolean {
  const { at, length, isNamed } = run;
  const before = wordBefore(text, at);
  const after = wordAfter(text, at + length);
  if (before.length > maxLooked || after.length > maxLooked) return true;
  const scheme = before.indexOf("://");
  if (scheme >= 0) {
    const upTo = before.slice(scheme + 3) + text.slice(at, at + length);
    return !isNamed || isInUrl(upTo, { length, after });
  }
  // A pattern's run may end with the dot.
  const dot = text.charAt(at + length - 1) === "." ? "." : "";
  if (/[/\\@.]$/.test(before) || continued.test(dot + after)) return true;
  // host:path, as scp takes it
  if (/\.[\p{L}\p{N}-]+:$/u.test(before)) return true;
  const end = at + length;
  const near = text.slice(Math.max(0, at - maxFieldLength), at);
  if (brokenBefore.test(near) || brokenAfter.test(text.slice(end, end + 16))) return true;
  if (isNamed) return false;
  const option = before === "" ? /(?:^|\s)--?([\w-]{1,64})\s{1,8}$/.exec(near) : null;
  if (option !== null) return namesDestination(option[1] ?? "");
  const { quote, name = "", sign } = fieldBefore.exec(near)?.groups ?? {};
  // A colon in prose announces many things: only who gets something counts there.
  return quote !== undefined || sign === "=" ? namesDestination(name) : namesRecipient(name);
}

/**
 * Of an address only a password, and a parameter that is named as a secret, are no destination.
 * @param upTo the address from its host to the end of the run
 */
function isInUrl(
  upTo: string,
  { length, after }: { readonly length: number; readonly after: string },
): boolean {
  // A host ends at the first of these: an `@` after it is no part of it.
  if (!/[/\\?#]/.test(upTo)) return !/^[^/\\?#]*@/.test(after);
  const before = upTo.slice(0, -length);
  const isParameter = /[?#]/.test(before) && before.endsWith("=");
  return !isParameter || !/^(?:[&#]|$)/.test(after);
}

/** At most one unit more than is looked at. */
function wordBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && end - start <= maxLooked && boundaries[text.charCodeAt(start - 1)] === 0)
    start -= 1;
  return text.slice(start, end);
}

function wordAfter(text: string, start: number): string {
  let end = start;
  while (end < text.length && end - start <= maxLooked && boundaries[text.charCodeAt(end)] === 0)
    end += 1;
  return text.slice(start, end);
}
