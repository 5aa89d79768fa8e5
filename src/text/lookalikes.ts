/**
 * Signs that look like the dots, slashes and colons of addresses, from Unicode's confusables.txt.
 */
const signs = "\u2024\u2044\u2215\u2571\u27cb\u29f8\u2236\ua789";
/** Runs of letters, digits and what addresses and file names hold besides. */
const wordShape = new RegExp(String.raw`[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}${signs}._-]*`, "gu");
const looksLikeSign = new RegExp(`[${signs}]`);
const latin = /\p{Script=Latin}/u;
/**
 * Letters of other scripts. Those that are written without blanks between words, and unlike Latin,
 * appear next to it in any text.
 */
const foreign =
  /[\p{L}--[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]]/v;
/** A part of a name, all of whose Cyrillic or Greek letters have Latin doubles. */
const disguised = /^(?:[асеорхуіјѕԁԛԝһӏѵѡүҽ]{3,}|[αοινρυγκϲϳ]{3,})$/iu;
/**
 * Latin letters that look like ASCII ones, or like digits, and have no compatibility form that says
 * so: those of Unicode's confusables.txt
 * (https://www.unicode.org/Public/security/latest/confusables.txt).
 */
const latinDoubles =
  /[\u0131\u0184\u018d\u0196\u01a6\u01a7\u01b7\u01bc\u01bd\u01c0\u021c\u0222\u0223\u0251\u0261\u0263\u0269\u026a\u026f\u028b\u028f\u1d04\u1d0f\u1d11\u1d1c\u1d20-\u1d22\u1d83\u1d8c\u1e9d\u1eff\ua731\ua75a\ua76a\ua76e\ua798\ua799\ua79f\ua7ab\ua7b2-\ua7b4\uab32\uab35\uab3d\uab47\uab48\uab4e\uab52\uab5a]/g;
/** Printers' signs for several letters. */
const ligatures = /[\uFB00-\uFB06]/g;
const ascii = /^[\x20-\x7e]+$/;
const maxLookalikes = 5;
const maxLength = 60;

/**
 * Words that look like others: with letters of two scripts that share their shapes, as in
 * `pаypal.com` with a Cyrillic а, or of letters that only look like ASCII, as in `ｐａｙｐａｌ`. Each
 * once, as a whole. Pure, and in linear time.
 */
export function* allLookalikes(text: string): Generator<string, void, undefined> {
  if (ascii.test(text)) return;
  const found = new Set<string>();
  for (const [word] of text.matchAll(wordShape)) {
    if (found.has(word) || !isLookalike(word)) continue;
    found.add(word);
    yield word;
  }
}

/** The first five of them, no longer than a card has room for; `...`: there are more. Pure. */
export const shortList = (words: Iterable<string>): readonly string[] =>
  [...Iterator.from(words).take(maxLookalikes + 1)].map((word, index) =>
    index < maxLookalikes ? word.slice(0, maxLength).toWellFormed() : "...",
  );

/** Words that look like others, as `shortList` has them. Pure. */
export const lookalikes = (text: string): readonly string[] => shortList(allLookalikes(text));

function isLookalike(word: string): boolean {
  if (ascii.test(word)) return false;
  const parts = word.split(/[._-]+/);
  if (parts.some((part) => latin.test(part) && foreign.test(part))) return true;
  if (latin.test(word) && parts.some((part) => disguised.test(part))) return true;
  if (looksLikeSign.test(word) && latin.test(word)) return true;
  // A word with other letters as well belongs to a language that uses them, or is phonetic.
  if (parts.some((part) => isAsciiBut(latinDoubles, part))) return true;
  const printed = word.replaceAll(ligatures, "");
  const plain = printed.normalize("NFKC");
  // Several letters, so that signs such as ª and ² alone are none.
  return plain !== printed && ascii.test(plain) && /[a-z]{3}/i.test(plain);
}

const isAsciiBut = (letters: RegExp, part: string): boolean => {
  const rest = part.replaceAll(letters, "");
  return rest !== part && /^[\x20-\x7e]*$/.test(rest);
};

/** A word with its odd letters as codes, e.g. `p\u0430ypal.com`. Pure. */
export const spelledOut = (word: string): string =>
  word.replaceAll(/[^\x20-\x7e]/gu, (letter) => {
    const code = (letter.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
  });
