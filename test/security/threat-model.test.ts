import { describe, expect, it } from "vitest";
import { namedTest, problemOfTest, read, rowsIn, type NamedTest } from "../support/shown-by.ts";

interface Row extends NamedTest {
  readonly attacker: string;
  readonly tries: string;
  readonly stops: string;
}

/** Every row of the page's tables. @throws for one that names no test. */
function rowsOf(page: string): readonly Row[] {
  const rows: Row[] = [];
  for (const part of page.split(/^### /m).slice(1)) {
    const [attacker = "", ...lines] = part.split(/\n## /)[0]?.split("\n") ?? [];
    for (const [tries = "", stops = "", shown = ""] of rowsIn(lines)) {
      const named = namedTest(shown);
      if (named === undefined) throw new Error(`no test is named: ${tries}: ${shown}`);
      rows.push({ attacker, tries, stops, ...named });
    }
  }
  return rows;
}

/** Why a row shows nothing; undefined: its test is there. */
function problemOf({ tries, stops, ...named }: Row): string | undefined {
  if (tries === "" || stops === "") return `"${tries}" is empty`;
  return problemOfTest(named);
}

const rows = rowsOf(read("docs/security.md"));

describe("the threat model", () => {
  it("has a test that is there for every row", () => {
    expect(rows.map(problemOf).filter((each) => each !== undefined)).toEqual([]);
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
      "Someone with access to Redis",
      "Someone with the log",
      "Someone upstream",
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
    expect(problemOf({ ...row, file: "test/none.test.ts" })).toMatch(/not exist/);
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
    expect(() => rowsOf(page.replace("`test/a.test.ts`", "nowhere"))).toThrow(/no test is named/);
  });
});
