import { expect, it } from "vitest";
import { lookalikes, spelledOut } from "../../src/core/lookalikes.ts";

it.each([
  ["p\u0430ypal.com", "a Cyrillic а"],
  ["g\u03bfogle", "a Greek ο"],
  ["\uff50\uff41\uff59pal", "wide letters"],
  ["\u{1d429}\u{1d41a}\u{1d432}", "letters of mathematics"],
  ["\u0430\u0441\u0435.com", "a part that is all Cyrillic, and looks Latin"],
])("finds %s: %s", (word) => {
  expect(lookalikes(`see ${word}, please`)).toEqual([word]);
});

it.each([
  "Привет, это файл report.pdf и отчёт.pdf",
  "λ-calculus and 5 µm, 10 m², ½ of ﬁve",
  "你好 hello ñandú Ærø",
  "user@example.com /etc/passwd --force",
  "",
])("leaves alone: %s", (text) => {
  expect(lookalikes(text)).toEqual([]);
});

it("names each once, and five at most", () => {
  const words = Array.from({ length: 9 }, (_, index) => `p\u0430y${index}`);
  expect(lookalikes([...words, ...words].join(" "))).toEqual(words.slice(0, 5));
});

it("spells a word out", () => {
  expect(spelledOut("p\u0430y\u{1d41a}")).toBe(String.raw`p\u0430y\u{1d41a}`);
});
