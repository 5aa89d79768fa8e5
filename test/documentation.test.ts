import { existsSync, readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { at, read, rowsIn } from "./support/shown-by.ts";

const index = "README.md";
const pages = readdirSync(at("docs"), { recursive: true, encoding: "utf8" })
  .map((name) => name.replaceAll("\\", "/"))
  .filter((name) => name.endsWith(".md") && name !== index);
const decisions = pages.filter((page) => /^decisions\/\d/.test(page));
const indexed = pages.filter((page) => !decisions.includes(page));

const titleOf = (page: string): string => /^# (.+)\n/.exec(read(`docs/${page}`))?.[1] ?? "";

const linkedFrom = (page: string): string[] =>
  [...read(page).matchAll(/\[([^\]]+)\]\(([\w/-]+\.md)\)/g)]
    .map(([, title, target]) => `${target}: ${title}`)
    .toSorted();
const titled = (list: readonly string[]): string[] =>
  list.map((page) => `${page}: ${titleOf(page)}`).toSorted();

/** The paragraph below a page's title. */
const introductionOf = (page: string): string =>
  read(`docs/${page}`).split("\n\n")[1]?.trim() ?? "";

describe("the pages of docs/", () => {
  it.each([index, ...pages])("say in one short sentence who they are for: %s", (page) => {
    const introduction = introductionOf(page);
    expect(introduction).toMatch(/^For [a-z][\w ,'-]*: [^\n]+\.$/);
    expect(introduction.length).toBeLessThanOrEqual(140);
  });

  it("are each linked once from the index, by their titles", () => {
    expect(linkedFrom(`docs/${index}`)).toEqual(titled(indexed));
    expect(linkedFrom("docs/decisions/README.md").map((line) => `decisions/${line}`)).toEqual(
      titled(decisions),
    );
  });
});

describe("the decisions", () => {
  it("are numbered without a gap", () => {
    expect(decisions.toSorted().map((page) => Number(page.slice(10, 14)))).toEqual(
      decisions.map((_, index) => index + 1),
    );
  });

  it.each(decisions)("give reasons and consequences in half a page: %s", (page) => {
    const text = read(`docs/${page}`);
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name);
    expect(headings).toEqual(["Context", "Decision", "Consequences"]);
    expect(text.split(/\s+/).length).toBeLessThanOrEqual(350);
  });
});

describe("ARCHITECTURE.md", () => {
  it("can be read in 15 minutes", () => {
    expect(Buffer.byteLength(read("ARCHITECTURE.md"))).toBeLessThanOrEqual(20_000);
  });
});

describe("the guides for contributors", () => {
  it.each(["AGENTS.md", "ARCHITECTURE.md", "CONTRIBUTING.md"])(
    "name only files and scripts that exist: %s",
    (page) => {
      const codes = [...read(page).matchAll(/`([^`\n]+)`/g)].map(([, code = ""]) => code);
      const paths = codes.filter((code) =>
        /^(?:src|test|bench|docs|scripts)\/[\w./-]+$/.test(code),
      );
      expect(paths.length).toBeGreaterThan(5);
      expect(paths.filter((path) => !existsSync(at(path)))).toEqual([]);
      const { scripts } = z
        .object({ scripts: z.record(z.string(), z.string()) })
        .parse(JSON.parse(read("package.json")));
      const named = codes.flatMap((code) => /^npm run ([\w:-]+)/.exec(code)?.[1] ?? []);
      expect(named.filter((name) => !(name in scripts))).toEqual([]);
    },
  );
});

describe("the README", () => {
  it("can be read in a few minutes", () => {
    const words = read("README.md").split(/\s+/).length;
    expect(words).toBeLessThanOrEqual(900);
  });
});

describe("the glossary of CONTRIBUTING.md", () => {
  it("has at most 25 terms, in the order of the alphabet", () => {
    const [, section = ""] = read("CONTRIBUTING.md").split("\n## Glossary\n");
    const [own = ""] = section.split("\n## ");
    const terms = rowsIn(own.split("\n")).map(([term = ""]) => term);
    expect(terms.length).toBeGreaterThan(10);
    expect(terms.length).toBeLessThanOrEqual(25);
    expect(terms).toEqual(terms.toSorted((one, other) => one.localeCompare(other, "en")));
  });
});
