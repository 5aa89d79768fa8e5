import { lengthText, type CharactersOf } from "../text/hide-secrets.ts";

/** A text that is cut says how much is missing where; half of a character is never left over. Pure. */
export function cutMiddle(
  text: string,
  maxLength: number,
  charactersOf: CharactersOf,
): string {
  if (text.length <= maxLength) return text;
  const half = Math.floor(maxLength / 2);
  const head = text.slice(0, half).replace(/[\uD800-\uDBFF]$/, "");
  const tail = text.slice(text.length - half).replace(/^[\uDC00-\uDFFF]/, "");
  const left = text.length - head.length - tail.length;
  return `${head} [… ${lengthText(left, charactersOf)} …] ${tail}`;
}
