import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { personaSchema } from "../../src/core/persona.ts";
import { hiddenIn, visible } from "../../src/text/visible-text.ts";

describe("visible", () => {
  it.each([
    ["French", "Prix\u00a0: 25\u202f€ — «\u00a0À demain\u00a0!\u00a0»"],
    ["French numbers and names", "10\u202f000\u00a0km, M.\u00a0Dupont, p.\u00a05, n°\u00a03"],
    ["Russian", "в\u00a0доме, 5\u00a0₽ —\u00a0да"],
    ["Japanese", "田中\u3000花子さんに電話する。料金：２５\u3000ユーロ"],
    ["a Chinese paragraph", "\u3000\u3000第一段。\n\u3000\u3000第二段。"],
    ["a Japanese name with a variant", "葛\u{e0100}城さん"],
    ["Persian", "می\u200cخواهم کتاب\u200cها را بخرم"],
    ["a Persian date", "۱۴۰۰ ه\u200d.ش"],
    ["Urdu with marks", "کِ\u200cتاب"],
    ["Hindi", "क्\u200dष और क्\u200cष"],
    ["Malayalam", "അവന്\u200d"],
    ["Sinhala", "ශ්\u200dරී ලංකා"],
    ["Bengali", "র\u200d্যাব"],
    ["Arabic and Hebrew marks", "مُحَمَّد שָׁלוֹם \u06dd١"],
    ["Thai and Korean", "น้ำ 한국어 각"],
    ["a family and an astronaut", "👨\u200d👩\u200d👧\u200d👦 👩\u200d🚀🚀"],
    ["emoji without selectors", "🏳\u200d🌈 ❤\u200d🔥 🤷\u200d♂ 🤷🏽\u200d♀️"],
    [
      "flags",
      "🇩🇪🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    ],
    ["keycaps and selectors", "1\ufe0f\u20e3 #\ufe0f\u20e3 ☎\ufe0e ❤\ufe0f 👍🏽"],
  ])("shows %s as people write it", (_, text) => {
    expect(visible(text, "\n")).toBe(text);
    expect(hiddenIn(text, "\n")).toEqual([]);
  });

  it.each([
    ["directions", "a\u202eb\u2066c\u200fd\u061ce", "a\\u202eb\\u2066c\\u200fd\\u061ce"],
    ["zero-width blanks", "pay\u200bpal\u2060\ufeff", "pay\\u200bpal\\u2060\\ufeff"],
    ["a soft hyphen", "pay\u00adpal", "pay\\u00adpal"],
    ["joiners in Latin words", "pay\u200cpal ad\u200dmin", "pay\\u200cpal ad\\u200dmin"],
    ["a second joiner", "क्\u200d\u200dष", "क्\u200d\\u200dष"],
    ["a non-joiner where nothing joins", "ا\u200cب", "ا\\u200cب"],
    ["a joiner in a Persian word", "ه\u200dم", "ه\\u200dم"],
    [
      "tags outside a flag",
      "a\u{e0061}🏴\u{e0075}\u{e0073}\u{e007f}",
      "a\\u{e0061}🏴\\u{e0075}\\u{e0073}\\u{e007f}",
    ],
    ["emoji that are none together", "🍎\u200d🚗", "🍎\\u200d🚗"],
    [
      "selectors elsewhere",
      "a\ufe0f1\ufe0f2 a\u{e0100} 葛\u{e0100}\u{e0101}",
      "a\\ufe0f1\\ufe0f2 a\\u{e0100} 葛\u{e0100}\\u{e0101}",
    ],
    ["a no-break blank in a path", "/tmp/a\u00a0b rm\u202f-rf", "/tmp/a\\u00a0b rm\\u202f-rf"],
    ["a wide blank in Latin words", "a\u3000b", "a\\u3000b"],
    ["runs of blanks", "a\u00a0\u00a0b \u3000c\u3000 d", "a\\u00a0\\u00a0b \\u3000c\\u3000 d"],
    ["blanks at an end", "\u00a0a\u3000", "\\u00a0a\\u3000"],
    ["narrow and other blanks", "a\u200ab\u1680c\u2028d", "a\\u200ab\\u1680c\\u2028d"],
    ["fillers", "a\u3164b\u2800c\u115f", "a\\u3164b\\u2800c\\u115f"],
    ["a grapheme joiner", "a\u034fb", "a\\u034fb"],
    ["controls", "a\u0000b\u001b[2J\r", "a\\u0000b\\u001b[2J\\u000d"],
  ])("shows %s as codes", (_, text, expected) => {
    expect(visible(text)).toBe(expected);
    expect(hiddenIn(text)).toHaveLength(expected.split("\\").length - 1);
  });

  it("leaves no text of which nothing can be seen, and never two of them the same", () => {
    const characters = fc.constantFrom(
      "a",
      "م",
      "क",
      "्",
      "👩",
      "🚀",
      " ",
      "\u200b",
      "\u200c",
      "\u200d",
      "\u202e",
      "\u00a0",
      "\u3000",
      "\ufe0f",
      "\u00ad",
      "\u{e0061}",
    );
    const texts = fc.array(characters, { maxLength: 12 }).map((all) => all.join(""));
    fc.assert(
      fc.property(texts, (text) => {
        const shown = visible(text);
        const back = shown.replaceAll(
          /\\u(?:\{(\w+)\}|(\w{4}))/g,
          (_, long: string, short: string) =>
            String.fromCodePoint(Number.parseInt(long ?? short, 16)),
        );
        expect(back).toBe(text);
        expect(shown).not.toMatch(
          /[\u200b\u202e\u00ad]|(?:\u200c|\u200d|\u00a0|\u3000){2}|[a ](?:\u200c|\u200d)/,
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

const accepts = (description: string) =>
  personaSchema.safeParse({ name: "x", prompt: "x", description }).success;

it("a persona's texts may be in any script, and hide nothing", () => {
  for (const text of [
    "Prix\u00a0: 25\u202f€",
    "می\u200cخواهم",
    "👩\u200d🚀 1\ufe0f\u20e3",
    "田中\u3000花子",
  ])
    expect(accepts(text), text).toBe(true);
  for (const text of ["a\u202eb", "a\u200bb", "a\u200db", "a\u00a0\u00a0b", "a\nb"])
    expect(accepts(text), text).toBe(false);
});
