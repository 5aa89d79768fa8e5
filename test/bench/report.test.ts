import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { questions } from "../../bench/questions.ts";
import { goals, goalsTable } from "../../bench/support/goals.ts";
import { filled, partsOf } from "../../bench/support/page.ts";
import { plotOf } from "../../bench/support/plots.ts";
import { slugOf, writePage, writePlots } from "../../bench/support/report.ts";
import {
  merged,
  readResults,
  writeResults,
  type Figure,
  type Results,
} from "../../bench/support/results.ts";
import { inOrder } from "../../bench/support/run-bench.ts";
import { spreadOf, summary, tableOf } from "../../bench/support/tables.ts";
import { systems, systemsNamed } from "../../bench/systems.ts";
import { wellFormed } from "./support/well-formed.ts";

const figure = (system: string, values: Figure["values"], round = 1): Figure => ({
  question: "50 at once",
  system,
  round,
  values,
});
const question = { name: "50 at once", base: "floor", plots: ["p50Ms"] };
const runOf = (figures: Results["figures"]): Results => ({
  date: "2026-11-22T10:00:00.000Z",
  complete: true,
  rounds: 1,
  machine: { cores: 2, model: "any", kernel: "6.1", memoryGigabytes: 8 },
  versions: { node: "24.0.0" },
  figures,
});

const folders: string[] = [];
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-test-"));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

describe("figures", () => {
  it("are put together as median, least and greatest", () => {
    expect(spreadOf([3, 1, 2])).toEqual({ median: 2, least: 1, greatest: 3 });
    expect(spreadOf([4, 1])).toEqual({ median: 2.5, least: 1, greatest: 4 });
    fc.assert(
      fc.property(
        // Of zeros, sorting and `Math.min` may choose another sign.
        fc.array(
          fc.double({ noNaN: true, min: -1e9, max: 1e9 }).map((value) => value + 0),
          { minLength: 1 },
        ),
        (values) => {
          const { median, least, greatest } = spreadOf(values);
          expect(least).toBe(Math.min(...values));
          expect(greatest).toBe(Math.max(...values));
          expect(median).toBeGreaterThanOrEqual(least);
          expect(median).toBeLessThanOrEqual(greatest);
        },
      ),
    );
  });

  it("are told apart by question and system, in the first round's order", () => {
    const rows = summary(
      [
        figure("Parley", { p50Ms: 30 }, 2),
        figure("floor", { p50Ms: 12 }, 2),
        figure("floor", { p50Ms: 10 }),
        figure("Parley", { p50Ms: 20, redisReadsPerTurn: 7 }),
        { ...figure("floor", { p50Ms: 99 }), question: "another" },
      ],
      "50 at once",
    );
    expect([...rows.keys()]).toEqual(["floor", "Parley"]);
    expect(rows.get("floor")).toEqual({
      p50Ms: { median: 11, least: 10, greatest: 12 },
    });
    expect(rows.get("Parley")?.["redisReadsPerTurn"]?.median).toBe(7);
  });

  it("make a table with the ratio to the floor, but for what is counted", () => {
    const table = tableOf(
      [
        figure("floor", { p50Ms: 10, lost: 1 }),
        figure("Parley", { p50Ms: 25, lost: 2 }),
        figure("Parley", { p50Ms: 15, lost: 2 }, 2),
        figure("a|b", { lost: 0 }),
      ],
      question,
    );
    expect(table.split("\n")).toEqual([
      "|  | median (ms) | not answered |",
      "| --- | --- | --- |",
      "| floor | 10 | 1 |",
      "| Parley | 20 (15–25) ×2.00 | 2 |",
      "| a\\|b | – | 0 |",
    ]);
    expect(tableOf([], question)).toBe("");
  });
});

/** The lines of the goals' table. @param parley, floor turns a second */
const goalsWith = (parley: number, floor: number): readonly string[] =>
  goalsTable(
    runOf([
      figure("Durable floor", { perSecond: floor }),
      figure("Parley", { perSecond: parley, redisCommandsPerTurn: 130 }),
    ]),
  ).split("\n");

describe("the goals", () => {
  it("show what was measured, what it must be and aims at, and whether that is reached", () => {
    expect(goalsWith(60, 100)).toContain(
      "| turns a second, 50 at once, × durable floor | 0.60 | ≥ 0.45 | ≥ 0.6 | aim |",
    );
    expect(goalsWith(45, 100)).toContain(
      "| turns a second, 50 at once, × durable floor | 0.45 | ≥ 0.45 | ≥ 0.6 | must |",
    );
    expect(goalsWith(44, 100)).toContain(
      "| turns a second, 50 at once, × durable floor | 0.44 | ≥ 0.45 | ≥ 0.6 | no |",
    );
    expect(goalsWith(60, 100)).toContain(
      "| Redis' commands per turn, 50 at once | 130 | ≤ 130 | ≤ 110 | must |",
    );
  });

  it("say nothing of what a run didn't measure", () => {
    expect(goalsWith(60, 0)).toContain(
      "| turns a second, 50 at once, × durable floor | – | ≥ 0.45 | ≥ 0.6 | – |",
    );
    expect(goalsTable(runOf([figure("floor", { perSecond: 1 })]))).toBe("");
  });

  it("are of questions, systems and figures that there are", () => {
    const cells = goals.flatMap(({ of, dividedBy }) => (dividedBy ? [of, dividedBy] : [of]));
    for (const { question: name, system: wanted, figure: shown } of cells) {
      const asked = questions.find((each) => each.name === name);
      const system = systems.find((each) => each.name === wanted);
      expect(asked?.columns).toContain(shown);
      expect(system && asked?.suits(system)).toBe(true);
    }
  });
});

/** The texts of a plot in which one system is so many times the floor. */
const textsFor = (times: number): readonly string[] =>
  wellFormed(
    plotOf([figure("floor", { p50Ms: 1 }), figure("b", { p50Ms: times })], question) ?? "",
  );

describe("a plot", () => {
  it("shows every system with its figure and its ratio to the floor", () => {
    const plot = plotOf(
      [figure("floor", { p50Ms: 10 }), figure("Parley", { p50Ms: 25 })],
      question,
    );
    const texts = wellFormed(plot ?? "");
    expect(texts).toContain("median (ms)");
    expect(texts).toContain("10 ms");
    expect(texts).toContain("25 ms ×2.50");
    expect(plot).toContain("prefers-color-scheme: dark");
    expect(plot).not.toContain('whisker" d=');
  });

  it("is logarithmic where values differ by more than twenty times", () => {
    expect(textsFor(20)).toContain("median (ms)");
    expect(textsFor(21)).toContain("median (ms, logarithmic)");
  });

  it("is well-formed and has its bars within its width, whatever systems are called and measured", () => {
    const value = fc.oneof(
      fc.constantFrom(0, -3, 1e-9, 1e12),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e9 }),
    );
    const name = fc.oneof(
      fc.string({ unit: "binary", maxLength: 20 }),
      fc.constantFrom("floor", "</text><script>&", "\"' onload='x", "]]>", "\u0000\uD800"),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, value, value), { minLength: 1, maxLength: 8 }),
        fc.string({ unit: "binary" }),
        (rows, title) => {
          const figures = rows.flatMap(([system, one, other]) => [
            { ...figure(system, { p50Ms: one }), question: title },
            { ...figure(system, { p50Ms: other }, 2), question: title },
          ]);
          const plot = plotOf(figures, { ...question, name: title }) ?? "no plot";
          wellFormed(plot);
          expect(plot).not.toMatch(/NaN|Infinity|undefined|<script/);
          for (const [, x, width] of plot.matchAll(
            /<rect [^>]*x="([^"]+)"[^>]* width="([^"]+)"/g,
          )) {
            expect(Number(width)).toBeGreaterThanOrEqual(0);
            expect(Number(x) + Number(width)).toBeLessThanOrEqual(560);
          }
        },
      ),
    );
  });

  it("is not drawn of what no one knows", () => {
    expect(plotOf([figure("floor", { lost: 1 })], question)).toBeUndefined();
  });
});

describe("results", () => {
  it("are read back as they were written", () => {
    const file = join(newFolder(), "sub", "results.json");
    const run = runOf([figure("floor", { p50Ms: 1.5 })]);
    writeResults(file, run);
    expect(readResults(file)).toEqual(run);
  });

  it("are refused with a figure that is no number, and read with a name for what is wrong", () => {
    const file = join(newFolder(), "results.json");
    const broken = runOf([figure("floor", { p50Ms: NaN })]);
    expect(() => writeResults(file, broken)).toThrow(/p50Ms/);
    expect(() => readResults(file)).toThrow(/ENOENT/);
    writeFileSync(file, JSON.stringify(broken));
    expect(() => readResults(file)).toThrow(/figures\[0\]\.values\.p50Ms/);
  });

  it("of a later run replace the same questions and systems of an earlier one", () => {
    const one = runOf([
      figure("Parley", { p50Ms: 1 }),
      figure("Parley", { p50Ms: 2 }, 2),
      figure("floor", { p50Ms: 3 }),
    ]);
    const other = {
      ...runOf([figure("Parley", { p50Ms: 9 })]),
      date: "2026-11-23T10:00:00.000Z",
    };
    const both = inOrder(merged([one, other]));
    expect(both.date).toBe(other.date);
    expect(both.figures).toEqual([figure("floor", { p50Ms: 3 }), figure("Parley", { p50Ms: 9 })]);
    const elsewhere = { ...other, machine: { ...other.machine, cores: 4 } };
    expect(() => merged([one, elsewhere])).toThrow(/different machines/);
  });
});

const part = (name: string, content: string): string =>
  `<!-- bench:start ${name} -->\n\n${content}\n\n<!-- bench:end ${name} -->`;

describe("the page", () => {
  it("gets its own parts filled again and keeps all others", () => {
    const page = `# A\n${part("one", "old")}\ntext\n${part("two", "kept")}\n`;
    expect(filled(page, new Map([["one", "new $& text\n"]]))).toBe(
      `# A\n${part("one", "new $& text")}\ntext\n${part("two", "kept")}\n`,
    );
    expect(() => filled(page, new Map([["three", ""]]))).toThrow(/one, two/);
  });

  it("has room for every question, and is rewritten whole from a run's results", async () => {
    const folder = newFolder();
    const page = join(folder, "results", "tables.md");
    const source = fileURLToPath(new URL("../../bench/results/tables.md", import.meta.url));
    mkdirSync(dirname(page));
    writeFileSync(page, readFileSync(source));
    const shown = questions.filter(({ isOnRequest }) => !isOnRequest);
    const slugs = [...new Set(shown.map(({ name }) => slugOf(name)))];
    const rooms = partsOf(readFileSync(page, "utf8"));
    for (const slug of [...slugs, "goals", "run", "scale-model"]) expect(rooms).toContain(slug);
    const results = runOf([
      {
        ...figure("floor", { p50Ms: 1234 }),
        question: "idle, plain, 0 messages",
      },
    ]);
    const plots = join(folder, "performance");
    expect(writePlots(plots, results, questions)).toEqual(["idle-plain-0-messages.svg"]);
    await writePage(page, { plots, results, questions });
    const text = readFileSync(page, "utf8");
    expect(text).toMatch(/\| floor +\| 1,234 /);
    expect(text).toContain("](../performance/idle-plain-0-messages.svg)");
    expect(partsOf(text)).toEqual(rooms);
    await writePage(page, { plots, results, questions });
    expect(readFileSync(page, "utf8")).toBe(text);
  });
});

const chosen = (...list: string[]): readonly string[] => systemsNamed(list).map(({ name }) => name);

describe("names", () => {
  it("of questions become names of files, each another one", () => {
    expect(slugOf("1,000 in flight, a model of 1 s")).toBe("1000-in-flight-a-model-of-1-s");
    const names = new Set(questions.map(({ name }) => name));
    expect(new Set([...names].map(slugOf)).size).toBe(names.size);
  });

  it("of systems can all be chosen, those with commas too", () => {
    for (const { name } of systems) expect(chosen(name)).toEqual([name]);
    expect(chosen("Parley, one process,floor", "AI SDK")).toEqual([
      "floor",
      "AI SDK",
      "Parley, one process",
    ]);
    expect(() => chosen("floor, Parley")).toThrow(
      /no system "floor, Parley".*"Parley, one process"/,
    );
  });
});
