import { describe, expect, it } from "vitest";
import { spokenDecision } from "../../src/core/decision-words.ts";

describe("a yes", () => {
  it.each([
    "yes",
    "Yes.",
    " OK! ",
    "okay",
    "approve",
    "y",
    "👍",
    "👍🏽",
    "✅",
    "ja",
    "Genehmigt",
    "sí",
    "Si",
    "vale",
    "oui",
    "d'accord",
    "D’accord !",
    "да",
    "Да!",
    "ок",
    "разрешаю",
    "好",
    "好的。",
    "同意",
    "可以",
    "Yes, please!",
    "sure",
    "ja bitte",
    "Sí, por favor.",
    "si\u0301",
    "👍️",
    "👍🏿",
    "✔️",
    "да, пожалуйста",
  ])("is %s", (text) => {
    expect(spokenDecision(text)).toEqual({ status: "approved" });
  });

  it("may name a call", () => {
    expect(spokenDecision("yes 2")).toEqual({ status: "approved", number: 2 });
    expect(spokenDecision("ok #3.")).toEqual({ status: "approved", number: 3 });
  });

  it.each([
    "yes, but only the first",
    "yes if it is cheap",
    "ok then tell me more",
    "yesterday",
    "oks",
    "not yes",
    "да, но дешевле",
    "好的，但是",
    "y e s",
    "",
    "yes 2 3",
    "yes\nno",
  ])("is not: %s", (text) => {
    expect(spokenDecision(text)?.status).not.toBe("approved");
  });
});

describe("a no", () => {
  it.each([
    "no",
    "No!",
    "n",
    "nein",
    "non",
    "нет",
    "不",
    "不行。",
    "拒绝",
    "👎",
    "deny",
    "rechazar",
    "refuser",
    "ablehnen",
    "nein danke",
    "No, thanks.",
    "no gracias",
    "Non merci",
    "нет, спасибо",
    "不用",
    "👎🏼",
  ])("is %s", (text) => {
    expect(spokenDecision(text)).toEqual({ status: "denied" });
  });

  it.each([
    ["no, too expensive", "too expensive"],
    ["No: use the\nother one", "use the\nother one"],
    ["nein, zu teuer", "zu teuer"],
    ["нет, дорого", "дорого"],
    ["不，太贵了", "太贵了"],
    ["deny it is not mine", "it is not mine"],
  ])("may say why: %s", (text, reason) => {
    expect(spokenDecision(text)).toEqual({ status: "denied", reason });
  });

  it("may name a call and say why", () => {
    expect(spokenDecision("no 2, too dear")).toEqual({
      status: "denied",
      number: 2,
      reason: "too dear",
    });
  });

  it.each(["no, 2", "No: #2.", "нет, 2", "不，2。"])(
    "may name a call behind a comma: %s",
    (text) => {
      expect(spokenDecision(text)).toEqual({ status: "denied", number: 2 });
    },
  );

  it.each(["no 1 2", "no 1,2", "no, 1, 2", "nein: 1; 3."])(
    "is about one call, not several: %s",
    (text) => {
      expect(spokenDecision(text)).toBeUndefined();
    },
  );

  it("may begin its reason with a number", () => {
    expect(spokenDecision("no, 2 are enough")).toEqual({
      status: "denied",
      reason: "2 are enough",
    });
  });

  it.each(["nothing of it", "nobody", "november", "know", "不同"])(
    "is not: %s",
    (text) => {
      expect(spokenDecision(text)).toBeUndefined();
    },
  );

  it("is read in no time from hostile text", () => {
    for (const text of [
      " ".repeat(999),
      `no${" ,".repeat(450)}`,
      "!".repeat(999),
    ])
      spokenDecision(text);
    expect(spokenDecision(`no ${"x".repeat(2_000)}`)).toBeUndefined();
  });
});
