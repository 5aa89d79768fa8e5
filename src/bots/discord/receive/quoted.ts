/** Characters of a question that its echo shows; the person has just typed it. */
const maxLength = 300;

/**
 * The question as the bot's first answer to `/ask`, so that others in the channel see what was
 * asked.
 */
export function quoted(question: string): string {
  // One unit more than fits: the rest isn't shown.
  const start = question
    .trim()
    .slice(0, maxLength + 1)
    .toWellFormed();
  let shown = "";
  for (const { segment } of new Intl.Segmenter().segment(start)) {
    if (shown.length + segment.length > maxLength) return quoteLines(`${shown}…`);
    shown += segment;
  }
  return quoteLines(shown === "" ? "…" : shown);
}

const quoteLines = (text: string): string =>
  text
    .split(/\r\n|[\r\n]/)
    .map((line) => `> ${line}`)
    .join("\n");
