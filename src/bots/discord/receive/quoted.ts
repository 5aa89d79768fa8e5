/** Characters of a question that its echo shows; the person has just typed it. */
const maxLength = 300;

/** The question as the bot's first answer to `/ask`, so that others in the channel see what was asked. */
export function quoted(question: string): string {
  const segments = [...new Intl.Segmenter().segment(question.trim())];
  let shown = "";
  for (const { segment } of segments) {
    if (shown.length + segment.length > maxLength)
      return quoteLines(`${shown}…`);
    shown += segment;
  }
  return quoteLines(shown === "" ? "…" : shown);
}

const quoteLines = (text: string): string =>
  text
    .split(/\r\n|[\r\n]/)
    .map((line) => `> ${line}`)
    .join("\n");
