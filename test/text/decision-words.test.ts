import { describe, expect, it } from "vitest";
import { namedCalls, spokenDecision } from "../../src/text/decision-words.ts";

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
    expect(spokenDecision("yes 2")).toEqual({
      status: "approved",
      numbers: [2],
    });
    expect(spokenDecision("ok #3.")).toEqual({
      status: "approved",
      numbers: [3],
    });
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
    "yes 2 and 3 please",
    "yes 1 and",
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
      numbers: [2],
      reason: "too dear",
    });
  });

  it.each(["no, 2", "No: #2.", "нет, 2", "不，2。"])(
    "may name a call behind a comma: %s",
    (text) => {
      expect(spokenDecision(text)).toEqual({ status: "denied", numbers: [2] });
    },
  );

  it.each([
    ["no 1 and 2 are too dear", [1], "and 2 are too dear"],
    ["no 1, 2 are enough", [1], "2 are enough"],
    ["no 2 and a half", [2], "and a half"],
  ])("names one call where more follows than numbers: %s", (text, numbers, reason) => {
    expect(spokenDecision(text)).toEqual({
      status: "denied",
      numbers,
      reason,
    });
  });

  it.each(["2.5 is enough", "1,5 Stunden", "2:30 is late", "100"])(
    "reads a longer number as a part of the reason: %s",
    (reason) => {
      expect(spokenDecision(`no ${reason}`)).toEqual({
        status: "denied",
        reason,
      });
    },
  );

  it("may begin its reason with a number", () => {
    expect(spokenDecision("no, 2 are enough")).toEqual({
      status: "denied",
      reason: "2 are enough",
    });
  });

  it.each(["nothing of it", "nobody", "november", "know", "不同"])("is not: %s", (text) => {
    expect(spokenDecision(text)).toBeUndefined();
  });

  it("is read in no time from hostile text", () => {
    for (const text of [" ".repeat(999), `no${" ,".repeat(450)}`, "!".repeat(999)])
      spokenDecision(text);
    expect(spokenDecision(`no ${"x".repeat(2_000)}`)).toBeUndefined();
  });
});

describe("several calls", () => {
  const both = [1, 2];
  it.each([
    ["1 and 2", both],
    ["1,2", both],
    ["1 2", both],
    ["#1 & #2", both],
    ["1; 2.", both],
    ["1, 2, and 3", [1, 2, 3]],
    ["1 und 2", both],
    ["1 y 2", both],
    ["1 e 2", both],
    ["1, 2 et 3", [1, 2, 3]],
    ["1 и 2", both],
    ["1和2", both],
    ["1、2 以及 3", [1, 2, 3]],
    ["1，2。", both],
    ["1 AND 2", both],
    ["2 and 2", [2]],
  ])("are named alike to a yes, a no and a command: %s", (list, numbers) => {
    expect(namedCalls(list)).toMatchObject({ numbers, rest: "" });
    for (const word of ["yes", "да,", "好"])
      expect(spokenDecision(`${word} ${list}`)).toEqual({
        status: "approved",
        numbers,
      });
    for (const word of ["no", "nein,", "不"])
      expect(spokenDecision(`${word} ${list}`)).toEqual({
        status: "denied",
        numbers,
      });
  });

  it("need no blank in Chinese", () => {
    expect(spokenDecision("不1和2")).toEqual({
      status: "denied",
      numbers: both,
    });
  });
});
