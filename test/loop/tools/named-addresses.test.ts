import { describe, expect, it } from "vitest";
import type { LogEntry, ToolEntry } from "../../../src/core/history.ts";
import { toolboxIn } from "../../../src/loop/tools/named-addresses.ts";
import { createToolbox } from "../../../src/loop/tools/toolbox.ts";

const address = "https://example.com/page?q=1";

const said = (text: string, more: object = {}): LogEntry => ({
  kind: "message",
  v: 1,
  id: "m1",
  person: { id: "telegram:1", name: "Ann" },
  text,
  atMs: 0,
  ...more,
});
const called = (name: string, given: string, index = 0): LogEntry => ({
  kind: "assistant",
  v: 1,
  turn: 1,
  round: 1,
  model: "a/b",
  text: "",
  calls: [{ index, wireId: "w", name, arguments: given }],
});
const result = (text: string, more: Partial<ToolEntry> = {}): LogEntry => ({
  kind: "tool",
  v: 1,
  turn: 1,
  round: 1,
  index: 0,
  name: "search",
  text,
  ...more,
});

const names = (transcript: readonly LogEntry[], url: string = address): boolean | undefined =>
  toolboxIn(createToolbox([]), { transcript, viewStart: 0 })
    .conversationFor?.("fetch_url")
    .names(url);

it("an address of repeated parts is found at every place where it may begin", () => {
  const url = "https://ab.ab/ab/abab";
  expect(names([said("see ab.ab.ab/ab/abab ab.ab/ab/abab.")], url)).toBe(true);
  expect(names([said("see ab.ab/ab/ab ab.ab/ab/ababab")], url)).toBe(false);
  expect(names([said("aab.ab/ab/abab AB.ab/ab/abab")], url)).toBe(true);
  expect(names([said("ab.ab/AB/abab")], url)).toBe(false);
});

describe("an address is named", () => {
  it.each([
    ["as it is", address],
    ["with other letters in its host", "HTTPS://Example.COM/page?q=1"],
    ["without a scheme", "see example.com/page?q=1, please"],
    ["with another scheme", "http://example.com/page?q=1"],
    ["at the end of a sentence", `Read ${address}.`],
    ["in brackets", `[this](${address}) or <${address}>`],
    ["in quotes", `"${address}"`],
    ["in Chinese", `请看${address}。`],
    ["with a fragment", `${address}#part`],
    ["as JSON writes it", String.raw`{"url":"https:\/\/example.com\/page?q=1"}`],
  ])("by a person %s", (_how, text) => {
    expect(names([said(text)])).toBe(true);
  });

  it.each([
    ["https://example.com", "https://example.com/"],
    ["https://example.com/", "example.com"],
    ["https://example.com/a/", "https://example.com/a"],
    ["https://example.com/a#b", "https://example.com/a"],
    ["https://example.com/caf%C3%A9", "https://example.com/café"],
    ["https://example.com/café", "https://example.com/caf%C3%A9"],
  ])("%s, where it was written as %s", (url, text) => {
    expect(names([said(text)], url)).toBe(true);
  });

  it("by a quotation, an edit, a file and a result", () => {
    const person = { id: "telegram:1", name: "Ann" };
    const file = {
      kind: "document",
      mediaType: "text/plain",
      size: 1,
      blob: "b",
    };
    const quote = { text: address };
    expect(names([said("this", { quote })])).toBe(true);
    expect(
      names([
        said("x", { messageId: "1" }),
        {
          kind: "edit",
          v: 2,
          id: "e",
          edits: "1",
          person,
          text: address,
          atMs: 0,
        },
      ]),
    ).toBe(true);
    expect(
      names([
        said("", { v: 2, attachments: [file] }),
        { kind: "reading", v: 2, of: "m1", blob: "b", text: address },
      ]),
    ).toBe(true);
    expect(names([said("find"), called("search", "{}"), result(address)])).toBe(true);
  });
});

describe("an address is not named", () => {
  it.each([
    ["https://example.com/page?q=1", "https://example.com/page"],
    ["https://example.com/page", "https://example.com/page?q=1"],
    ["https://example.com/page", "https://example.com/pages"],
    ["https://example.com/", "https://example.com/page"],
    ["https://example.com/Page", "https://example.com/page"],
    ["https://example.com", "mail ann@example.com"],
    ["https://example.com", "notexample.com and example.com.evil.net"],
    ["https://a.example.com", "example.com"],
    ["https://example.com/?q=secret", "example.com"],
    ["no address", "nothing"],
  ])("%s by %s", (url, text) => {
    expect(names([said(text)], url)).toBe(false);
  });

  it("by the model, by what the bot wrote, or by what repeats the model's words", () => {
    const own = { quote: { text: address, own: true } };
    expect(names([said("yes", own)])).toBe(false);
    expect(names([said("x"), called("fetch_url", `{"url":"${address}"}`)])).toBe(false);
    const failure = "invalid-arguments" as const;
    expect(names([said("x"), result(`You wrote: ${address}`, { failure })])).toBe(false);
    expect(
      names([
        said("x"),
        called("todo_write", `{"todos":["${address}"]}`),
        result("Saved."),
        called("todo_list", "{}"),
        result(`1. ${address}`),
      ]),
    ).toBe(false);
  });

  it.each([
    ["escapes", String.raw`{"text":"example\u002ecom\/page?q=\u0031"}`],
    ["a percent sign", `{"text":"${encodeURIComponent(address)}"}`],
    ["a name", `{"${address}":{"deep":["x"]}}`],
    ["nested JSON", JSON.stringify({ text: `{"url":"${address}"}` })],
  ])("by a tool that was given it with %s", (_how, given) => {
    const repeated = [called("store.put", given), result(address)];
    expect(names([said("x"), ...repeated])).toBe(false);
  });

  it.each(["read_notes", "todo_list", "todo_write"])(
    "by %s, which returns what the model wrote in a conversation that was ended",
    (name) => {
      const returned = result(`1. ${address}`, { name });
      expect(names([said("x"), called(name, "{}"), returned])).toBe(false);
    },
  );

  it("by a conversation that was ended", () => {
    expect(names([said(address), { kind: "reset", v: 1, id: "r", atMs: 0 }])).toBe(false);
  });
});
