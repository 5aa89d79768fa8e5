import { lengthText, type CharactersOf } from "../text/hide-secrets.ts";

/**
 * Cuts a text in the middle and says how much is missing there; never splits a surrogate pair.
 * Pure.
 */
export function cutMiddle(text: string, maxLength: number, charactersOf: CharactersOf): string {
  if (text.length <= maxLength) return text;
  const half = Math.floor(maxLength / 2);
  const head = text.slice(0, half).replace(/[\uD800-\uDBFF]$/, "");
  const tail = text.slice(text.length - half).replace(/^[\uDC00-\uDFFF]/, "");
  const left = text.length - head.length - tail.length;
  return `${head} [… ${lengthText(left, charactersOf)} …] ${tail}`;
}
