const mark = "… [cut]";

/**
 * The text, at most `maxLength` UTF-16 units of it with a mark at its end; half of a character is
 * never left over. Pure.
 *
 * @param maxLength at least the mark's own length.
 */
export function cutText(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const end = maxLength - mark.length;
  const splits = /^[\uD800-\uDBFF][\uDC00-\uDFFF]/.test(text.slice(end - 1, end + 1));
  return text.slice(0, splits ? end - 1 : end) + mark;
}
