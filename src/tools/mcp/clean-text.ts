import { withoutOurBrackets } from "../../text/platform-voice.ts";
import { shorten } from "../shorten.ts";

/** Maximum length of a line shown next to a tool's name. UTF-16 units. */
export const maxLineLength = 100;

/** Everything that is not seen: controls, bidirectional marks, tags, halves of characters. */
const unseen = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** A stranger's text as one line of at most `maxLength` UTF-16 units. */
export function cleanLine(text: string, maxLength: number): string {
  // Cut first: the rest may be megabytes.
  const line = text
    .slice(0, maxLength * 4)
    .replaceAll(/\s+/g, " ")
    .replaceAll(unseen, "")
    .trim();
  return withoutOurBrackets(shorten(line, maxLength));
}

/** The same, but line breaks stay. */
export function cleanText(text: string, maxLength: number): string {
  const clean = text
    .slice(0, maxLength * 4)
    .replaceAll(/\r\n?/g, "\n")
    .split("\n")
    .map((line) => line.replaceAll("\t", " ").replaceAll(unseen, ""))
    .join("\n")
    .trim();
  return withoutOurBrackets(shorten(clean, maxLength));
}
