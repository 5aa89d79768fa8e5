import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bothEnds,
  firstTokens,
  lineShortener,
  shortenLines,
  shortenSummary,
} from "../../../src/loop/compaction/shorten.ts";
import { quarter, words } from "./conversation.ts";

const line = (who: string, text: string, targetTokens: number) => ({
  who,
  text,
  targetTokens,
});

const means = { count: quarter, shorten: lineShortener(quarter) };

describe("cutting", () => {
  it("leaves about the first tokens of a text, and whole characters", () => {
    expect(firstTokens("short", 5, quarter)).toBe("short");
    const cut = firstTokens(words("x", 500), 50, quarter);
    expect(quarter(cut)).toBeGreaterThan(45);
    expect(quarter(cut)).toBeLessThan(55);
    expect(cut).toMatch(/^x-1000 .*…$/);
    for (let tokens = 1; tokens < 12; tokens += 1)
      expect(firstTokens("😀".repeat(99), tokens, quarter)).toMatch(/^(?:😀)*…$/u);
  });

  it("leaves both ends of what must be shown in part", () => {
    const text = `${words("start", 300)} ${words("end", 300)}`;
    const cut = bothEnds(text, 90, quarter);
    expect(cut).toMatch(/^start-1000 .* \[cut\] .*\.$/s);
    expect(cut.endsWith(text.slice(-60))).toBe(true);
    expect(quarter(cut)).toBeLessThan(100);
    expect(bothEnds("short", 90, quarter)).toBe("short");
  });

  it("gives each line its target, and all of them less where there is no room", () => {
    const lines = [
      line("user", words("q", 400), 50),
      line("assistant", words("a", 400), 200),
      line("user", "Thanks,\n  that will do.", 50),
    ];
    const usual = shortenLines(lines, 1_000, means).split("\n");
    expect(usual.map(quarter)).toEqual([
      expect.closeTo(52, -1) as number,
      expect.closeTo(203, -1) as number,
      7,
    ]);
    expect(usual[2]).toBe("user: Thanks, that will do.");
    const tight = shortenLines(lines, 150, means);
    expect(quarter(tight)).toBeLessThanOrEqual(150);
    expect(tight.split("\n")).toHaveLength(3);
  });

  it("marks a line of which hardly anything can be seen", () => {
    const hollow = line("user", `a${" ".repeat(5_000)}b`, 50);
    expect(shortenLines([hollow], 100, means)).toBe("user: a…");
  });

  it("leaves out the middle where nothing else helps", () => {
    const lines = Array.from({ length: 100 }, (_, place) => line("user", `line ${place}`, 50));
    const shortened = shortenLines(lines, 60, means);
    expect(shortened).toMatch(/^user: line 0\n[^]*\n\[\d+ lines left out\]\n[^]*\nuser: line 99$/);
    expect(shortenSummary("one line", 60, quarter)).toBe("one line");
    const single = shortenSummary(words("x", 500), 60, quarter);
    expect(single).toMatch(/^x-1000 .*…$/);
  });

  it("never exceeds its room, whatever the lines", () => {
    const lines = fc.array(
      fc.record({
        who: fc.constantFrom("user", "assistant", "result of read"),
        text: fc.string({ unit: "grapheme", maxLength: 300 }),
        targetTokens: fc.constantFrom(50, 200),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(lines, fc.integer({ min: 20, max: 400 }), (given, room) => {
        const shortened = shortenLines(given, room, means);
        expect(quarter(shortened)).toBeLessThanOrEqual(room + 1);
        expect(quarter(shortenSummary(shortened, 20, quarter))).toBeLessThan(22);
      }),
    );
  });
});
