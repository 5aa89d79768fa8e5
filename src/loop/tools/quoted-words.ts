/** A word of a script without blanks weighs as much as several letters. */
const denseWeight = 3;
/**
 * A passage of this weight is found wherever it is repeated; about five English words, or eight
 * Chinese characters.
 */
const passageWeight = 22;
/** A whole text of at least this weight is found, too. */
const shortestWeight = 9;
/**
 * A single word this long with a digit or an @ in it is one that people share: a number, an
 * address, a code.
 */
const shortestCode = 6;

const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[[\p{L}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]](?:[[\p{L}\p{M}\p{N}@._+]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]]*[[\p{L}\p{M}\p{N}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]])?/gv;
const dense = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]$/u;

/**
 * What one person wrote, to find where it is repeated word for word: whole short texts, passages of
 * longer ones, and codes and addresses. Case, blanks and punctuation don't count; a paraphrase
 * isn't found. Linear in the length of the texts.
 */
export class QuotedWords {
  /** Passages and short texts, by how many words they have. */
  readonly #passages = new Map<number, Set<string>>();
  readonly #firstWords = new Set<string>();

  add(text: string): void {
    const words = new Words(text);
    const { count } = words;
    for (let at = 0; at < count; at += 1)
      if (isCode(words.from(at, 1))) this.#remember(words, at, 1);
    // The shortest passage that begins there and is long enough.
    for (let from = 0, to = 0; from < count; from += 1) {
      while (to < count && words.weight(from, to) < passageWeight) to += 1;
      if (words.weight(from, to) >= passageWeight) this.#remember(words, from, to - from);
      else if (from === 0 && words.weight(0, count) >= shortestWeight)
        this.#remember(words, 0, count);
      else return;
    }
  }

  /** Whether a text repeats any of it. */
  areIn(text: string): boolean {
    if (this.#passages.size === 0) return false;
    const words = new Words(text);
    for (let from = 0; from < words.count; from += 1) {
      if (!this.#firstWords.has(words.from(from, 1))) continue;
      for (const [length, passages] of this.#passages)
        if (passages.has(words.from(from, length))) return true;
    }
    return false;
  }

  #remember(words: Words, from: number, length: number): void {
    this.#firstWords.add(words.from(from, 1));
    const same = this.#passages.get(length) ?? new Set();
    this.#passages.set(length, same.add(words.from(from, length)));
  }
}

/** A text's words, with one blank between two. */
class Words {
  readonly count: number;
  readonly #joined: string;
  /** Where each begins; at the end, where the next one would. UTF-16 units. */
  readonly #starts: number[] = [0];
  /** Of all before each. */
  readonly #weights: number[] = [0];

  constructor(text: string) {
    const found = normal(text).match(word) ?? [];
    this.count = found.length;
    this.#joined = found.join(" ");
    let start = 0;
    let weight = 0;
    for (const each of found) {
      start += each.length + 1;
      weight += dense.test(each) ? denseWeight : each.length + 1;
      this.#starts.push(start);
      this.#weights.push(weight);
    }
  }

  /** So many words from one on, or as many as there are. */
  from(at: number, count: number): string {
    const end = this.#starts[Math.min(at + count, this.count)] ?? 0;
    return this.#joined.slice(this.#starts[at], end - 1);
  }

  /** Of the words from one up to another. */
  weight(from: number, to: number): number {
    return (this.#weights[to] ?? 0) - (this.#weights[from] ?? 0);
  }
}

/**
 * Normalising makes some characters 18 times as long: of a text made of such ones only the
 * beginning is looked at.
 */
const normal = (text: string): string =>
  text
    .normalize("NFKC")
    .slice(0, Math.max(leastRead, 1.25 * text.length))
    .toLowerCase();

/** UTF-16 units of a text that are always looked at. */
const leastRead = 20_000;

const isCode = (each: string): boolean => each.length >= shortestCode && /[\p{N}@]/u.test(each);
