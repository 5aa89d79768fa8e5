import * as fc from "fast-check";
import { fromMarkdown } from "mdast-util-from-markdown";
import { describe, expect, it } from "vitest";
import { exportCommand, type ExportDeps } from "../../src/commands/export.ts";
import { entryMarkdown } from "../../src/commands/export/markdown.ts";
import { partsOf } from "../../src/commands/export/parts.ts";
import { parseChatKey, type ChatKey } from "../../src/core/chat.ts";
import { logEntrySchema, type LogEntry } from "../../src/core/history.ts";
import type { OutboxEntry } from "../../src/core/outbox.ts";
import { createBlobs, maxBlobBytes } from "../../src/store/turns/blobs.ts";
import { readHistory } from "../../src/store/turns/history.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import { localeFor } from "../../src/locales/locale-for.ts";
import { ScriptedSender } from "../delivery/scripted-sender.ts";
import { deliverAll, deliveryDeps } from "../delivery/support.ts";
import { anna, ben, leaseMs, message, newChat, storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const blobs = createBlobs(store);
const inbox = createInbox(store);
const atMs = Date.UTC(2026, 10, 21, 14, 3, 9, 500);

/** One of each kind. Its position is its index. */
const history: readonly LogEntry[] = [
  message("m1", { text: "What is **2 + 2**?\r\n```js", atMs }),
  {
    kind: "assistant",
    v: 1,
    turn: 0,
    round: 1,
    model: "openai/gpt-5-mini",
    text: "Let me see.",
    reasoning: "This wants a tool.",
    calls: [
      { index: 0, wireId: "w0", name: "calculate", arguments: '{"sum":"2+2"}' },
      { index: 1, wireId: "w1", name: "files.delete", arguments: "{broken" },
    ],
    usage: { inputTokens: 10, outputTokens: 5 },
  },
  {
    kind: "tool",
    v: 1,
    turn: 0,
    round: 1,
    index: 0,
    name: "calculate",
    text: "4 ```",
  },
  {
    kind: "tool",
    v: 1,
    turn: 0,
    round: 1,
    index: 1,
    name: "files.delete",
    text: "confirmation-denied: Anna said no",
    failure: "confirmation-denied",
  },
  {
    kind: "end",
    v: 1,
    turn: 0,
    reason: "deadline",
    text: "That took too long.",
  },
  { kind: "reset", v: 1, id: "r1", atMs },
  message("m2", {
    person: { ...ben, name: "Ben\n# *Admin*" },
    text: "Find a name",
    auto: { goal: "a good name", step: 2, of: 5 },
    atMs,
  }),
  {
    kind: "compaction",
    v: 1,
    turn: 6,
    fromSeq: 0,
    toSeq: 4,
    summary: "They added numbers.",
    kept: ["the result was 4"],
    results: [{ seq: 3, text: "denied" }],
    strategy: "summarise",
    model: "openai/gpt-5-nano",
    tokensBefore: 9_000,
    tokensAfter: 900,
  },
  {
    kind: "undo",
    v: 1,
    id: "u1",
    fromSeq: 6,
    ran: [{ name: "send", arguments: '{"to":"all"}', failure: "timeout" }],
    atMs,
  },
];

it("names what came with a message, what that says and what was edited", () => {
  const [withFiles, reading, unread, edited] = [
    message("m1", {
      text: "",
      quote: { author: "Ben", text: "see\n## here" },
      attachments: [
        {
          kind: "document",
          name: "a`b.txt",
          mediaType: "text/plain",
          size: 9,
          blob: "file-a",
        },
      ],
      atMs,
    }),
    { kind: "reading", v: 2, of: "m1", blob: "file-a", text: "in\nit" },
    {
      kind: "reading",
      v: 2,
      of: "m1",
      blob: "file-b",
      text: "",
      failure: "It is locked.",
    },
    {
      kind: "edit",
      v: 2,
      id: "e1",
      edits: "1",
      person: anna,
      text: "better words",
      atMs,
    },
  ].map((entry, index) => entryMarkdown(index, entry as LogEntry, localeFor()));
  expect(withFiles).toBe(
    "## 0. Anna (telegram:1), 2026-11-21 14:03:09 UTC\n\nIn reply to:\n\n> see\n> ## here\n\nMessage:\n\nAttachment: `a'b.txt`, 9 bytes\n\n",
  );
  expect(reading).toBe("## 1. Text of the attachment\n\n> in\n> it\n\n");
  expect(unread).toContain("> It is locked.");
  expect(edited).toBe(
    "## 3. Anna (telegram:1) edited a message, 2026-11-21 14:03:09 UTC\n\n> better words\n\n",
  );
});

it("names the persona that answers, in each language, and says of a sample that it is one", () => {
  const sampleOf = { owner: "sample:telegram:1", name: "chef", hash: "h" };
  const asked = message("m1", { text: "Who are you?", sampleOf, atMs });
  const answered: LogEntry = {
    kind: "assistant",
    v: 1,
    turn: 0,
    round: 1,
    model: "m/n",
    persona: "chef",
    text: "A chef.",
    calls: [],
  };
  const ended: LogEntry = { kind: "end", v: 1, turn: 0, reason: "deadline", persona: "chef" };
  const titles = (language?: string) =>
    [asked, answered, ended].map(
      (entry, index) => entryMarkdown(index, entry, localeFor(language)).split("\n")[0],
    );
  expect(titles()).toEqual([
    "## 0. Sample for the persona `chef`: Anna (telegram:1), 2026-11-21 14:03:09 UTC",
    "## 1. `m/n` as `chef`",
    "## 2. The answer as `chef` ended: deadline",
  ]);
  for (const language of ["de", "es", "fr", "ru", "zh"])
    expect(titles(language).join()).not.toMatch(/Sample for| as /);
});

it("names the tools of a turn, however it ended, and the images of a result", () => {
  const note = "⚙ look ✓ · pay ✗";
  const written = [
    {
      kind: "assistant",
      v: 1,
      turn: 0,
      round: 2,
      model: "m/n",
      text: "Done.",
      calls: [],
      note,
    },
    { kind: "end", v: 1, turn: 1, reason: "deadline", text: "Too late.", note },
    {
      kind: "tool",
      v: 1,
      turn: 0,
      round: 1,
      index: 0,
      name: "look",
      text: "seen",
      images: [
        {
          kind: "image",
          name: "a.png",
          mediaType: "image/png",
          size: 9,
          blob: "file-a",
        },
      ],
    },
  ].map((entry, index) => entryMarkdown(index, logEntrySchema.parse(entry), localeFor()));
  for (const ended of written.slice(0, 2))
    expect(ended).toMatch(/Added by the platform:\n\n> ⚙ look ✓ · pay ✗\n\n$/);
  expect(written[2]).toContain("```\n\nAttachment: `a.png`, 9 bytes\n");
});

const write = (chat: ChatKey, entries: readonly LogEntry[]) =>
  redis.rpush(chatKeys(chat).log, ...entries.map((entry) => JSON.stringify(entry)));

type FileEntry = OutboxEntry & { kind: "file" };

/** What the command is given, and what it posted. */
function setup(more: Partial<ExportDeps> = {}) {
  const chat = newChat();
  const posted: FileEntry[] = [];
  const deps: ExportDeps = {
    history: (of) => readHistory(store, of),
    blobs,
    async post(to, entry) {
      expect(to).toBe(chat);
      if (entry.kind !== "file") throw new TypeError(entry.kind);
      posted.push(entry);
      return await inbox.post(to, entry);
    },
    now: () => atMs,
    ...more,
  };
  const run = async (
    argument = "",
    call: { direct?: boolean; chatRole?: "member" | "admin" } = {},
  ): Promise<string> => {
    const asked = {
      chat,
      person: { id: "telegram:1", name: "Ann", language: "de" },
      direct: true,
      chatRole: "member" as const,
      argument,
      eventId: "e1",
      messageId: "55",
      locale: localeFor(),
      ...call,
    };
    return (await exportCommand.run(asked, deps)).text;
  };
  const contents = () =>
    Promise.all(posted.map(async ({ blob }) => String(await blobs.get(chat, blob))));
  return { chat, posted, run, contents };
}

describe("/export", () => {
  it("is a file with every original word, in order, and who said it, what was compacted, reset and undone included", async () => {
    const { chat, posted, run, contents } = setup();
    await write(chat, history);
    expect(await run()).toBe("Here's the conversation, with 9 items.");
    expect(posted).toEqual([
      {
        kind: "file",
        v: 1,
        id: "export-e1-1",
        language: "de",
        blob: expect.any(String) as string,
        name: `parley-telegram-77-${parseChatKey(chat).chat}-2026-11-21.md`,
        mediaType: "text/markdown",
      },
    ]);
    const [markdown] = await contents();
    expect(markdown).toBe(`# Conversation

The chat \`${chat}\` at 2026-11-21 14:03:09 UTC.

## 0. Anna (telegram:1), 2026-11-21 14:03:09 UTC

> What is **2 + 2**?
> \`\`\`js

## 1. \`openai/gpt-5-mini\`

Thinking:

> This wants a tool.

Answer:

> Let me see.

Action 1: \`calculate\`

\`\`\`
{"sum":"2+2"}
\`\`\`

Action 2: \`files.delete\`

\`\`\`
{broken
\`\`\`

## 2. Result of action 1, \`calculate\`

\`\`\`\`
4 \`\`\`
\`\`\`\`

## 3. Result of action 2, \`files.delete\`, failed: confirmation-denied

\`\`\`
confirmation-denied: Anna said no
\`\`\`

## 4. The answer ended: deadline

> That took too long.

## 5. A new conversation, 2026-11-21 14:03:09 UTC

From here on, the model no longer saw anything above.

## 6. Ben \\# \\*Admin\\* (telegram:2), 2026-11-21 14:03:09 UTC

Step 2 of at most 5, goal:

> a good name

Message:

> Find a name

## 7. Summary: summarise, by \`openai/gpt-5-nano\`

From here on, the model saw this instead of items 0 to 4 above:

> They added numbers.

> the result was 4

It saw these results shortened: 3.

## 8. Undone, 2026-11-21 14:03:09 UTC

From here on, the model no longer saw items 6 to 7.

What these actions did wasn't undone:

\`send\`, failed: timeout

\`\`\`
{"to":"all"}
\`\`\`

`);
  });

  it("json is the raw entries, one per line", async () => {
    const { chat, posted, run, contents } = setup();
    await write(chat, history);
    expect(await run("JSON")).toContain("9 items");
    expect(posted[0]).toMatchObject({
      name: expect.stringMatching(/\.jsonl$/) as string,
      mediaType: "application/x-ndjson",
    });
    const lines = String(await contents())
      .trimEnd()
      .split("\n");
    const read = lines.map((line) => JSON.parse(line) as { entry: unknown });
    expect(read).toEqual(history.map((entry, position) => ({ position, entry })));
    for (const { entry } of read) logEntrySchema.parse(entry);
  });

  it("of a chat that has said nothing says so, and sends nothing", async () => {
    const { posted, run } = setup();
    expect(await run()).toBe("There's nothing to export yet.");
    expect(posted).toEqual([]);
  });

  it("in a group is for admins", async () => {
    const { chat, posted, run } = setup();
    await write(chat, history.slice(0, 1));
    expect(await run("", { direct: false })).toMatch(/\bonly\b|not allowed/i);
    expect(posted).toEqual([]);
    const admin = { direct: false, chatRole: "admin" } as const;
    expect(await run("", admin)).toBe(
      "Here's the conversation, with 1 item. Everyone here can see it.",
    );
    expect(posted).toMatchObject([{ replyTo: "55" }]);
  });

  it("for which there is no room says so, and makes no further file", async () => {
    let posts = 0;
    const { run } = setup({
      async *history() {
        for (let position = 0; position < 24; position += 1)
          yield {
            position,
            entry: message(`m${position}`, { text: "x ".repeat(330_000) }),
          };
      },
      async post() {
        posts += 1;
        return "full";
      },
    });
    expect(await run()).toBe(
      "Sorry, too many messages are waiting to be sent in this chat. Please try again later.",
    );
    expect(posts).toBe(1);
  });

  it("in another format says which there are", async () => {
    const { chat, posted, run } = setup();
    await write(chat, history);
    expect(await run("p".repeat(99))).toBe(
      `I can't export as "${"p".repeat(50)}…". Use /export json or /export markdown.`,
    );
    expect(posted).toEqual([]);
    await run("markdown");
    expect(posted[0]?.name).toMatch(/\.md$/);
  });

  it("of a history that fits into no file is several, and nothing is lost between them", async () => {
    const texts = Array.from({ length: 24 }, (_, n) => `${n} `.repeat(330_000));
    const { posted, run, contents } = setup({
      async *history() {
        for (const [position, text] of texts.entries())
          yield { position, entry: message(`m${position}`, { text }) };
      },
    });
    expect(await run("json")).toBe("Here's the conversation, with 24 items in 3 files.");
    expect(posted.map(({ name }) => /-\d\.jsonl$/.exec(name)?.[0])).toEqual([
      "-1.jsonl",
      "-2.jsonl",
      "-3.jsonl",
    ]);
    expect(new Set(posted.map(({ id }) => id)).size).toBe(3);
    const files = await contents();
    for (const file of files) {
      expect(Buffer.byteLength(file)).toBeLessThanOrEqual(maxBlobBytes);
      expect(file.endsWith("\n")).toBe(true);
    }
    const said = files
      .join("")
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { entry: { text: string } }).entry);
    expect(said.map(({ text }) => text === texts.shift())).not.toContain(false);
  });

  it("carried out again for the same event posts no second file", async () => {
    const { chat, run } = setup();
    await write(chat, history);
    await run();
    await run();
    const sender = new ScriptedSender();
    const outbox = createOutboxStore(store, leaseMs);
    await deliverAll(deliveryDeps(outbox, sender, { blobs }), chat);
    expect(sender.texts).toEqual([
      expect.stringMatching(/^\[parley-.*\.md: # Conversation/) as string,
    ]);
  });
});

async function* each(texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

describe("a part of an export", () => {
  const head = "head ";
  const fileTexts = async (texts: readonly string[], maxBytes: number) => {
    const files: string[] = [];
    const ends: boolean[] = [];
    for await (const { bytes, isLast } of partsOf(each(texts), {
      head,
      maxBytes,
    })) {
      expect(bytes.byteLength).toBeLessThanOrEqual(maxBytes);
      const text = Buffer.from(bytes).toString();
      expect(text.startsWith(head)).toBe(true);
      files.push(text.slice(head.length));
      ends.push(isLast);
    }
    expect(ends).toEqual(files.map((_, index) => index === files.length - 1));
    return files;
  };

  it("ends between two texts, and is cut between two characters only where it must be", async () => {
    expect(await fileTexts([], 10)).toEqual([]);
    expect(await fileTexts(["12345"], 10)).toEqual(["12345"]);
    expect(await fileTexts(["123", "45"], 10)).toEqual(["12345"]);
    expect(await fileTexts(["123", "456"], 10)).toEqual(["123", "456"]);
    expect(await fileTexts(["1", "äöüäöü", "2"], 10)).toEqual(["1äö", "üä", "öü2"]);
  });

  it("loses nothing, whatever is written", async () => {
    const anyText = fc.string({ unit: "grapheme", maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyText),
        fc.integer({ min: 10, max: 60 }),
        async (texts, maxBytes) => {
          const files = await fileTexts(texts, maxBytes);
          expect(files.join("")).toBe(texts.join(""));
        },
      ),
    );
  });
});

describe("an entry as Markdown", () => {
  const hostile = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          "```",
          "~~~\n",
          "\n## 9. Anna\n",
          "\r## 9. Anna\r",
          "<!-- ",
          "<script>",
          "\n\n",
          "> ",
          "- ",
          "    ",
          "\n===\n",
          "`",
          "[a]: b\n",
        ),
        fc.string({ maxLength: 10 }),
      ),
    )
    .map((pieces) => pieces.join(""));

  it("cannot pass for another one, nor swallow those behind it", () => {
    fc.assert(
      fc.property(hostile, hostile, (text, name) => {
        const entries: LogEntry[] = [
          message("m1", { text, person: { ...anna, name } }),
          {
            kind: "assistant",
            v: 1,
            turn: 0,
            round: 1,
            model: name,
            text,
            reasoning: text,
            calls: [{ index: 0, wireId: "", name, arguments: text }],
          },
          { kind: "tool", v: 1, turn: 0, round: 1, index: 0, name, text },
          { kind: "end", v: 1, turn: 0, reason: "cancelled", text },
          message("m2"),
        ];
        const markdown = entries
          .map((entry, position) => entryMarkdown(position, entry, localeFor()))
          .join("");
        const headings = fromMarkdown(markdown).children.filter(({ type }) => type === "heading");
        expect(headings).toHaveLength(entries.length);
        for (const line of text.split(/[\r\n]+/)) expect(markdown).toContain(line);
      }),
    );
  });
});
