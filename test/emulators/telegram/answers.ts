import { expect } from "vitest";
import type { TestChat } from "../../support/parley/stage.ts";

/** What a send whose fate no one knows says of itself. */
const label = "\n\n(sent again; you may see this twice)";

/**
 * Each of these texts was shown once, in this order, and nothing else; what was sent again says so.
 */
export function expectAnswers(chat: TestChat, expected: readonly string[]): void {
  const texts = chat.shown().map(({ text }) => text);
  const unlabelled = texts.filter((text) => !text.endsWith(label));
  const stripped = texts.map((text) => text.replace(label, ""));
  expect([...new Set(stripped)], JSON.stringify(texts)).toEqual(expected);
  expect(new Set(unlabelled).size, JSON.stringify(texts)).toBe(unlabelled.length);
}
