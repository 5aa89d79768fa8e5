import { describe, expect, it } from "vitest";
import { alreadyText } from "../../src/approvals/may-decide.ts";
import { localeFor } from "../../src/locales/locale-for.ts";

describe("an approval of two persons", () => {
  it.each([
    ["en", "This is already approved by Anna and Ben."],
    ["de", "Das wurde schon von Anna und Ben freigegeben."],
    ["es", "Esto ya fue aprobado por Anna y Ben."],
    ["fr", "C'est déjà approuvé par Anna et Ben."],
    ["ru", "Это уже одобрено (Anna и Ben)."],
    ["zh", "这已经由 Anna 和 Ben 批准了。"],
  ])("is told in a sentence that fits two: %s", (language, sentence) => {
    expect(
      alreadyText(localeFor(language).decisions, {
        status: "approved",
        decidedBy: "Ben",
        approvedFirst: "Anna",
      }),
    ).toBe(sentence);
  });
});
