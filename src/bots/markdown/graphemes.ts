const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/**
 * UTF-16 units looked at on either side; a longer cluster (stacked marks) may be cut, a surrogate
 * pair never.
 */
const window = 128;

/**
 * The last place at or before `index` where a cut harms no character; above `from`, so that the
 * caller moves on.
 */
export function cutBefore(text: string, index: number, from: number): number {
  const start = flagStart(text, Math.max(from, index - window), from);
  const part = text.slice(start, index + window);
  const segment = segmenter.segment(part).containing(index - start);
  const cut = start + (segment?.index ?? 0);
  if (cut > from) return cut;
  const pair = pairStart(text, index);
  return pair > from ? pair : index + 1;
}

/** In a row of flags, each of two letters, where one of them begins. */
function flagStart(text: string, index: number, from: number): number {
  const start = pairStart(text, index);
  let row = start;
  while (row - 2 >= from && isFlagLetter(text.codePointAt(row - 2))) row -= 2;
  return (start - row) % 4 === 0 ? start : start - 2;
}

const isFlagLetter = (codePoint = 0): boolean => codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff;

const pairStart = (text: string, index: number): number =>
  index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff ? index - 1 : index;

const wide =
  /\p{Emoji_Presentation}|\uFE0F|[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/u;

/** Columns that the text takes in a monospaced font: two for East Asian characters and emoji. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7E]*$/.test(text)) return text.length;
  let columns = 0;
  for (const { segment } of segmenter.segment(text)) columns += wide.test(segment) ? 2 : 1;
  return columns;
}

/** At most `maxUnits` UTF-16 units; an ellipsis replaces the rest. */
export function shorten(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  return `${text.slice(0, cutBefore(text, maxUnits - 1, 0)).trimEnd()}…`;
}
