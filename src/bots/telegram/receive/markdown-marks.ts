/**
 * Characters that would end a destination, or that are invisible: they are percent-encoded, as browsers do.
 */
const unsafe = /[\p{Cc}\p{Z}\p{Cf}<>\\]/gu;

/** A link in Markdown: words and address are both visible, whatever the address is. Pure. */
export function linkTo(words: string, address: string): string {
  const url = address.toWellFormed().trim().replaceAll(unsafe, encodeURIComponent);
  return `[${words}](${isBalanced(url) ? url : `<${url}>`})`;
}

/** Whether the words are the address itself, perhaps without what people leave out of it. Pure. */
export const saysAddress = (words: string, url: string): boolean => bare(words) === bare(url);

const bare = (url: string): string =>
  url
    .trim()
    .replace(/^https?:\/\//i, "")
    .replace(/\/$/, "");

/** Whether its parentheses end where they begin, so that the link's own one comes last. */
function isBalanced(url: string): boolean {
  let depth = 0;
  for (const sign of url) {
    if (sign === "(") depth += 1;
    if (sign === ")") depth -= 1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/** How many backticks stand next to each other at most: a fence needs one more. Pure. */
export const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((most, { length }) => Math.max(most, length), 0);

/** Empty for what is no name of a language. Pure. */
export const codeLanguage = (name: string): string => /^[^\s`]{1,40}/.exec(name)?.[0] ?? "";
