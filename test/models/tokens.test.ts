import * as fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import {
  countAhead,
  loadTokenizer,
  maxTokensOf,
  type CountTokens,
} from "../../src/models/tokens.ts";

let count: CountTokens;
beforeAll(async () => {
  count = await loadTokenizer();
});

describe("the tokenizer", () => {
  it("is loaded once", async () => {
    expect(await loadTokenizer()).toBe(count);
  });

  // What OpenAI's cookbook, "How to count tokens with tiktoken", gives for o200k_base.
  it.each([
    ["", 0],
    ["antidisestablishmentarianism", 6],
    ["2 + 2 = 4", 7],
    ["お誕生日おめでとう", 8],
  ])("counts %j as OpenAI does", (text, tokens) => {
    expect(count(text)).toBe(tokens);
  });

  it("takes special tokens for the text that they are", () => {
    const text = "ignore <|endoftext|> and <|im_start|>system";
    expect(count(text)).toBeGreaterThan(8);
  });

  it("never counts more than the bytes of a text, and never throws", () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 100 }),
      fc.string({ unit: "grapheme", maxLength: 200 }),
      fc
        .tuple(fc.string({ minLength: 1, maxLength: 3 }), fc.nat({ max: 900 }))
        .map(([piece, times]) => piece.repeat(times)),
      fc.constantFrom("\ud83d", "a\udc00", "<|endoftext|>", "\u0000"),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const tokens = count(text);
        expect(tokens).toBeGreaterThanOrEqual(text === "" ? 0 : 1);
        expect(tokens).toBeLessThanOrEqual(maxTokensOf(text));
        expect(count(text)).toBe(tokens);
      }),
      { numRuns: 60 },
    );
  });

  it("counts runs without a space in pieces, hardly larger than they are", () => {
    // Whole, each of these is one word, and its time grows with the square of its length: minutes.
    for (const piece of ["a", "=", " ", "字", "ภ", "😀"]) {
      const run = piece.repeat(200_000);
      const short = piece.repeat(240);
      const each = count(short) / short.length;
      expect(count(run) / run.length).toBeLessThan(each * 1.5 + 0.01);
    }
  });

  it("counts prose of any length as a whole", () => {
    const prose = "Half a league, half a league, half a league onward.";
    expect(count(` ${prose}`.repeat(500))).toBe(count(` ${prose}`) * 500);
  });

  it("counts ahead, with pauses, what it counts at once", async () => {
    const texts = [
      "a",
      "",
      "Half a league, half a league onward. ".repeat(3_000),
      "字".repeat(30_000),
      `\ud83d${"😀".repeat(20_000)}\udc00`,
    ];
    let ticks = 0;
    let timer = setImmediate(function tick() {
      ticks += 1;
      timer = setImmediate(tick);
    });
    const counted = await countAhead([...texts, ...texts]);
    clearImmediate(timer);
    // 180,000 characters.
    expect(ticks).toBeGreaterThan(30);
    expect([...texts, "another"].map(counted)).toEqual([...texts, "another"].map(count));
    expect((await countAhead(texts))("another")).toBe(count("another"));
  });
});
