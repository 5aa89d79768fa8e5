interface Line {
  readonly head: string;
  readonly who: string;
  readonly text: string;
}

/** The line of the passages that fits the words best, with its speaker, day and link. Pure. */
export function recalledSentence(query: string, passages: string): string {
  const wanted = wordsOf(query);
  const fits = ({ text }: Line): number =>
    wordsOf(text).filter((word) => wanted.includes(word)).length;
  const [best] = linesOf(passages).toSorted((one, other) => fits(other) - fits(one));
  if (best === undefined || fits(best) === 0)
    return /still being indexed/.test(passages)
      ? "What was said here is still being indexed. Ask me again in a minute."
      : `I found nothing about ${query} here. What was said is found a minute later.`;
  const { head, who, text } = best;
  const [, day = "", link = ""] = /^(\d{4}-\d{2}-\d{2})?\S*\s*(https:\S+)?$/.exec(head) ?? [];
  const where = link === "" ? "" : `\n${link}`;
  return `${who === "you" ? "I" : who} said${day === "" ? "" : ` on ${day}`}: “${text}”${where}`;
}

/** What people said before what the bot did. */
function linesOf(passages: string): readonly Line[] {
  const lines = passages.split("\n\n").flatMap((block) => {
    const [head = "", ...said] = block.split("\n");
    return said.flatMap((line) => {
      const [, who, text] = /^> ([^:]+): (.+)$/.exec(line) ?? [];
      return who === undefined || text === undefined ? [] : [{ head, who, text }];
    });
  });
  return lines.toSorted((one, other) => Number(one.who === "you") - Number(other.who === "you"));
}

const wordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter((word) => word !== "the");
