export const times =
  (part: string, head = "", tail = "") =>
  (units: number): string =>
    head + part.repeat(Math.ceil(units / part.length)) + tail;

/** Lines that grow: the n-th one is `line(n)`. */
export const growing =
  (line: (index: number) => string) =>
  (units: number): string => {
    let text = "";
    for (let index = 0; text.length < units; index += 1) text += line(index);
    return text;
  };

/**
 * Texts of any length on which a Markdown parser's time may grow with the square of the length.
 * Found by a search.
 */
export const hostileMarkdown: Readonly<Record<string, (units: number) => string>> = {
  headings: times("h\n-\n"),
  "headings in a list": times("- h\n-\n"),
  "headings in a quote": times("> h\n> =\n"),
  quotes: times(">a\n\n"),
  "deep quotes": growing((index) => `${">".repeat(1 + ((index * 17) % 39))}a\n\n`),
  lists: times("- a\n+ b\n"),
  "deep lists": growing((index) => `${"- ".repeat(1 + ((index * 17) % 39))}a\n`),
  "lists deeper and deeper": growing((index) => `${" ".repeat(2 * (index % 200))}- a\n`),
  footnotes: times("[^a]: a\n\n"),
  "lists in footnotes": times("[^a]: * + "),
  paragraphs: times("1\n\n"),
  tasks: times("\\\n- [ ] <u>\\("),
  tables: times("|a|\n|-|\n|b|\n\n"),
  "rows of a table": times("|*a*|]|\n", "|a|b|\n|-|-|\n"),
  emphasis: times("*_"),
  deletions: times("~~a"),
  brackets: times("\n\\[]"),
  "closed brackets": times("a]", "x"),
  comments: times("a<!--"),
  "runs of backticks": growing((index) => `a${"`".repeat(1 + (index % 300))}`),
  "an address and brackets": times(")", "https://a", "a"),
  "an address and entities": times("&a;", "https://a", "a"),
  definitions: times("[a]: b\n\n"),
  "emphasis behind a comment with a fence": times("*_", "<!--\n```\n-->\n"),
  "emphasis behind no fence": times("*_", "```a`\n"),
  "emphasis over lines that only look empty": times("*_*_*_*_\n\u00a0\n"),
  "emphasis over lines with returns": times("*_*_*_*_\r"),
};
