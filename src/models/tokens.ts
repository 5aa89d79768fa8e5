import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";

/** How many tokens a text is. */
export type CountTokens = (text: string) => number;

/**
 * An upper bound: a token is at least one byte of UTF-8. So cheap that short
 * conversations never need the tokenizer.
 */
export const maxTokensOf: CountTokens = (text) => Buffer.byteLength(text);

let loading: Promise<Tokenizer> | undefined;

/**
 * OpenAI's `o200k_base`, the measure for every vendor's models. Its tables are loaded with the
 * first use, because they take about 60 MB and 200 ms; from then on there is one of it. Counting
 * never throws, whatever the text.
 */
export async function loadTokenizer(): Promise<CountTokens> {
  return (await tokenizer()).count;
}

/**
 * Counts texts with pauses for other work: a million tokens take seconds. The
 * returned counter remembers them, and whatever else it counts, for its
 * lifetime.
 */
export async function countAhead(texts: Iterable<string>): Promise<CountTokens> {
  const { count, countPiece, memory } = await tokenizer();
  const known = new Map<string, number>();
  let sincePause = 0;
  for (const text of texts) {
    if (known.has(text)) continue;
    let tokens = memory.get(text);
    if (tokens === undefined) {
      tokens = 0;
      for (const piece of piecesOf(text.toWellFormed())) {
        tokens += countPiece(piece);
        sincePause += piece.length;
        if (sincePause < pieceLength) continue;
        sincePause = 0;
        await setImmediate();
      }
      memory.set(text, tokens);
    }
    known.set(text, tokens);
  }
  return (text) => {
    const tokens = known.get(text) ?? count(text);
    known.set(text, tokens);
    return tokens;
  };
}

interface Tokenizer {
  /** Remembers long texts. */
  readonly count: CountTokens;
  readonly countPiece: CountTokens;
  readonly memory: CountMemory;
}

const tokenizer = (): Promise<Tokenizer> => (loading ??= load());

/** Pieces of words that the library remembers; its default is 100,000. */
const rememberedPieces = 10_000;

async function load(): Promise<Tokenizer> {
  const { countTokens, setMergeCacheSize } = await import("gpt-tokenizer/encoding/o200k_base");
  setMergeCacheSize(rememberedPieces);
  // By default the tokenizer refuses texts with special tokens, but people may write
  // `<|endoftext|>` as plain text.
  const plain = { disallowedSpecial: new Set<string>() };
  const countPiece: CountTokens = (piece) =>
    inBoundedRuns(piece, (part) => countTokens(part, plain));
  const memory = new CountMemory();
  const count: CountTokens = (text) => {
    const found = memory.get(text);
    if (found !== undefined) return found;
    let tokens = 0;
    for (const piece of piecesOf(text.toWellFormed())) tokens += countPiece(piece);
    memory.set(text, tokens);
    return tokens;
  };
  return { count, countPiece, memory };
}

/** Characters that are counted in one go: less than 1 ms for prose, 20 ms for signs by chance. */
const pieceLength = 4_096;
/** Characters in which a place between two words is looked for. */
const pieceEndLength = 512;
/** Before the space that begins a word: no token reaches over it. */
const betweenWords = /(?<=\S) (?=\p{L})/u;

/**
 * A text in pieces that have together as many tokens as the text, or, where it has no words, a few
 * more.
 */
function* piecesOf(text: string): Generator<string> {
  let from = 0;
  while (text.length - from > pieceLength + pieceEndLength) {
    const least = from + pieceLength;
    const place = text.slice(least, least + pieceEndLength).search(betweenWords);
    const end = place < 0 ? wholeEnd(text, least) : least + place;
    yield text.slice(from, end);
    from = end;
  }
  yield text.slice(from);
}

/** Never half of a character. */
const wholeEnd = (text: string, end: number): number =>
  /[\uD800-\uDBFF]/.test(text[end - 1] ?? "") ? end - 1 : end;

/**
 * Characters of a run without a space (or of nothing else) from which on it is counted in pieces.
 */
const longRun = 256;
const pieceOfRun = 128;

/**
 * The tokenizer's time grows with the square of what it takes for a word, and a person can send
 * 100,000 letters without a space: such runs are counted in pieces, which makes them a little
 * larger than they are, never smaller.
 */
function inBoundedRuns(text: string, count: CountTokens): number {
  let total = 0;
  let from = 0;
  for (const { 0: run, index } of text.matchAll(runs)) {
    total += count(text.slice(from, index));
    for (let at = 0; at < run.length; at += pieceOfRun)
      total += count(run.slice(at, at + pieceOfRun));
    from = index + run.length;
  }
  return total + count(text.slice(from));
}

const runs = new RegExp(`\\S{${longRun},}|\\s{${longRun},}`, "g");

/** Shorter texts are counted about as fast as they are looked up. Characters. */
const shortestRemembered = 256;
const maxRemembered = 50_000;

/**
 * Cached sizes of texts, by digest: a view is counted with every call, and most of it is unchanged.
 */
class CountMemory {
  readonly #known = new Map<string, number>();

  get(text: string): number | undefined {
    return text.length < shortestRemembered ? undefined : this.#known.get(digestOf(text));
  }

  /** Forgets the oldest first. */
  set(text: string, tokens: number): void {
    if (text.length < shortestRemembered) return;
    this.#known.set(digestOf(text), tokens);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= maxRemembered) break;
      this.#known.delete(oldest);
    }
  }
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("base64");
