import { expect, it, vi } from "vitest";
import { longTalk, openWorkshop, requestFor } from "./workshop.ts";

const loaded = vi.hoisted(() => ({ times: 0 }));
vi.mock("gpt-tokenizer/encoding/o200k_base", () => {
  loaded.times += 1;
  return {
    countTokens: (text: string) => Math.ceil(text.length / 4),
    setMergeCacheSize: () => undefined,
  };
});

it("the tokenizer is not loaded before a conversation may need it", async () => {
  await using workshop = await openWorkshop({ strategy: "truncate" });
  const { compactor } = workshop;
  // About 480 tokens of 4,000, and no more than 2,000 bytes.
  expect(await compactor.check(requestFor(longTalk(2)))).toBeUndefined();
  const entries = longTalk(14).map((entry, place) =>
    entry.kind === "assistant" && place === 27
      ? { ...entry, usage: { inputTokens: 900, outputTokens: 100 } }
      : entry,
  );
  // However long: a figure says that there is room.
  expect(await compactor.check(requestFor(entries))).toBeUndefined();
  expect(loaded.times).toBe(0);
  expect(await compactor.check(requestFor(longTalk(14)))).toBeDefined();
  expect(loaded.times).toBe(1);
});
