interface Line {
  readonly head: string;
  readonly who: string;
  readonly text: string;
}

/** The line of the passages that fits the words best, with its speaker, day and link. Pure. */
export function recalledSentence(query: string, passages: string): string {
  const wanted = wordsOf(query);
  const fits = ({ text }: Line): number => {
    const own = wordsOf(text);
    return wanted.filter((word) => own.includes(word)).length;
  };
  const lines = linesOf(passages).filter((line) => fits(line) > 0);
  // What a person said, and not how the bot repeated it.
  const byPeople = lines.filter(({ who }) => who !== "you");
  const [best] = (byPeople.length > 0 ? byPeople : lines).toSorted(
    (one, other) => fits(other) - fits(one),
  );
  if (best === undefined)
    return /still being indexed/.test(passages)
      ? "What was said here is still being indexed. Ask me again in a minute."
      : `I found nothing about ${query} here. What was said is found a minute later.`;
  const { head, who, text } = best;
  const [, day = "", link = ""] = /^(\d{4}-\d{2}-\d{2})?\S*\s*(https:\S+)?$/.exec(head) ?? [];
  const where = link === "" ? "" : `\n${link}`;
  return `${who === "you" ? "I" : who} said${day === "" ? "" : ` on ${day}`}: “${text}”${where}`;
}

const linesOf = (passages: string): readonly Line[] =>
  passages.split("\n\n").flatMap((block) => {
    const [head = "", ...said] = block.split("\n");
    return said.flatMap((line) => {
      const [, who, text] = /^> ([^:]+): (.+)$/.exec(line) ?? [];
      return who === undefined || text === undefined ? [] : [{ head, who, text }];
    });
  });

const wordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []).filter((word) => word !== "the");
