const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
// oxlint-disable-next-line no-control-regex -- those are what is looked for
const ascii = /^[\u0020-\u007e]*$/;
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

/** What people see as one character each. */
export function graphemesOf(text: string): string[] {
  return ascii.test(text)
    ? text.split("")
    : Array.from(graphemes.segment(text), (each) => each.segment);
}

function graphemeWidth(grapheme: string): number {
  if (invisible.test(grapheme)) return 0;
  if (picture.test(grapheme)) return 2;
  const code = grapheme.codePointAt(0) ?? 0;
  return wideRanges.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}

/** How many columns of a terminal the text takes; it has no control characters. */
export function displayWidth(text: string): number {
  if (ascii.test(text)) return text.length;
  return graphemesOf(text).reduce((sum, each) => sum + graphemeWidth(each), 0);
}
