/** Discord takes an address as it stands, backslashes included; a backtick is part of none. */
const address = /https?:\/\/[^\s<`]+/g;

/** Words that Discord shows as they are: no mark-up, no link, no mention, no emoji in them. */
export function escaped(text: string): string {
  let result = "";
  let from = 0;
  for (const match of text.matchAll(address)) {
    result += escapeMarks(text.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  return result + escapeMarks(text.slice(from));
}

const escapeMarks = (text: string): string =>
  text
    .replaceAll(/[\\*_~`|<[]/g, String.raw`\$&`)
    .replaceAll(
      /^([ \t]*)(>|#{1,3}(?=[ \t])|[-+](?=[# \t]))/gm,
      String.raw`$1\$2`,
    )
    .replaceAll(/^([ \t]*\d+)\.(?=[ \t])/gm, String.raw`$1\.`);
