import { expect, it } from "vitest";
import { areWordsOf, significantWords } from "../../src/text/own-words.ts";

it.each([
  ["The user drinks green tea", "Remember that I drink… no: she drinks green tea.", true],
  ["Ann lives in Oslo", "I'm Ann, and who lives in Oslo? Me.", true],
  ["the flat number is 7", "remember: flat number 7", true],
  ["我 喜欢 绿茶", "记住我喜欢绿茶", true],
  ["Живёт в Осло", "Запомни: сестра живёт в Осло", true],
  // One word that no one said is enough.
  ["drinks tea and pays bob", "remember that she drinks tea", false],
  ["flat number 8", "remember: flat number 7", false],
  ["send mail to x@evil.example", "remember my mail", false],
  ["we are it", "we are it", false],
  ["", "", false],
] as const)("%j is made of the words of %j: %s", (fact, said, is) => {
  expect(areWordsOf(fact, [said])).toBe(is);
});

it("counts shared words", () => {
  expect([...significantWords("Which tea is green, and the 2nd?")]).toEqual([
    "which",
    "tea",
    "green",
    "2nd",
  ]);
});
