/** Of a longer message only the beginning is read. */
const readLength = 20_000;
/** A longer line is a paragraph. */
const lineLength = 500;
/** Fences around these hold words for people. */
const prose: ReadonlySet<string> = new Set(["text", "txt", "md", "markdown"]);
/** Fewer lines that could be code may well be something else. */
const minCodeLines = 3;

const languages = String.raw`(?:typescript|javascript|python|java|kotlin|swift|rust|golang|c\+\+|c#|php|ruby|perl|scala|haskell|elixir|lua|bash|sql|html|css|react|node\.js|django)(?!\w)`;
const things = String.raw`(?:functions?|methods?|class(?:es)?|code|scripts?|modules?|components?|loops?|algorithms?|quer(?:y|ies)|endpoints?|programs?|tests?|hooks?|handlers?|parsers?)\b`;
const surely = String.raw`(?:unit tests?|regex(?:es|ps?)?|regular expressions?|stored procedures?|dockerfiles?|makefiles?|(?:shell|bash) scripts?|(?:compiler|type|syntax) errors?|merge conflicts?|null pointers?|memory leaks?|segfaults?)\b`;
const verbs = String.raw`\b(?:write|implement|fix|debug|refactor|review|optimi[sz]e|rewrite|port|create|add|generate)\b`;
/** Within the sentence, and not far. */
const gap = String.raw`\b[^.!?\n]{0,40}\b`;

interface Sign {
  readonly what: string;
  readonly patterns: readonly RegExp[];
}

const signs: readonly Sign[] = [
  {
    what: "a diff",
    patterns: [/^diff --git /m, /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m, /^--- \S.*\n\+\+\+ \S/m],
  },
  {
    what: "a stack trace",
    patterns: [
      /^Traceback \(most recent call last\):/m,
      /^[ \t]*File ".{1,300}", line \d+/m,
      /^[ \t]*at .{0,300}(?:\.[cm]?[jt]sx?|node:[\w/]+):\d+:\d+\)?[ \t]*$/m,
      /^[ \t]*at .{1,300}\.(?:java|kt|scala):\d+\)/m,
      /^[ \t]*at .{1,300} in .{1,300}:line \d+/m,
      /^goroutine \d+ \[/m,
      /^thread '.{1,100}' (?:\(\d+\) )?panicked at/m,
      /\.rb:\d+:in [`']/,
      /\.php\(\d+\): /,
    ],
  },
  {
    what: "an error of a compiler or a program",
    patterns: [
      /^.{1,300}\.\w{1,4}:\d+(?::\d+)?: (?:fatal )?error: /m,
      /\berror (?:TS|CS|LNK|C)\d{4,5}: /,
      /\berror\[E\d{4}\]/,
      /\bundefined reference to `/,
      /\b(?:Syntax|Type|Reference|Range|Name|Value|Key|Index|Attribute|Import|ModuleNotFound|Indentation|ZeroDivision)Error\b/,
      /\b(?:[A-Z][a-z]+)+Exception\b/,
    ],
  },
  {
    what: "SQL",
    patterns: [
      /\bSELECT\b[^]{1,500}?\bFROM\s+\w/,
      /\b(?:INSERT INTO|CREATE TABLE|ALTER TABLE|DELETE FROM)\s+["`\w]/,
    ],
  },
  {
    what: "a request about code",
    patterns: [
      String.raw`\b(?:refactor|debug)${gap}${things}`,
      `${verbs}${gap}${surely}`,
      String.raw`${verbs}${gap}${languages}\s+${things}`,
      String.raw`${verbs}${gap}${things}\s+(?:in|into|using)\s+${languages}`,
    ].map((pattern) => new RegExp(pattern, "i")),
  },
];

const codeLines: readonly RegExp[] = [
  // A call or a signature, up to the line's end.
  /[\w$\])]\(.*\)\s*[;{:]\s*$/,
  /^\s*[\w.]+\(.*\)\s*$/,
  /^\s*(?:if|for|while|switch|catch)\s*\(.*\{\s*$/,
  /^\s*[}\])]+[;,]?\s*$/,
  /^\s*(?:const|let|var|int|auto|val)\s+[\w$]+\b.*=/,
  /^\s*[\w$.[\]]+\s*[-+*/|&]?=\s*\S.*;\s*$/,
  /^\s*[\w$.]+ = [\w$.]+\(.*\)\s*$/,
  /^\s*return\b.*;\s*$/,
  /^#include\s*[<"]/,
  /^\s*import\s.+\sfrom\s+['"]/,
  /^\s*from\s+[\w.]+\s+import\s+\w/,
];

/**
 * What in a message says that it is about code; undefined when nothing does. Rather misses some
 * than calls a shopping list code. Code is known in any language of people, requests in English.
 * Pure.
 */
export function codeIn(message: string): string | undefined {
  const text = message.slice(0, readLength);
  const lines = text.split("\n");
  if (hasFence(lines)) return "fenced code";
  const found = signs.find(({ patterns }) => patterns.some((pattern) => pattern.test(text)));
  if (found) return found.what;
  const code = lines.filter(
    (line) => line.length <= lineLength && codeLines.some((pattern) => pattern.test(line)),
  );
  return code.length >= minCodeLines ? "lines of code" : undefined;
}

/** Whether there are words between two lines of ``` that are not meant as prose. */
function hasFence(lines: readonly string[]): boolean {
  let isOpen = false;
  let isCode = false;
  for (const line of lines) {
    const [fence, language = ""] = /^ {0,3}(?:`{3,}|~{3,})\s*([\w+#.-]*)[^`]*$/.exec(line) ?? [];
    if (fence !== undefined) {
      isOpen = !isOpen;
      isCode = isOpen && !prose.has(language.toLowerCase());
    } else if (isCode && /\S/.test(line)) return true;
  }
  return false;
}
