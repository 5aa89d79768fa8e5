import { isBlank } from "../../../text/blank.ts";

/**
 * What Telegram's server does to every text anyway, done here first so that our offsets and lengths
 * are those it stores: control characters and tabs become spaces; `\r`, U+2028–202E and three
 * combining marks vanish (`clean_input_string` in misc.cpp of TDLib). A lone surrogate, which it
 * refuses, becomes U+FFFD.
 */
export function cleanText(text: string): string {
  const wellFormed = text.toWellFormed();
  if (!unwanted.test(wellFormed)) return wellFormed;
  // Composed first, so that an Å written as two characters keeps its ring.
  return wellFormed
    .normalize("NFC")
    .replaceAll("\r\n", "\n")
    .replaceAll(/[\r\u2028\u2029]/g, "\n")
    .replaceAll(/[\u202A-\u202E]|\u0333|\u033F|\u030A/g, "")
    .replaceAll(controls, " ");
}

// oxlint-disable-next-line no-control-regex -- those are what is looked for
const controls = /[\0-\x09\x0B\x0C\x0E-\x1F]/g;
// oxlint-disable-next-line no-control-regex -- those are what is looked for
const unwanted = /[\0-\x09\x0B-\x1F\u2028-\u202E]|\u0333|\u033F|\u030A/;

/**
 * True when nothing of it can be seen: Telegram refuses such a message (`is_empty_string` in
 * TDLib's misc.cpp, for which U+FFFC, the place of an object, is nothing either).
 */
export const isInvisible = (text: string): boolean => isBlank(text.replaceAll("\uFFFC", ""));
