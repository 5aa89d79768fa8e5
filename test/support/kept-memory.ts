import type { Fact } from "../../src/core/facts.ts";
import type { KeptMemory } from "../../src/loop/view/kept-blocks.ts";
import { chatKey } from "../../src/core/chat.ts";

const chat = chatKey({ platform: "telegram", bot: "b", chat: "1" });

export const factOf = (text: string, more: Partial<Fact> = {}): Fact => ({
  v: 1,
  id: "0a1b2c3d",
  text,
  by: { id: "telegram:1", name: "Ann" },
  atMs: Date.UTC(2026, 4, 1),
  chat,
  ...more,
});

/** The same text wherever memory has one. */
export const keptOf = (text: string): KeptMemory => ({
  ownFacts: [factOf(text, { by: { id: "telegram:1", name: text } })],
  chatFacts: [factOf(text)],
  summaries: [{ v: 1, from: 0, to: 3, atMs: Date.UTC(2026, 4, 1), text }],
});
