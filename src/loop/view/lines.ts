import { withoutOurBrackets } from "../../text/platform-voice.ts";

/** The index from which on the last lines have together at most `maxLength` characters. Pure. */
export function fittingFrom(lines: readonly string[], maxLength: number): number {
  let length = 0;
  for (let index = lines.length - 1; index >= 0; index -= 1) {
    length += (lines[index] ?? "").length + 1;
    if (length > maxLength) return index + 1;
  }
  return 0;
}

/**
 * Items are single lines, so that none can be mistaken for a separate block.
 * Only the shown part is processed.
 */
export const oneLine = (text: string, maxLength: number): string =>
  withoutOurBrackets(
    text
      .trim()
      .replaceAll(/\s+/g, " ")
      .slice(0, maxLength + 1),
  );
