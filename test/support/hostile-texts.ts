import { growing, hostileMarkdown, times } from "./hostile-markdown.ts";

/** A table of so many columns, which no screen shows in a row. */
const wideTable =
  (columns: number) =>
  (units: number): string => {
    const row = `|${"a|".repeat(columns)}\n`;
    const rule = `|${"-|".repeat(columns)}\n`;
    return row + rule + row.repeat(Math.ceil(units / row.length));
  };

/** Of a text as long as asked for. */
const parts = (...all: readonly string[]) =>
  Object.fromEntries(all.map((part) => [JSON.stringify(part), times(part)]));

/**
 * Texts of any length that some reader of texts has been slow with: structures of Markdown, and
 * repeated patterns of one to four signs, over lines and within each other. Found by a search.
 */
export const hostileTexts: Readonly<Record<string, (units: number) => string>> = {
  ...hostileMarkdown,
  words: times("some **words** of an answer\n\n"),
  "a wide table": wideTable(160),
  "a very wide table": wideTable(4_000),
  "lines of progress": times("\u2699 x\n"),
  "progress between lines": times("\u2699 x\na\n"),
  numbers: growing((index) => `${index} `),
  assignments: growing((index) => `a.k${index}=b; `),
  "letters of every kind": growing((index) => String.fromCharCode(0x4e00 + ((index * 7) % 20_000))),
  ...parts(
    "\n",
    "\r",
    "\n@",
    "a=b; ",
    "x=1\na=b\n",
    "A/",
    "://",
    "<://}",
    "[From ",
    "[\ufdfa",
    " \ufdfa\ufb01[",
    "[\ufdfakey",
    "\ufdfa",
    "$\ufdfa\ufdfa",
    "\u3316",
    "no ",
    "{ ",
    "[1 ",
    "\nat no ",
    "password=Basic ",
    "\\\ufdfapassword=key",
    "token: Bearer ",
    "\u202e",
    "\r\u202e",
    "\u0301\ud800",
    "\ud800\u200b;",
    "\u0130 ",
    "1\u200b)",
    "\u2019",
    "\u{1f468}\u200d ",
    "a\u0430.",
    "\u2019",
    "[[{",
    '{"a":[',
    "<p><b>",
    "yes\n",
    "/a b\n",
    "[From the platform: ",
    "<|channel|>commentary<|call|>",
    "\n<tool_call></tool_call>",
    "\n<|im_end|>",
    "<tool_",
  ),
};

/** Texts of one kind of letter, each of which some pattern could go over again and again. */
const single = [
  "a",
  " ",
  "\t",
  "a ",
  "a.",
  "a-",
  "-",
  "_",
  "/",
  "\\",
  ":",
  "=",
  "a=",
  "&a=",
  '"',
  "'",
  "`",
  "*",
  "[",
  "](",
  "<",
  "@",
  "a@",
  "$",
  "|",
  ">",
  "#",
  "{",
  "0",
  "0,",
  "25",
  "://a",
  "bearer ",
  "token: ",
  "eyJ",
  "-----BEGIN ",
  "👍",
];

/** The above, and every text of one kind of letter, alone and as a value. */
export const everyHostileText: Readonly<Record<string, (units: number) => string>> = {
  ...Object.fromEntries(
    single.flatMap((part) => [
      [part, times(part)],
      [`x=${part}…!`, times(part, "x=", "!")],
    ]),
  ),
  ...hostileTexts,
};
