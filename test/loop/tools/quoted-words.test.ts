import { describe, expect, it } from "vitest";
import { QuotedWords } from "../../../src/loop/tools/quoted-words.ts";

const wrote = (...texts: readonly string[]): QuotedWords => {
  const words = new QuotedWords();
  for (const text of texts) words.add(text);
  return words;
};

describe("words of a person in another text", () => {
  it.each([
    ["a short text as a whole", "too dear", "Ben found it «too  Dear»."],
    [
      "a passage of a long text",
      "On Friday I go to the doctor in Bern because of my knee.",
      "Ben goes to the doctor in Bern because of a knee.",
    ],
    ["a code", "it's K7-4711x9, keep it", "The code was: 4711X9!"],
    ["a number", "call +41791234567", "Her number is 41791234567."],
    ["an address", "ben@example.org is mine", "Write to <ben@example.org>"],
    ["Chinese", "我星期五要去伯尔尼看医生", "他说“星期五要去伯尔尼看医生”。"],
    ["Japanese", "金曜日に医者へ", "「金曜日に医者へ」と言った"],
    ["Russian", "мне слишком дорого", "Бен: мне слишком дорого"],
  ])("are found: %s", (_, theirs, text) => {
    expect(wrote(theirs).areIn(text)).toBe(true);
  });

  it.each([
    ["few words alike", "can you help me", "I can help you with that."],
    ["a word too short to tell", "no", "There is no train."],
    ["a part of a short text", "too dear for me", "That is too dear."],
    ["nothing", "", "anything"],
  ])("are not found: %s", (_, theirs, text) => {
    expect(wrote(theirs).areIn(text)).toBe(false);
  });

  it("are found in the beginning of a text that normalising makes much longer", () => {
    const words = wrote("two three four five six");
    const signs = "\ufdfa".repeat(20_000);
    expect(words.areIn(`one two three four five six ${signs}`)).toBe(true);
    expect(words.areIn(`${signs} two three four five six`)).toBe(false);
  });

  it("are found in time that grows with the text only", () => {
    const words = wrote("one two three four five six seven ".repeat(5_000));
    expect(words.areIn("eight nine ten ".repeat(20_000))).toBe(false);
    expect(words.areIn(`${"eight ".repeat(9)}two three four five six`)).toBe(true);
  });
});
