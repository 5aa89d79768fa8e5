const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
// oxlint-disable-next-line no-control-regex -- those are what is looked for
const ascii = /^[\u0020-\u007e]*$/;
/**
 * Letters of which none joins with the next one: segmenting takes a hundred times as long as
 * reading them.
 */
const apart =
  /^[[ -~\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u2010-\u2027\u3000-\u303f\uff00-\uff9d]--[\p{M}\p{Cf}\p{Extended_Pictographic}]]*$/v;
const invisible = /^[\p{Mark}\p{Format}\p{Control}]+$/u;
const picture = /\p{Emoji_Presentation}|\ufe0f|\p{Regional_Indicator}/u;

/** Unicode's East Asian Wide and Fullwidth, in blocks: UAX #11. */
const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1b000, 0x1b2fb],
  [0x20000, 0x3fffd],
];

/** UTF-16 units that are segmented at once: a longer cluster (stacked marks) comes in parts. */
const windowUnits = 4_096;
/** UTF-16 units at the end of a window that may belong to a cluster that goes on after it. */
const overlapUnits = 128;

/**
 * Splits a text into visible characters. Each step takes a short time, however long the text is.
 */
export function* graphemesOf(text: string): Generator<string> {
  if (apart.test(text)) {
    yield* text;
    return;
  }
  for (let from = 0; from < text.length;) {
    const part = text.slice(from, from + windowUnits);
    const isLast = from + part.length === text.length;
    const end = isLast ? part.length : part.length - overlapUnits;
    let done = 0;
    for (const { segment, index } of graphemes.segment(part)) {
      if (index >= end) break;
      yield segment;
      done = index + segment.length;
    }
    from += done;
  }
}

/** The columns of one of these. */
export function graphemeWidth(grapheme: string): number {
  if (invisible.test(grapheme)) return 0;
  if (picture.test(grapheme)) return 2;
  const code = grapheme.codePointAt(0) ?? 0;
  return wideRanges.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

/** How many columns of a terminal the text takes; it has no control characters. */
export function displayWidth(text: string): number {
  if (ascii.test(text)) return text.length;
  let columns = 0;
  for (const each of graphemesOf(text)) columns += graphemeWidth(each);
  return columns;
}

/** Whether it takes more columns than that; reads no more of it than it must. */
export function isWiderThan(text: string, columns: number): boolean {
  if (ascii.test(text)) return text.length > columns;
  let left = columns;
  for (const each of graphemesOf(text)) {
    left -= graphemeWidth(each);
    if (left < 0) return true;
  }
  return false;
}
