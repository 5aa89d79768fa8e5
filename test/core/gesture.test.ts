import { describe, expect, it } from "vitest";
import { continuesGesture, piecesAfter, waitsForMore, type Piece } from "../../src/core/gesture.ts";
import type { EditEntry, InboxEntry, MessageEntry } from "../../src/core/history.ts";

const ann = { id: "telegram:1", name: "Ann" };
const ben = { id: "telegram:2", name: "Ben" };

const entry = (id: string, more: Partial<MessageEntry> = {}): MessageEntry => ({
  kind: "message",
  v: 1,
  id,
  person: ann,
  text: id,
  atMs: 1_000,
  ...more,
});

const edit: EditEntry = {
  kind: "edit",
  v: 2,
  id: "e1",
  edits: "1",
  person: ann,
  text: "so",
  atMs: 1_000,
};

const forward = { burst: "gesture", forwarded: true };

describe("whether a message continues a gesture", () => {
  it.each<[string, Partial<Piece>, Partial<Piece>, boolean]>([
    ["two plain texts", {}, {}, false],
    ["a comment and its forward", {}, forward, true],
    ["a forward and its comment", forward, {}, true],
    ["two forwards", forward, forward, true],
    ["an album and a text", { burst: "77" }, {}, true],
    ["a text and an album", {}, { burst: "77" }, true],
    ["two albums", { burst: "77" }, { burst: "78" }, true],
    ["a paste and its end", { burst: "paste" }, {}, true],
    ["a file and a forward", { burst: "gesture" }, forward, true],
    ["another person's forward", {}, { ...forward, person: ben }, false],
    ["a forward 2 s later", { atMs: 0 }, { ...forward, atMs: 2_000 }, true],
    ["a forward after that", { atMs: 0 }, { ...forward, atMs: 2_001 }, false],
    ["one album, however slow", { burst: "77", atMs: 0 }, { burst: "77", atMs: 60_000 }, true],
    [
      "what was written at once and received late",
      { atMs: 0, sentAtMs: 5_000 },
      { ...forward, atMs: 9_000, sentAtMs: 6_000 },
      true,
    ],
    [
      "what was written long before and received at once",
      { atMs: 0, sentAtMs: 5_000 },
      { ...forward, atMs: 0, sentAtMs: 60_000 },
      false,
    ],
    [
      "what an earlier version received",
      { atMs: 0 },
      { ...forward, sentAtMs: 9, atMs: 9_000 },
      false,
    ],
    ["a skill and a forward", { skill: "minutes" }, forward, true],
    ["a forward and a skill", forward, { skill: "minutes" }, false],
    ["a schedule's message", { schedule: { id: "s", slotMs: 1 } }, forward, false],
    ["a message of /auto", { auto: { goal: "a", step: 1, of: 2 } }, forward, false],
  ])("%s: %#", (_, before, next, continues) => {
    const piece: Piece = { person: ann, atMs: 0 };
    expect(continuesGesture({ ...piece, ...before }, { ...piece, ...next })).toBe(continues);
  });
});

describe("whether a piece waits for more", () => {
  it.each<[string, Partial<MessageEntry>, boolean]>([
    ["a text", {}, false],
    ["a forward", forward, true],
    ["a file without words", { burst: "gesture", text: "" }, true],
    ["a file with words", { burst: "gesture", text: "what is it?" }, false],
    ["an album's piece", { burst: "77" }, true],
    ["a long text", { burst: "paste" }, true],
  ])("%s", (_, fields, waits) => {
    expect(waitsForMore(entry("a", fields))).toBe(waits);
  });
});

describe("the waiting pieces of a gesture", () => {
  const of = (...waiting: readonly InboxEntry[]) =>
    piecesAfter(entry("comment"), waiting).map(({ id }) => id);

  it.each<[string, readonly InboxEntry[], readonly string[]]>([
    ["all that follow", [entry("f1", forward), entry("f2", forward)], ["f1", "f2"]],
    ["not what is said next", [entry("next"), entry("f1", forward)], []],
    ["across an edit", [edit, entry("f1", forward)], ["f1"]],
    [
      "marked ones behind another's message",
      [entry("b", { person: ben }), entry("f1", forward), entry("f2", forward)],
      ["f1", "f2"],
    ],
    [
      "no text behind another's message",
      [entry("f1", forward), entry("b", { person: ben }), entry("c"), entry("f2", forward)],
      ["f1"],
    ],
    [
      "nothing behind a reset",
      [{ kind: "reset", v: 1, id: "r", atMs: 1 }, entry("f1", forward)],
      [],
    ],
    ["nothing that was stopped", [entry("f1", { ...forward, stopped: true })], []],
    [
      "a chain whose ends are far apart",
      [entry("f1", { ...forward, atMs: 2_500 }), entry("f2", { ...forward, atMs: 4_000 })],
      ["f1", "f2"],
    ],
  ])("are %s", (_, waiting, ids) => {
    expect(of(...waiting)).toEqual(ids);
  });
});
