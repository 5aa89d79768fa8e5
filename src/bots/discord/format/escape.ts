import { widePunctuation } from "../../markdown/bare-addresses.ts";

/**
 * Texts that Discord takes literally, backslashes included: addresses, which contain no backtick and
 * no wide punctuation.
 */
const address = new RegExp(String.raw`https?:\/\/(?:(?!${widePunctuation.source})[^\s<\x60])+`);

/** Custom emoji, moments, mentions, channels and commands, as Discord writes them. */
const tokens =
  /<(?:@[!&]?|#)\d+>|<a?:\w{2,32}:\d+>|<t:-?\d{1,17}(?::\w)?>|<\/[^\s:<>][^:<>\n]*:\d+>|<id:[\w:-]+>/;

const addresses = new RegExp(address, "g");
const addressesAndTokens = new RegExp(`${address.source}|${tokens.source}`, "g");

/** Words that Discord shows as they are: no mark-up, no link, no mention, no emoji in them. */
export const escaped = (text: string): string =>
  around(text, addresses, (part) =>
    part
      .replaceAll(/[\\*_~`|<[]/g, String.raw`\$&`)
      .replaceAll(/^([ \t]*)(>|#{1,3}(?=[ \t])|[-+](?=[# \t]))/gm, String.raw`$1\$2`)
      .replaceAll(/^([ \t]*\d+)\.(?=[ \t])/gm, String.raw`$1\.`),
  );

/**
 * A model's words, in which Discord's own tokens keep their meaning. Only what Discord would take
 * for a mark gets a backslash: one that it shows would be in the way.
 */
export const escapedWords = (text: string): string =>
  around(text, addressesAndTokens, (part) =>
    part
      .replaceAll(/\\(?![A-Za-z0-9\s])/g, "\\\\")
      .replaceAll("`", "\\`")
      .replaceAll(/(?<!^|\s)\*|\*(?!\s)/g, String.raw`\*`)
      .replaceAll(/_+/g, (run, at: number) =>
        run === "_" && isWithinWord(part, at) ? run : "\\_".repeat(run.length),
      )
      .replaceAll(/~{2,}|\|{2,}|^[~|]|[~|]$/g, (run) => run.replaceAll(/[~|]/g, String.raw`\$&`))
      .replaceAll("](", "]\\(")
      .replace(/<$/, "\\<"),
  );

/**
 * Whether Discord shows these words of a link as they are. It takes marks there for marks, and shows
 * every backslash (discord/discord-api-docs#6185): only a mark that has no partner may stay.
 * @param isAlone whether no other mark is around them or next to them
 */
export const isLabel = (text: string, isAlone: boolean): boolean =>
  !text.includes("](") &&
  !text.endsWith("\\") &&
  (escapedWords(text) === text ||
    (isAlone && pairing.every((mark) => (text.match(mark)?.length ?? 0) < 2)));

/** Marks that a second one makes a pair of. */
const pairing = [/\*/g, /_/g, /`/g, /~~/g, /\|\|/g];

/** Line beginnings that would make a heading, a quote, a list or small print. */
export const escapedAtLineStart = (text: string): string =>
  text
    .replace(/^([ \t]*)(>(?=[ \t]|>>|$)|#{1,3}(?=[ \t])|-(?=#)|[-+*](?=[ \t]))/, String.raw`$1\$2`)
    .replace(/^([ \t]*\d+)\.(?=[ \t]|$)/, String.raw`$1\.`);

/** An address that ends where the bracket does. */
export const bracketed = (url: string): string => `<${url.replaceAll(">", "%3E")}>`;

const isWithinWord = (text: string, at: number): boolean =>
  /[A-Za-z0-9]/.test(text[at - 1] ?? "") && /[A-Za-z0-9]/.test(text[at + 1] ?? "");

function around(text: string, exempt: RegExp, change: (part: string) => string): string {
  let result = "";
  let from = 0;
  for (const match of text.matchAll(exempt)) {
    const end = match.index + match[0].length;
    // To Discord an address goes on up to the next space, and would show the backslash that the
    // backtick gets.
    const next = text[end] ?? "";
    const isCut = match[0].startsWith("http") && (next === "`" || widePunctuation.test(next));
    const kept = isCut ? bracketed(match[0]) : match[0];
    result += change(text.slice(from, match.index)) + kept;
    from = end;
  }
  return result + change(text.slice(from));
}
