// Finds words that the project doesn't use, because readers of BullMQ's, Temporal's or grammY's
// documentation don't know them: `npm run check:words`. It reads src, test, bench, scripts and the
// Markdown files; "fooBar" counts as "foo Bar".
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

interface Banned {
  /** Searched as a whole word, or several, in either case. */
  readonly pattern: string;
  readonly instead: string;
  /**
   * Only in comments, test titles and Markdown: other code quotes what the bot says, or has it as a
   * name.
   */
  readonly onlyProse?: true;
}

const banned: readonly Banned[] = [
  { pattern: "mend(s|ed|ing)?", instead: "fix" },
  { pattern: "(?<!in[ -])flights?", instead: "round trip" },
  { pattern: "the door('s)?", instead: "ingress, boundary" },
  { pattern: "whoever", instead: "anyone who, the process that" },
  { pattern: "whom", instead: "who, the person that", onlyProse: true },
  { pattern: "anew", instead: "again", onlyProse: true },
  { pattern: "shall", instead: "should, must", onlyProse: true },
  { pattern: "nobody('s)?", instead: "no one, no process", onlyProse: true },
  { pattern: "somebody('s)?", instead: "someone, a user", onlyProse: true },
  { pattern: "likewise", instead: "the same way, too" },
  { pattern: "in[ -]force", instead: "effective, in effect" },
  { pattern: "take-?back", instead: "undo" },
  { pattern: "trying on", instead: "retrying" },
  { pattern: "ill, not misused|is ill", instead: "transient" },
  { pattern: "patience", instead: "backoff, deadline" },
  { pattern: "insist(s|ed|ing)?", instead: "retry until accepted" },
  { pattern: "crowded", instead: "throttled" },
  { pattern: "haste", instead: "priority" },
  { pattern: "heirs?", instead: "successor" },
  { pattern: "may stand there", instead: "may have been sent" },
  { pattern: "turnstile", instead: "rate limiter" },
  { pattern: "rule book", instead: "rules" },
  { pattern: "limit (desk|book)", instead: "limit service, limit cache" },
  { pattern: "(grant|pace) wish", instead: "request" },
];

interface Allowed {
  /** A file, or a folder with everything below it if it ends with a slash. */
  readonly path: string;
  readonly words: readonly string[];
  readonly reason: string;
}

const allowed: readonly Allowed[] = [
  {
    path: "src/loop/compaction/prompts.ts",
    words: ["whoever"],
    reason: "a model reads it",
  },
  {
    path: "test/chaos/storm/fleet.ts",
    words: ["nobody"],
    reason: "a log line of earlier versions",
  },
  {
    path: "CHANGELOG.md",
    words: ["anew", "somebody", "whoever"],
    reason: "it describes what has happened",
  },
  {
    path: "test/locales/banned-phrases.ts",
    words: ["anew", "likewise", "nobody", "shall", "somebody", "whoever", "whom"],
    reason: "it bans them",
  },
  {
    path: "test/logging/redactor.test.ts",
    words: ["patience"],
    reason: "an ordinary sentence that must stay as it is",
  },
  {
    path: "test/loop/model/looks-like-code.test.ts",
    words: ["the door"],
    reason: "an ordinary sentence",
  },
];

export interface Finding {
  readonly line: number;
  readonly word: string;
  readonly instead: string;
}

const rules = banned.map(({ pattern, instead, onlyProse = false }) => ({
  expression: new RegExp(`(?<![\\p{L}\\d])(?:${pattern})(?![\\p{L}\\d])`, "giu"),
  instead,
  onlyProse,
}));

/** The banned words of one file, `path` relative to the project's root. Pure. */
export function findWords(path: string, text: string): readonly Finding[] {
  const exceptions = new Set(
    allowed
      .filter((each) => (each.path.endsWith("/") ? path.startsWith(each.path) : path === each.path))
      .flatMap(({ words }) => words),
  );
  return text.split("\n").flatMap((content, index) => {
    const isProse = path.endsWith(".md") || hasProse(content);
    const split = content.replaceAll(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, " ");
    return rules
      .filter(({ onlyProse }) => isProse || !onlyProse)
      .flatMap(({ expression, instead }) => {
        const found = [content, split].flatMap((each) =>
          [...each.matchAll(expression)].map(([word]) => word.toLowerCase()),
        );
        return [...new Set(found)].map((word) => ({
          line: index + 1,
          word,
          instead,
        }));
      })
      .filter(({ word }) => !exceptions.has(word));
  });
}

/** A comment of TypeScript or Lua, or the title of a test. */
const hasProse = (line: string): boolean =>
  /^\s*(?:\/\/|\/?\*|--)|[;,{)\]] (?:\/\/|--) |^\s*(?:it|test|describe)\b[^"`]*\(["`]|^\s*\]?\)\(["`]/.test(
    line,
  );

/** Released sections of the changelog stay as they were. */
const readable = (path: string, text: string): string =>
  path === "CHANGELOG.md" ? (text.split(/^## \[\d/m)[0] ?? "") : text;

/** Without texts that people read in a chat, recordings, and this list and its test. */
const isChecked = (path: string): boolean =>
  !/(?:^|\/)(?:node_modules|fixtures|locales|results)\/|check-words/.test(path);

function main(root: string): void {
  const paths = globSync(
    ["{src,test,bench,scripts}/**/*.{ts,mjs,lua,md}", "{docs,deploy,.github}/**/*.md", "*.md"],
    { cwd: root },
  )
    .map((path) => path.replaceAll("\\", "/"))
    .filter(isChecked)
    .toSorted();
  const problems = paths.flatMap((path) =>
    findWords(path, readable(path, readFileSync(join(root, path), "utf8"))).map(
      ({ line, word, instead }) => `${path}:${line}: "${word}", write: ${instead}`,
    ),
  );
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
}

if (import.meta.main) main(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)));
