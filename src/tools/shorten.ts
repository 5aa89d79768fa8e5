/** Most characters of an old result; the view cuts longer ones. */
export const maxOldLength = 200;

/**
 * The start of a text that is longer than `maxLength` UTF-16 units; never half a character. Pure.
 */
export const shorten = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;

/** The same as one line. Pure. */
export const shortenLine = (text: string, maxLength: number): string =>
  // Cut first: the rest may be megabytes.
  shorten(
    text
      .slice(0, maxLength * 4)
      .replaceAll(/\s+/g, " ")
      .trim(),
    maxLength,
  );

/**
 * A head that says what an old result was, and as much of its beginning as there is room for. Pure.
 */
export const oldResult = (head: string, text: string): string =>
  `${head}${shortenLine(text, maxOldLength - head.length)}`;
