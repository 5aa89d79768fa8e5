import { expect, it } from "vitest";
import { z } from "zod";
import { entryMarkdown } from "../../src/commands/export/markdown.ts";
import { localeFor } from "../../src/locales/locale-for.ts";
import type { ArchiveHead, ArchiveLine } from "../../src/core/archive.ts";
import { RetryableError } from "../../src/core/errors.ts";
import { inboxEntrySchema, logEntrySchema, type LogEntry } from "../../src/core/history.ts";
import { linesOf } from "../../src/loop/compaction/lines.ts";
import { AuthorEraser } from "../../src/loop/inbox/forget-author.ts";
import { buildRequestView } from "../../src/loop/view/build-request-view.ts";
import { importChat, readChat } from "../../src/store/turns/chat-archive.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { parseStored } from "../../src/store/stored.ts";
import { newChat, storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());

const person = { id: "telegram:1", name: "Ann-word" };
const blob = "file-0123456789012345678901";

/** As this version stores them, word for word; what is told apart by a word ends with `-word`. */
const stored = {
  plain: `{"kind":"message","v":1,"id":"m1","messageId":"1","person":{"id":"telegram:1","name":"Ann-word"},"text":"reply-word","quote":{"author":"Ben-word","authorId":"telegram:2","text":"quote-word"},"group":true,"atMs":1}`,
  attached: `{"kind":"message","v":2,"id":"m2","messageId":"2","person":{"id":"telegram:1","name":"Ann-word"},"text":"old-word","attachments":[{"kind":"document","name":"file-word.txt","mediaType":"text/plain","size":5,"blob":"${blob}"}],"group":true,"atMs":1}`,
  reading: `{"kind":"reading","v":2,"of":"m2","blob":"${blob}","text":"read-word"}`,
  edit: `{"kind":"edit","v":2,"id":"e1","edits":"2","person":{"id":"telegram:1","name":"Ann-word"},"text":"edit-word","group":true,"atMs":1}`,
} as const;
const entries = Object.values(stored).map((json) => logEntrySchema.parse(JSON.parse(json)));
const words = ["reply-word", "quote-word", "file-word", "read-word", "edit-word"] as const;

const missingIn = (text: string): string[] => words.filter((word) => !text.includes(word));

it("files, quotations, readings and edits load as they were stored", () => {
  expect(entries.map((entry) => JSON.stringify(entry))).toEqual(Object.values(stored));
  for (const json of [stored.plain, stored.attached, stored.edit])
    expect(JSON.stringify(parseStored(inboxEntrySchema, "inbox", json))).toEqual(json);
});

it("a version that knows none of them leaves the chat to one that does, but answers what only quotes", () => {
  const known = z.object({ kind: z.string(), v: z.literal(1) });
  for (const json of [stored.attached, stored.reading, stored.edit])
    expect(() => parseStored(known, "log", json)).toThrow(RetryableError);
  expect(parseStored(known, "log", stored.plain)).toMatchObject({ v: 1 });
});

it("no part of Parley that reads histories overlooks them", () => {
  const view = buildRequestView({
    transcript: entries,
    viewStart: 0,
    card: { id: "test/model", tools: true, thinking: false },
    context: [],
    tool: () => undefined,
    keepTurns: 10,
  });
  expect(missingIn(JSON.stringify(view.messages))).toEqual([]);
  expect(missingIn(entries.map((each) => entryMarkdown(0, each, localeFor())).join(""))).toEqual(
    [],
  );
  const part = {
    entries,
    viewStart: 0,
    last: undefined,
    start: 0,
    hidden: entries.map(() => false),
  };
  expect(missingIn(JSON.stringify(linesOf(part, 0, entries.length)))).toEqual([]);
  const eraser = new AuthorEraser(person.id);
  const left = entries.map((entry, position): LogEntry => eraser.next(position, entry) ?? entry);
  expect(JSON.stringify(left)).not.toContain("-word");
});

it("an archive of a chat holds them, and a chat made of it", async () => {
  const [from, to] = [newChat(), newChat()];
  await store.redis.rpush(chatKeys(from).log, ...Object.values(stored));
  await store.redis.hset(chatKeys(from).state, { inBase: 4, epoch: "a" });
  const lines: ArchiveLine[] = [];
  for await (const line of (await readChat(store, from)) ?? []) lines.push(line);
  const [head, ...rest] = lines;
  await importChat(store, {
    chat: to,
    head: head as ArchiveHead,
    lines: (async function* () {
      yield* rest;
    })(),
    retentionMs: 60_000,
  });
  expect(await store.redis.lrange(chatKeys(to).log, 0, -1)).toEqual(Object.values(stored));
});
