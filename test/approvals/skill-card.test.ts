import { expect, it } from "vitest";
import { approvalCode, approvalCodes, skillCard } from "../../src/approvals/skill-card.ts";
import type { SkillVersion } from "../../src/core/skill.ts";
import { localeFor } from "../../src/locales/locale-for.ts";

const skill = (text: string): SkillVersion => ({
  name: "pdf",
  description: "Reads PDFs",
  version: "a".repeat(64),
  files: [{ path: "SKILL.md", text }],
  leftOut: 0,
});
const { ofCard, ofFile } = approvalCodes("a".repeat(64));

it.each([
  ["a short skill", "Read the file.", ofCard],
  ["a long one", "Read the file.\n".repeat(500), ofFile],
  ["a long line", "x".repeat(301), ofFile],
  ["more words with look-alike letters than a card lists", "aа bа cа dа eа fа", ofFile],
])("the code of %s is that of what shows all of it", (_, text, code) => {
  const review = { now: skill(text), before: undefined, tools: [] };
  expect(approvalCode(review)).toBe(code);
  expect(skillCard(review, localeFor()).isCut).toBe(code === ofFile);
});

it("a skill that is too long for a card isn't searched for oddities to know its code", () => {
  const now: SkillVersion = {
    ...skill("Read the file.\n".repeat(500)),
    get description(): string {
      throw new Error("searched");
    },
  };
  expect(approvalCode({ now, before: undefined })).toBe(ofFile);
  expect(() => skillCard({ now, before: undefined, tools: [] }, localeFor())).toThrow("searched");
});
