/** Runs of letters, digits and what addresses and file names hold besides. */
const wordShape = /[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N}._-]*/gu;
const latin = /\p{Script=Latin}/u;
/** Scripts with letters that cannot be told from Latin ones. */
const alike =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}]/u;
/** A part of a name, all of whose Cyrillic letters have Latin doubles. */
const disguised = /^[асеорхуіјѕԁԛԝһ]{3,}$/iu;
/** Printers' signs for several letters. */
const ligatures = /[\uFB00-\uFB06]/g;
const ascii = /^[\x20-\x7e]+$/;
const maxLookalikes = 5;
const maxLength = 60;

/**
 * Words that look like others: with letters of two scripts that share their shapes, as in `pаypal.com` with a Cyrillic а, or
 * of letters that only look like ASCII, as in `ｐａｙｐａｌ`. At most five, each once. Pure, and in linear time.
 */
export function lookalikes(text: string): readonly string[] {
  if (ascii.test(text)) return [];
  const found = new Set<string>();
  for (const [word] of text.matchAll(wordShape)) {
    if (found.size >= maxLookalikes) break;
    if (isLookalike(word)) found.add(word.slice(0, maxLength).toWellFormed());
  }
  return [...found];
}

function isLookalike(word: string): boolean {
  if (ascii.test(word)) return false;
  const parts = word.split(/[._-]+/);
  if (parts.some((part) => latin.test(part) && alike.test(part))) return true;
  if (latin.test(word) && parts.some((part) => disguised.test(part)))
    return true;
  const printed = word.replaceAll(ligatures, "");
  const plain = printed.normalize("NFKC");
  // Several letters, so that signs such as ª and ² alone are none.
  return plain !== printed && ascii.test(plain) && /[a-z]{3}/i.test(plain);
}

/** A word with its odd letters as codes, e.g. `p\u0430ypal.com`. Pure. */
export const spelledOut = (word: string): string =>
  word.replaceAll(/[^\x20-\x7e]/gu, (letter) => {
    const code = (letter.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, "0")}`;
  });
