import { describe, expect, it } from "vitest";
import type { LogEntry } from "../../../src/core/history.ts";
import { hotContext, type HotInput } from "../../../src/loop/view/hot-context.ts";
import { nothingKept } from "../../../src/loop/view/kept-blocks.ts";
import { factOf } from "../../support/kept-memory.ts";

const hourMs = 3_600_000;
const now = 100 * hourMs;
const said = (text: string, agoMs: number, more: object = {}): LogEntry => ({
  kind: "message",
  v: 1,
  id: text,
  person: { id: "telegram:1", name: "Ann" },
  text,
  atMs: now - agoMs,
  ...more,
});
const did = (turn: number, name: string, more: object = {}): LogEntry[] => [
  {
    kind: "assistant",
    v: 1,
    turn,
    round: 1,
    model: "a/b",
    text: "",
    calls: [{ index: 0, wireId: "w", name, arguments: '{"path":"a.txt"}' }],
    ...more,
  },
  { kind: "tool", v: 1, turn, round: 1, index: 0, name, text: "done" },
];
const hot = (more: Partial<HotInput> = {}): string =>
  hotContext({
    transcript: [said("hi", 0)],
    turn: 9,
    todos: [],
    kept: nothingKept,
    effectOf: (name) => (name === "look" ? "read" : name === "gone" ? undefined : "once"),
    windowTokens: 1_000,
    ...more,
  });

const withUsage = (inputTokens: number) =>
  hot({
    transcript: [said("hi", 0), ...did(1, "look", { usage: { inputTokens, outputTokens: 0 } })],
  });

describe("what is so just now", () => {
  it("is nothing where there is nothing to say", () => {
    expect(hot()).toBe("");
    expect(hot({ transcript: [] })).toBe("");
    expect(hot({ todos: [{ text: "greet", done: true }] })).toBe("");
  });

  it("has the open to-dos, as many as there is room for", () => {
    const todos = Array.from({ length: 200 }, (_, index) => ({
      text: `to do ${index}\n${"x".repeat(300)}`,
      done: false,
    }));
    const text = hot({ todos });
    expect(text).toMatch(/^\[From the platform: how things are just now/);
    expect(text).toContain("> - to do 0 xxx");
    expect(text).toContain("(and 191 more)");
    expect(text.length).toBeLessThan(2_500);
  });

  it("has the files of the last day, with kind, size and age", () => {
    const file = {
      kind: "document",
      name: "a.pdf",
      mediaType: "application/pdf",
      size: 12_000,
      blob: "b",
    };
    const text = hot({
      transcript: [
        said("old", 25 * hourMs, { attachments: [{ ...file, name: "old.pdf" }] }),
        said("new", 3 * hourMs, { attachments: [file] }),
        said("hi", 0),
      ],
    });
    expect(text).toContain("> - file a.pdf, 12 kB, 3 hours ago");
    expect(text).not.toContain("old.pdf");
  });

  it("has what calls of earlier turns changed: by which call, and how long ago", () => {
    const text = hot({
      transcript: [
        said("one", 50 * hourMs),
        ...did(1, "write"),
        ...did(2, "look"),
        ...did(3, "gone"),
        said("hi", 0),
        ...did(9, "send"),
      ],
    });
    expect(text).toContain('> - write (call 1.1.0) {"path":"a.txt"}, 2 days ago');
    for (const name of ["look", "gone", "send"]) expect(text).not.toContain(name);
  });

  it("has the share of the window, in steps, if it is worth a word", () => {
    expect(withUsage(299)).toBe("");
    expect(withUsage(678)).toContain("About 60 % of your context window");
  });

  it("has older facts that share words with the message, of those without room in front", () => {
    const many = Array.from({ length: 60 }, (_, index) =>
      factOf(`${"x".repeat(80)} number${index}`, { id: `${index}`.padStart(8, "0") }),
    );
    const kept = { ...nothingKept, ownFacts: [factOf("the boat is called Anna"), ...many] };
    const about = (text: string) => hot({ kept, transcript: [said(text, 0)] });
    expect(about("how is my boat?")).toContain("the boat is called Anna");
    expect(about("how is the weather?")).toBe("");
  });

  it("is the same for the whole turn: times are as of its newest message", () => {
    const transcript = [said("one", 2 * hourMs), ...did(1, "write"), said("hi", 0)];
    expect(hot({ transcript: [...transcript, ...did(9, "send")] })).toBe(hot({ transcript }));
  });
});
