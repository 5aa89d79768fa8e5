import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const at = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const read = (path: string): string => readFileSync(at(path), "utf8");

interface Row {
  readonly attacker: string;
  readonly tries: string;
  readonly stops: string;
  /** The test file, and what its test is called. */
  readonly file: string;
  readonly title: string;
}

/** Every row of the page's tables. @throws for one that names no test. */
function rowsOf(page: string): readonly Row[] {
  const rows: Row[] = [];
  for (const part of page.split(/^### /m).slice(1)) {
    const [attacker = "", ...lines] = part.split(/\n## /)[0]?.split("\n") ?? [];
    for (const line of lines.filter((each) => each.startsWith("| ")).slice(1)) {
      const cells = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      const [, tries = "", stops = "", shown = ""] = cells;
      if (/^-+$/.test(tries)) continue;
      const found = /^`(test\/[\w./-]+\.test\.ts)`: (.+)$/.exec(shown);
      if (found === null) throw new Error(`no test is named: ${line}`);
      const [, file = "", title = ""] = found;
      rows.push({ attacker, tries, stops, file, title });
    }
  }
  return rows;
}

/** Why a row shows nothing; undefined: its test is there. */
function problemOf({ tries, stops, file, title }: Row): string | undefined {
  if (tries === "" || stops === "") return `"${tries}" is empty`;
  if (!existsSync(at(file))) return `${file} does not exist`;
  // As a test's own name: a string that is a call's first argument.
  const source = read(file);
  const name = JSON.stringify(title);
  const isTest = new RegExp(
    String.raw`(?:\b(?:it|test)(?:\.\w+)*(?:<[^>]*>)?\(|\)\(|\]\)\()\s*${escaped(name)}`,
  ).test(source);
  if (isTest) return undefined;
  // oxfmt and prettier put the name of a table's test on a line of its own.
  const isOfTable = new RegExp(String.raw`\)\(\s*${escaped(name)},`).test(
    source,
  );
  return isOfTable ? undefined : `${file} has no test "${title}"`;
}

const escaped = (text: string): string =>
  text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);

const rows = rowsOf(read("docs/security.md"));

describe("the threat model", () => {
  it("has a test that is there for every row", () => {
    expect(rows.map(problemOf).filter((each) => each !== undefined)).toEqual(
      [],
    );
  });

  it("names every kind of attacker, and what each of them tries", () => {
    const attackers = new Set(rows.map(({ attacker }) => attacker));
    expect([...attackers]).toEqual([
      "A stranger",
      "A member",
      "A member of a group",
      "A hostile web page or file",
      "A hostile tool server",
      "A hostile model, or one that was talked over",
      "Somebody with access to Redis",
      "Somebody with the log",
      "Somebody upstream",
    ]);
    expect(rows.length).toBeGreaterThan(50);
  });

  it("is what SECURITY.md and ARCHITECTURE.md lead to", () => {
    expect(read("SECURITY.md")).toContain("](docs/security.md)");
    expect(read("ARCHITECTURE.md")).toContain("](docs/security.md)");
  });
});

describe("the check itself", () => {
  const row = {
    attacker: "x",
    tries: "x",
    stops: "x",
    file: "test/security/threat-model.test.ts",
    title: "finds a row whose test is not there",
  };

  it("finds a row whose test is not there", () => {
    expect(problemOf(row)).toBeUndefined();
    expect(problemOf({ ...row, title: "never written" })).toMatch(/no test/);
    // Named, but no test of its own.
    expect(problemOf({ ...row, title: "x" })).toMatch(/no test/);
    expect(problemOf({ ...row, file: "test/none.test.ts" })).toMatch(
      /not exist/,
    );
    expect(problemOf({ ...row, stops: "" })).toMatch(/empty/);
  });

  it("reads tables, and nothing else", () => {
    const page = [
      "# x",
      "### Somebody",
      "",
      "| tries | what stops it | shown by |",
      "| --- | --- | --- |",
      "| this | that | `test/a.test.ts`: is so |",
      "## more",
      "| a | b | c |",
    ].join("\n");
    expect(rowsOf(page)).toEqual([
      {
        attacker: "Somebody",
        tries: "this",
        stops: "that",
        file: "test/a.test.ts",
        title: "is so",
      },
    ]);
    expect(() => rowsOf(page.replace("`test/a.test.ts`", "nowhere"))).toThrow(
      /no test is named/,
    );
  });
});
