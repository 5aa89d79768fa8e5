import { existsSync, readFileSync } from "node:fs";

/** The project's root. */
export const at = (path: string): URL => new URL(`../../${path}`, import.meta.url);
export const read = (path: string): string => readFileSync(at(path), "utf8");

/** A test that a documentation table names as the proof of a row. */
export interface NamedTest {
  readonly file: string;
  readonly title: string;
}

/**
 * The cells of every row of the tables in a Markdown text, without the header of the first one and
 * the rulers.
 */
export const rowsIn = (lines: readonly string[]): readonly string[][] =>
  lines
    .filter((line) => line.startsWith("| "))
    .slice(1)
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .map(([, ...cells]) => cells)
    .filter(([first = ""]) => !/^-+$/.test(first));

/** Reads `` `test/….test.ts`: title ``; undefined for any other text. */
export function namedTest(cell: string): NamedTest | undefined {
  const found = /^`(test\/[\w./-]+\.test\.ts)`: (.+)$/.exec(cell);
  if (found === null) return undefined;
  const [, file = "", title = ""] = found;
  return { file, title };
}

/** Why a named test proves nothing; undefined: it exists. */
export function problemOfTest({ file, title }: NamedTest): string | undefined {
  if (!existsSync(at(file))) return `${file} does not exist`;
  // As a test's own name: a string that is a call's first argument.
  const source = read(file);
  const name = escaped(JSON.stringify(title));
  const isTest = new RegExp(
    String.raw`(?:\b(?:it|test)(?:\.\w+)*(?:<[^>]*>)?\(|\)\(|\]\)\()\s*${name}`,
  ).test(source);
  if (isTest) return undefined;
  // Formatters put the name of a table's test on a line of its own.
  const isOfTable = new RegExp(String.raw`\)\(\s*${name},`).test(source);
  return isOfTable ? undefined : `${file} has no test "${title}"`;
}

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
