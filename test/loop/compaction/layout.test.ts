import { expect, it } from "vitest";
import type { EditEntry, LogEntry } from "../../../src/core/history.ts";
import { isShown, layoutOf, partOf } from "../../../src/loop/compaction/layout.ts";
import { turnOf } from "./conversation.ts";

const edited = (of: number, more: Partial<EditEntry> = {}): LogEntry => ({
  kind: "edit",
  v: 2,
  id: `edit of ${of}`,
  edits: "1",
  person: { id: "telegram:1", name: "Ann" },
  text: "eins",
  of,
  atMs: 0,
  ...more,
});
const turn = (number: number) => turnOf(number, { question: `q${number}`, answer: `a${number}` });
const shownIn = (entries: readonly LogEntry[]) => {
  const part = partOf(entries, 0);
  return entries.filter((_, index) => isShown(part, index));
};

it("an edit for the memory alone is no part of the conversation, and parts no turns", () => {
  const past = edited(0, { past: true });
  const entries = [...turn(1), past, ...turn(2)];
  expect(shownIn(entries)).not.toContain(past);
  expect(layoutOf(partOf(entries, 0), { turn: 9, protectPairs: 0 }).cuts).toEqual([3, 5]);
});

it("an undo hides the edits of what it takes back, and no others", () => {
  const undo: LogEntry = { kind: "undo", v: 1, id: "u", fromSeq: 2, ran: [], atMs: 0 };
  const stays = edited(0);
  const entries = [...turn(1), ...turn(2), stays, edited(2), undo];
  expect(shownIn(entries)).toEqual([...turn(1), stays]);
});
