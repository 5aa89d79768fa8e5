import { describe, expect, it } from "vitest";
import { chatKey, type ChatKey } from "../../src/core/chat.ts";
import type { Notes, Tool } from "../../src/core/tool.ts";
import { openStore } from "../../src/store/redis/redis.ts";
import { createNotes } from "../../src/store/turns/notes.ts";
import { notesTools } from "../../src/tools/notes.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const redis = await testDatabase();

const here = chatKey({ platform: "telegram", bot: "b", chat: "1" });
const elsewhere = chatKey({ platform: "telegram", bot: "b", chat: "2" });

function toolsOver(notes: Notes) {
  let calls = 0;
  const run = async (
    name: string,
    given: object,
    chat: ChatKey = here,
    idempotencyKey?: string,
  ): Promise<string> => {
    calls += 1;
    const tool = notesTools(notes).find((each) => each.name === name);
    if (tool === undefined) throw new TypeError(`no tool ${name}`);
    const { text } = await tool.run(tool.parameters.parse(given), {
      chat,
      requester: { id: "telegram:1", name: "Ann" },
      idempotencyKey: idempotencyKey ?? `call-${calls}`,
      signal: new AbortController().signal,
    });
    return text;
  };
  return { run };
}

const byName = (name: string): Tool => {
  const tool = notesTools({
    read: () => Promise.resolve([]),
    write: () => Promise.resolve(),
  }).find((each) => each.name === name);
  if (tool === undefined) throw new TypeError(`no tool ${name}`);
  return tool;
};

describe("notes", () => {
  it("are kept per chat, oldest first", async () => {
    const store = openStore(redis.url, () => undefined);
    try {
      const { run } = toolsOver(createNotes(store));
      expect(await run("read_notes", {})).toBe("There are no notes.");
      expect(await run("write_note", { note: "  milk " })).toBe("Noted.");
      await run("write_note", { note: "zwei\nZeilen 😀" });
      await run("write_note", { note: "theirs" }, elsewhere);
      expect(await run("read_notes", {})).toBe("1. milk\n2. zwei\nZeilen 😀");
      expect(await run("read_notes", {}, elsewhere)).toBe("1. theirs");
    } finally {
      store.redis.disconnect();
    }
  });

  it("of one call are one note, however often it is sent", async () => {
    const store = openStore(redis.url, () => undefined);
    try {
      const { run } = toolsOver(createNotes(store));
      const chat = chatKey({ platform: "telegram", bot: "b", chat: "3" });
      await run("write_note", { note: "milk" }, chat, "once");
      await run("write_note", { note: "milk" }, chat, "once");
      expect(await run("read_notes", {}, chat)).toBe("1. milk");
    } finally {
      store.redis.disconnect();
    }
  });

  it("fail loudly when they cannot be written", async () => {
    const { run } = toolsOver({
      read: () => Promise.reject(new Error("gone")),
      write: () => Promise.reject(new Error("gone")),
    });
    await expect(run("write_note", { note: "milk" })).rejects.toThrow("gone");
    await expect(run("read_notes", {})).rejects.toThrow("gone");
  });

  it.each([
    {},
    { note: "" },
    { note: " \n " },
    { note: 1 },
    { note: ["milk"] },
    { note: "x".repeat(2_001) },
    { note: "milk", chat: "telegram:b:2" },
  ])("refuse no. %#", (given) => {
    expect(byName("write_note").parameters.safeParse(given).success).toBe(false);
  });

  it("are written once, after a person said yes, and read freely", () => {
    expect(byName("write_note")).toMatchObject({
      effect: "once",
      history: "action",
      // Several notes in a row are what someone wants: a person agreed to each.
      repeatable: true,
    });
    expect(byName("write_note").confirm({ note: "milk" })).toBe(true);
    expect(byName("read_notes")).toMatchObject({
      effect: "read",
      history: "state",
    });
    expect(byName("read_notes").confirm({})).toBe(false);
  });
});
