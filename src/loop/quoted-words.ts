/** A word of a script without blanks weighs as much as several letters. */
const denseWeight = 3;
/** A passage of this weight is found wherever it is repeated; about five English words, or eight Chinese characters. */
const passageWeight = 22;
/** A whole text of at least this weight is found, too. */
const shortestWeight = 9;
/** A single word this long with a digit or an @ in it is one that people share: a number, an address, a code. */
const shortestCode = 6;

const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[[\p{L}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]](?:[[\p{L}\p{M}\p{N}@._+]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]]*[[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]])?/gv;
const dense = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;

/**
 * What one person wrote, to find where it is repeated word for word: whole short texts, passages of longer ones, and codes
 * and addresses. Case, blanks and punctuation don't count; a paraphrase isn't found. Linear in the length of the texts.
 */
export class QuotedWords {
  /** Passages and short texts, by how many words they have. */
  readonly #passages = new Map<number, Set<string>>();
  readonly #firstWords = new Set<string>();

  add(text: string): void {
    const words = wordsIn(text);
    for (const each of words) if (isCode(each)) this.#remember([each]);
    for (let from = 0; from < words.length; from += 1) {
      const passage = passageAt(words, from);
      if (passage !== undefined) this.#remember(passage);
      else if (from === 0 && weightOf(words) >= shortestWeight)
        this.#remember(words);
      else return;
    }
  }

  /** Whether a text repeats any of it. */
  areIn(text: string): boolean {
    if (this.#passages.size === 0) return false;
    const words = wordsIn(text);
    for (const [from, first] of words.entries()) {
      if (!this.#firstWords.has(first)) continue;
      for (const [length, passages] of this.#passages)
        if (passages.has(words.slice(from, from + length).join(" ")))
          return true;
    }
    return false;
  }

  #remember(words: readonly string[]): void {
    this.#firstWords.add(words[0] ?? "");
    const same = this.#passages.get(words.length) ?? new Set();
    this.#passages.set(words.length, same.add(words.join(" ")));
  }
}

const wordsIn = (text: string): readonly string[] =>
  text.normalize("NFKC").toLowerCase().match(word) ?? [];

const isCode = (each: string): boolean =>
  each.length >= shortestCode && /[\p{N}@]/u.test(each);

const weightOf = (words: readonly string[]): number =>
  words.reduce(
    (sum, each) => sum + (dense.test(each) ? denseWeight : each.length + 1),
    0,
  );

/** The shortest passage that begins there and is long enough; undefined where the text ends before. */
function passageAt(
  words: readonly string[],
  from: number,
): readonly string[] | undefined {
  let weight = 0;
  for (let at = from; at < words.length; at += 1) {
    weight += weightOf([words[at] ?? ""]);
    if (weight >= passageWeight) return words.slice(from, at + 1);
  }
  return undefined;
}
