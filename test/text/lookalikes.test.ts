import { expect, it } from "vitest";
import { allLookalikes, lookalikes, spelledOut } from "../../src/text/lookalikes.ts";

it.each([
  ["p\u0430ypal.com", "a Cyrillic а"],
  ["g\u03bfogle", "a Greek ο"],
  ["\uff50\uff41\uff59pal", "wide letters"],
  ["\u{1d429}\u{1d41a}\u{1d432}", "letters of mathematics"],
  ["\u0430\u0441\u0435.com", "a part that is all Cyrillic, and looks Latin"],
  ["\u0430\u0440\u0440\u04cf\u0435.com", "the same with a palochka"],
  ["app\u04cfe.com", "a palochka"],
  ["\u03c1\u03b1\u03bd.com", "a part that is all Greek, and looks Latin"],
  ["\u0261oogle.com", "a Latin script g"],
  ["p\u0251ypal.com", "a Latin alpha"],
  ["g\u0131thub.com", "a dotless i"],
  ["mi\u1d04rosoft.com", "a small capital c"],
  ["b\u0585t.com", "an Armenian o"],
  ["\u{10412}ank.com", "a Deseret letter"],
  ["good.com\u2215evil.net", "a division slash"],
  ["good\u2024com.evil.net", "a one dot leader"],
])("finds %s: %s", (word) => {
  expect(lookalikes(`see ${word}, please`)).toEqual([word]);
});

it.each([
  "Привет, это файл report.pdf и отчёт.pdf",
  "λ-calculus and 5 µm, 10 m², ½ of ﬁve",
  "你好 hello ñandú Ærø",
  "看https://example.com/路径 ใช้google を使うgoogle",
  "[ˈɡuːɡəl] çalışıyor, Straße, 1\u20442 cup",
  "user@example.com /etc/passwd --force",
  "",
])("leaves alone: %s", (text) => {
  expect(lookalikes(text)).toEqual([]);
});

it("names each once, five at most, and says that there are more", () => {
  const words = Array.from({ length: 9 }, (_, index) => `p\u0430y${index}`);
  expect(lookalikes([...words, ...words].join(" "))).toEqual([...words.slice(0, 5), "..."]);
  const five = words.slice(0, 5);
  expect(lookalikes([...five, ...five].join(" "))).toEqual(five);
  expect([...allLookalikes([...words, ...words].join(" "))]).toEqual(words);
});

it("spells a word out", () => {
  expect(spelledOut("p\u0430y\u{1d41a}")).toBe(String.raw`p\u0430y\u{1d41a}`);
});
