import { describe, expect, it } from "vitest";
import { languages, localeFor } from "../../src/locales/locale-for.ts";
import { bannedPhrases } from "./banned-phrases.ts";
import { givenOf, leavesOf, say } from "./leaves.ts";

const english = leavesOf(localeFor("en"));

/** Everything that a language says, as people read it. */
const saidIn = (language: string): [path: string, said: string][] =>
  [...leavesOf(localeFor(language))].flatMap(([path, leaf]) =>
    givenOf(path).map((given): [string, string] => [path, say(leaf, given)]),
  );

/** `<id>`, and what is typed as `name=value`. */
const blanksIn = (text: string): number => [...text.matchAll(/<[^<>\s]+>|\S=(?=\S)/g)].length;

describe.each(languages)("the wording of %s", (language) => {
  const word = (phrase: string): RegExp =>
    language === "zh"
      ? new RegExp(phrase, "u")
      : new RegExp(`(?<![\\p{L}-])(?:${phrase})(?![\\p{L}-])`, "iu");

  it.each(bannedPhrases[language])("never says %s", (phrase) => {
    const found = saidIn(language).filter(([, said]) => word(phrase).test(said));
    expect(found).toEqual([]);
  });

  it("leaves the same blanks to fill in as English", () => {
    for (const [path, leaf] of leavesOf(localeFor(language))) {
      const [given = []] = givenOf(path);
      const same = say(english.get(path) ?? "", given);
      expect([path, blanksIn(say(leaf, given))]).toEqual([path, blanksIn(same)]);
    }
  });

  it("writes long numbers in groups, as its readers do", () => {
    const grouped = new Intl.NumberFormat(language).format(12_345).replaceAll("\u202F", "\u00A0");
    let count = 0;
    for (const [path, leaf] of leavesOf(localeFor(language)))
      for (const given of givenOf(path).filter((each) => each.includes(12_345))) {
        count += 1;
        const said = say(leaf, given);
        expect(said, path).toContain(grouped);
        expect(said, path).not.toContain("12345");
      }
    expect(count).toBeGreaterThan(40);
  });
});

describe("numbers", () => {
  it.each([
    ["en", "60,001", "1.5"],
    ["de", "60.001", "1,5"],
    ["es", "60.001", "1,5"],
    ["fr", "60\u00A0001", "1,5"],
    ["ru", "60\u00A0001", "1,5"],
    ["zh", "60,001", "1.5"],
  ])("%s: %s, %s", (language, whole, fraction) => {
    const { number, ingress } = localeFor(language);
    expect(number(1.5)).toBe(fraction);
    expect(ingress.tooLong(60_001, 50_000)).toContain(whole);
  });
});

describe("money", () => {
  const nbsp = "\u00A0";
  it.each([
    ["en", "$1,234.50", "$0.50", "$0.00123", "<$0.000001", "$0"],
    ["de", `1.234,50${nbsp}$`, `0,50${nbsp}$`, `0,00123${nbsp}$`, `<0,000001${nbsp}$`, `0${nbsp}$`],
    ["es", `1234,50${nbsp}$`, `0,50${nbsp}$`, `0,00123${nbsp}$`, `<0,000001${nbsp}$`, `0${nbsp}$`],
    [
      "fr",
      `1${nbsp}234,50${nbsp}$`,
      `0,50${nbsp}$`,
      `0,00123${nbsp}$`,
      `<0,000001${nbsp}$`,
      `0${nbsp}$`,
    ],
    [
      "ru",
      `1${nbsp}234,50${nbsp}$`,
      `0,50${nbsp}$`,
      `0,00123${nbsp}$`,
      `<0,000001${nbsp}$`,
      `0${nbsp}$`,
    ],
    ["zh", "$1,234.50", "$0.50", "$0.00123", "<$0.000001", "$0"],
  ])("%s", (language, ...said) => {
    const { money, end } = localeFor(language);
    expect([1_234.5, 0.5, 0.001_23, 1e-9, 0].map(money)).toEqual(said);
    expect(end.cost(0.5)).toContain(said[1]);
  });

  it.each([
    [12.345, "$12.35"],
    [1.005_1, "$1.01"],
    [0.999_9, "$1.00"],
    [0.123_456, "$0.123"],
    [0.125, "$0.125"],
    [0.5, "$0.50"],
    [0.015, "$0.015"],
    [0.014_9, "$0.0149"],
    [0.01, "$0.01"],
    [0.009_99, "$0.00999"],
    [0.000_012_3, "$0.000012"],
  ])("%d USD has cents, and three digits below one dollar", (usd, said) => {
    expect(localeFor("en").money(usd)).toBe(said);
  });

  it.each([
    ["en", "$1.2555", "$0.0123456", "$5.00", "$0"],
    ["de", `1,2555${nbsp}$`, `0,0123456${nbsp}$`, `5,00${nbsp}$`, `0${nbsp}$`],
    ["es", `1,2555${nbsp}$`, `0,0123456${nbsp}$`, `5,00${nbsp}$`, `0${nbsp}$`],
    ["fr", `1,2555${nbsp}$`, `0,0123456${nbsp}$`, `5,00${nbsp}$`, `0${nbsp}$`],
    ["ru", `1,2555${nbsp}$`, `0,0123456${nbsp}$`, `5,00${nbsp}$`, `0${nbsp}$`],
    ["zh", "$1.2555", "$0.0123456", "$5.00", "$0"],
  ])("%s: what was set has all its digits", (language, ...said) => {
    const { exactMoney, end } = localeFor(language);
    expect([1.255_5, 0.012_345_6, 5, 0].map(exactMoney)).toEqual(said);
    expect(end.cost(1.255_5)).toContain(said[0]);
  });
});
