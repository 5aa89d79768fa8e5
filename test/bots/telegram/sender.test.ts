import { createServer } from "node:net";
import { localeFor } from "../../../src/locales/locale-for.ts";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { setImmediate } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import type { ChatAddress } from "../../../src/core/chat.ts";
import type { Chunk, OutgoingFile, Sender } from "../../../src/core/ports.ts";
import type { FaultRule } from "../../emulators/telegram/faults.ts";
import { labelsOf, telegramSubject } from "./sender-subject.ts";
import { Scene } from "./support.ts";

const hello: Chunk = { text: "Hello" };
const options = { nonce: "1", final: true };

async function groupScene(isForum = false) {
  const scene = await Scene.open();
  const bot = scene.createBot();
  const anna = scene.telegram.person({ firstName: "Anna" });
  const kind = isForum ? "supergroup" : "group";
  const group = scene.telegram.group({
    title: "Team",
    members: [anna],
    kind,
    isForum,
  });
  const address: ChatAddress = {
    platform: "telegram",
    bot: String(scene.telegram.bot.id),
    chat: String(group.id),
  };
  return {
    sender: bot.sender,
    telegram: scene.telegram,
    moves: scene.moves,
    anna,
    group,
    address,
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

describe("what is sent again because no one knows its fate", () => {
  it("does not go by a connection that may be gone", async () => {
    await using subject = await telegramSubject();
    const { sender, address, telegram } = subject;
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect((await sender.send(address, hello, options)).type).toBe("sent");
      telegram.closeIdleConnections();
      const again = { ...options, repeated: true };
      expect(await sender.send(address, hello, again)).toMatchObject({
        type: "sent",
      });
      expect((await sender.sendFile(address, notes, options)).type).toBe("sent");
      telegram.closeIdleConnections();
      expect(await sender.sendFile(address, notes, again)).toMatchObject({
        type: "sent",
      });
    }
  });
});

describe("what is sent", () => {
  it("again says so in the language of the person it is for", async () => {
    await using subject = await telegramSubject();
    const { sender, address, telegram } = subject;
    const again = { ...options, repeated: true, language: "de" };
    await sender.send(address, hello, again);
    await sender.sendFile(address, notes, again);
    const label = `(${localeFor("de").delivery.sentAgain})`;
    expect(telegram.callsOf("sendMessage")[0]?.payload).toMatchObject({
      text: `${hello.text}\n\n${label}`,
    });
    expect(telegram.callsOf("sendDocument")[0]?.payload["caption"]).toContain(label);
  });

  it("has entities, no parse mode and no preview", async () => {
    await using subject = await telegramSubject();
    const { sender, address, telegram } = subject;
    const [chunk] = await sender.render("See **this** [page](https://example.com)");
    await sender.send(address, chunk as Chunk, options);
    expect(telegram.callsOf("sendMessage")[0]?.payload).toEqual({
      chat_id: address.chat,
      text: "See this page",
      entities: [
        { type: "bold", offset: 4, length: 4 },
        {
          type: "text_link",
          offset: 9,
          length: 4,
          url: "https://example.com/",
        },
      ],
      link_preview_options: { is_disabled: true },
      disable_notification: false,
    });
    expect(telegram.violations).toEqual([]);
  });

  it("has many buttons in rows that a phone can show", async () => {
    await using subject = await telegramSubject();
    const { sender, address, telegram } = subject;
    const labels = ["fast", "balanced", "smart", "coding", "deep"];
    const buttons = labels.map((label) => ({ label, data: `t:p:${label}` }));
    await sender.send(address, hello, { ...options, buttons });
    expect(telegram.callsOf("sendMessage")[0]?.payload["reply_markup"]).toEqual({
      inline_keyboard: [labels.slice(0, 2), labels.slice(2, 4), labels.slice(4)].map((row) =>
        row.map((text) => ({ text, callback_data: `t:p:${text}` })),
      ),
    });
  });

  it("rings or not, replies, and has its buttons in one row", async () => {
    await using subject = await telegramSubject();
    const { sender, address, telegram } = subject;
    const first = await sender.send(address, hello, options);
    if (first.type !== "sent") throw new Error(first.cause);
    await sender.send(address, hello, {
      ...options,
      silent: true,
      replyTo: first.messageId,
      buttons: [
        { label: "Yes", data: "y" },
        { label: "No", data: "n" },
      ],
    });
    const [plain, reply] = telegram.botMessages(Number(address.chat));
    expect(plain).toMatchObject({ disableNotification: false });
    expect(reply).toMatchObject({
      disableNotification: true,
      replyTo: Number(first.messageId),
    });
    expect(reply?.replyMarkup?.inline_keyboard).toHaveLength(1);
    expect(reply && labelsOf(reply)).toEqual(["Yes", "No"]);
  });

  it("comes without its formatting where Telegram refuses that", async () => {
    await using subject = await telegramSubject();
    const { sender, address, telegram } = subject;
    const broken: Chunk = {
      text: "Hello",
      markup: [{ type: "bold", offset: 0, length: 99 }],
    };
    const refused = { type: "refused", about: "markup" };
    expect(await sender.send(address, broken, options)).toMatchObject(refused);
    const bare = { ...options, without: new Set(["markup"] as const) };
    const sent = await sender.send(address, broken, bare);
    expect(sent.type).toBe("sent");
    if (sent.type !== "sent") return;
    const changed = { ...broken, text: "Bye" };
    expect(await sender.edit(address, sent.messageId, changed, options)).toMatchObject(refused);
    expect(await sender.edit(address, sent.messageId, changed, bare)).toEqual(sent);
    expect(telegram.botMessages(Number(address.chat))).toMatchObject([
      { text: "Bye", entities: [] },
    ]);
    expect(telegram.callsOf("sendMessage")).toHaveLength(2);
  });

  it("is not tried without formatting for any other reason", async () => {
    await using subject = await telegramSubject();
    const { sender, address, telegram } = subject;
    const chunk: Chunk = {
      text: "Hello",
      markup: [{ type: "bold", offset: 0, length: 5 }],
    };
    const nowhere = { ...address, chat: "42" };
    const outcome = await sender.send(nowhere, chunk, options);
    expect(outcome).toMatchObject({ type: "refused", reason: "gone" });
    expect(outcome).not.toHaveProperty("about");
    expect(telegram.callsOf("sendMessage")).toHaveLength(1);
  });

  it("knows no unchanged edit as a failure", async () => {
    await using subject = await telegramSubject();
    const { sender, address } = subject;
    const sent = await sender.send(address, hello, options);
    if (sent.type !== "sent") throw new Error(sent.cause);
    expect(await sender.edit(address, sent.messageId, hello, options)).toEqual(sent);
  });

  it("paces edits by the kind of chat", async () => {
    await using subject = await telegramSubject();
    const { sender, address } = subject;
    expect(sender.editIntervalMs(address)).toBe(1_200);
    expect(sender.editIntervalMs({ ...address, chat: "-100" })).toBe(3_500);
  });
});

const notes: OutgoingFile = {
  name: "notes.md",
  mediaType: "text/markdown",
  bytes: Buffer.from("# Notes\n"),
};

describe("a file", () => {
  it("is an upload that stays a document, with entities and no parse mode", async () => {
    await using subject = await telegramSubject();
    const { sender, address, telegram } = subject;
    const [caption] = await sender.render("**All** of it");
    await sender.sendFile(
      address,
      { ...notes, caption: caption as Chunk },
      { ...options, silent: true },
    );
    const [call] = telegram.callsOf("sendDocument");
    expect(call?.payload).toEqual({
      chat_id: address.chat,
      document: expect.stringMatching(/^attach:\/\//) as string,
      caption: "All of it",
      caption_entities: '[{"type":"bold","offset":0,"length":3}]',
      disable_notification: "true",
      disable_content_type_detection: "true",
    });
    const [upload] = Object.values(call?.files ?? {});
    expect(upload?.fileName).toBe("notes.md");
    expect(Buffer.from(upload?.bytes ?? []).toString()).toBe("# Notes\n");
    expect(telegram.violations).toEqual([]);
  });

  it("comes without the formatting of its words where Telegram refuses that", async () => {
    await using subject = await telegramSubject();
    const { sender, address, telegram } = subject;
    const markup = [{ type: "bold", offset: 0, length: 99 }];
    const captioned = { ...notes, caption: { text: "Here", markup } };
    expect(await sender.sendFile(address, captioned, options)).toMatchObject({ about: "markup" });
    const bare = { ...options, without: new Set(["markup"] as const) };
    expect((await sender.sendFile(address, captioned, bare)).type).toBe("sent");
    expect(telegram.callsOf("sendDocument")).toHaveLength(2);
    expect(telegram.botMessages(Number(address.chat))).toMatchObject([
      { text: "Here", entities: [], file: { fileName: "notes.md" } },
    ]);
  });

  it("has as many words as fit, and a label that is never cut", async () => {
    await using subject = await telegramSubject();
    const { sender, address, telegram } = subject;
    for (const length of [1_024, 1_025, 4_000])
      for (const repeated of [false, true]) {
        const caption = {
          text: "👍".repeat(length / 2) + "x".repeat(length % 2),
        };
        const again = repeated ? { ...options, repeated } : options;
        const sent = await sender.sendFile(address, { ...notes, caption }, again);
        expect(sent.type).toBe("sent");
      }
    const texts = telegram.botMessages(Number(address.chat)).map(({ text }) => text);
    expect(texts.map((text) => text.length)).toEqual([
      1_024,
      expect.any(Number),
      1_023,
      expect.any(Number),
      1_023,
      expect.any(Number),
    ]);
    for (const [index, text] of texts.entries()) {
      expect(text.isWellFormed()).toBe(true);
      expect(text.length).toBeLessThanOrEqual(1_024);
      expect(text.endsWith("(sent again; you may see this twice)")).toBe(index % 2 === 1);
    }
    expect(telegram.violations).toEqual([]);
  });

  it("stays in its topic", async () => {
    await using parts = await groupScene(true);
    const { sender, group, anna, address } = parts;
    const thread = group.topic("Plans", anna);
    for (const topic of ["1", String(thread)]) {
      const place = { ...address, thread: topic };
      expect((await sender.sendFile(place, notes, options)).type).toBe("sent");
    }
    group.deleteTopic(thread);
    const gone = { ...address, thread: String(thread) };
    expect((await sender.sendFile(gone, notes, options)).type).toBe("refused");
  });

  it("that is larger than Telegram takes is refused", async () => {
    await using subject = await telegramSubject();
    const { sender, address } = subject;
    const bytes = Buffer.alloc(50 * 1_048_576 + 1);
    expect(await sender.sendFile(address, { ...notes, bytes }, options)).toMatchObject({
      type: "refused",
      cause: expect.stringContaining("413") as string,
    });
  });

  it("may take longer than words", async () => {
    await using subject = await telegramSubject();
    const { sender, address, telegram } = subject;
    telegram.inject({ times: 2, kind: { type: "hang" } });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const file = sender.sendFile(address, notes, options);
      const words = sender.send(address, hello, options);
      await telegram.waitFor((server) => server.calls.length === 2);
      vi.advanceTimersByTime(60_000);
      expect((await words).type).toBe("unknown");
      for (let turn = 0; turn < 20; turn += 1) await setImmediate();
      const early = await Promise.race([file, Promise.resolve("under way")]);
      expect(early).toBe("under way");
      vi.advanceTimersByTime(300_000);
      expect((await file).type).toBe("unknown");
    } finally {
      vi.useRealTimers();
    }
  });
});

const outcome = async (kind: FaultRule["kind"], operation: "send" | "edit"): Promise<string> => {
  await using subject = await telegramSubject();
  const { sender, address, telegram } = subject;
  const sent = await sender.send(address, hello, options);
  if (sent.type !== "sent") throw new Error(sent.cause);
  telegram.inject({ kind });
  const chunk = { text: "More" };
  const result =
    operation === "send"
      ? await sender.send(address, chunk, options)
      : await sender.edit(address, sent.messageId, chunk, options);
  expect(JSON.stringify(result)).not.toContain(telegram.token);
  return result.type;
};

describe("what goes wrong", () => {
  it.each<[string, FaultRule["kind"], string, string]>([
    ["a lost request", { type: "hang-up-before" }, "unknown", "retry"],
    ["a lost answer", { type: "hang-up-after" }, "unknown", "retry"],
    ["a broken answer", { type: "garbage" }, "unknown", "retry"],
    [
      "a proxy's page",
      { type: "status", code: 502, description: "Bad Gateway", body: "html" },
      "unknown",
      "retry",
    ],
    [
      "trouble at Telegram",
      { type: "status", code: 500, description: "Internal Server Error" },
      "unknown",
      "retry",
    ],
    [
      "a flood limit",
      {
        type: "status",
        code: 429,
        description: "Too Many Requests",
        retryAfterSeconds: 9,
      },
      "retry",
      "retry",
    ],
  ])("%s", async (_, kind, sending, editing) => {
    expect(await outcome(kind, "send")).toBe(sending);
    expect(await outcome(kind, "edit")).toBe(editing);
  });

  it("a server that is not there", async () => {
    await using scene = await Scene.open();
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, "close");
    const bot = scene.createBot({ apiRoot: `http://127.0.0.1:${port}/` });
    const address = { platform: "telegram", bot: "1", chat: "2" } as const;
    const file = { ...notes, bytes: Buffer.alloc(100_000) };
    for (const result of [
      await bot.sender.send(address, hello, options),
      await bot.sender.sendFile(address, file, options),
    ])
      expect(result).toMatchObject({
        type: "retry",
        cause: expect.stringContaining("ECONNREFUSED") as string,
      });
  });

  const refusals: Record<string, (parts: Awaited<ReturnType<typeof groupScene>>) => void> = {
    "a kick": ({ group, anna }) => group.setBotStatus("kicked", anna),
    "a group that it left": ({ group, anna }) => group.setBotStatus("left", anna),
  };

  it.each(Object.keys(refusals))("%s", async (name) => {
    await using parts = await groupScene();
    refusals[name]?.(parts);
    const { sender, address } = parts;
    expect((await sender.send(address, hello, options)).type).toBe("refused");
    await sender.typing(address);
  });

  it("a block", async () => {
    await using subject = await telegramSubject();
    const { sender, telegram } = subject;
    const ben = telegram.person({ firstName: "Ben" });
    const address = {
      ...subject.address,
      chat: String(telegram.privateChat(ben).id),
    };
    ben.block();
    expect((await sender.send(address, hello, options)).type).toBe("refused");
    ben.unblock();
    expect((await sender.send(address, hello, options)).type).toBe("sent");
  });

  it("a topic that was deleted", async () => {
    await using parts = await groupScene(true);
    const { sender, group, anna, address } = parts;
    const thread = group.topic("Plans", anna);
    group.deleteTopic(thread);
    const inTopic = { ...address, thread: String(thread) };
    expect((await sender.send(inTopic, hello, options)).type).toBe("refused");
  });

  it("a message of someone else's", async () => {
    await using subject = await telegramSubject();
    const { sender, telegram } = subject;
    const ben = telegram.person({ firstName: "Ben" });
    const chat = telegram.privateChat(ben);
    const message = ben.send(chat, "mine");
    const address = { ...subject.address, chat: String(chat.id) };
    const result = await sender.edit(address, String(message.messageId), hello, options);
    expect(result.type).toBe("gone");
  });

  it.each([
    { what: "words", method: "sendMessage", graceMs: 5_000, becomes: "sent" },
    { what: "words", method: "sendMessage", graceMs: 100, becomes: "unknown" },
    { what: "a file", method: "sendDocument", graceMs: 5_000, becomes: "sent" },
    {
      what: "a file",
      method: "sendDocument",
      graceMs: 100,
      becomes: "unknown",
    },
  ])(
    "the end of the process: $what, after a grace of $graceMs ms: $becomes",
    async ({ method, graceMs, becomes }) => {
      await using scene = await Scene.open();
      const bot = scene.createBot({ sendingGraceMs: graceMs });
      const anna = scene.telegram.person({ firstName: "Anna" });
      const chat = scene.telegram.privateChat(anna);
      const fault = scene.telegram.inject({ method, kind: { type: "hang" } });
      const address = {
        platform: "telegram",
        bot: String(scene.telegram.bot.id),
        chat: String(chat.id),
      } as const;
      const sending =
        method === "sendDocument" ? sendFile(bot.sender, address) : send(bot.sender, address);
      await scene.telegram.waitFor((server) => server.callsOf(method).length);
      const disposed = bot[Symbol.asyncDispose]();
      if (becomes === "sent") fault.release();
      await disposed;
      expect(await sending).toBe(becomes);
    },
  );
});

const send = async (sender: Sender, address: ChatAddress): Promise<string> =>
  (await sender.send(address, hello, options)).type;

const sendFile = async (sender: Sender, address: ChatAddress): Promise<string> => {
  const file = {
    name: "a.md",
    mediaType: "text/plain",
    bytes: Buffer.from("a"),
  };
  return (await sender.sendFile(address, file, options)).type;
};

describe("a long upload", () => {
  it("is announced while it lasts, and a short one is not", async () => {
    await using subject = await telegramSubject();
    const { sender, address, telegram } = subject;
    const chatId = Number(address.chat);
    await sender.sendFile(address, notes, options);
    expect(telegram.actions(chatId)).toEqual([]);
    telegram.inject({ method: "sendDocument", kind: { type: "hang" } });
    const sending = sender.sendFile(address, notes, options);
    await telegram.waitFor(() => telegram.actions(chatId).length);
    expect(telegram.actions(chatId)).toMatchObject([{ action: "upload_document" }]);
    await subject[Symbol.asyncDispose]();
    expect((await sending).type).toBe("unknown");
  });
});

describe("a group that has become a supergroup", () => {
  it("is sent to under its new id at once, in text, files, edits and typing", async () => {
    await using parts = await groupScene();
    const { sender, address, group, anna } = parts;
    const before = await sender.send(address, hello, options);
    if (before.type !== "sent") throw new Error(before.cause);
    const moved = group.migrate(anna);
    const after = await sender.send(address, hello, options);
    expect(after.type).toBe("sent");
    expect((await sender.sendFile(address, notes, options)).type).toBe("sent");
    if (after.type !== "sent") throw new Error(after.cause);
    const other = { text: "Hello again" };
    const edited = sender.edit(address, after.messageId, other, options);
    expect((await edited).type).toBe("sent");
    await sender.typing(address);
    const { telegram } = parts;
    expect(telegram.botMessages(moved).map(({ text }) => text)).toEqual(["Hello again", ""]);
    expect(telegram.actions(moved)).toHaveLength(1);
    // What stood in the old chat is in no other.
    const gone = sender.edit(address, "999", other, options);
    expect((await gone).type).toBe("gone");
    expect(telegram.callsOf("sendMessage", group)).toHaveLength(2);
    expect(parts.moves.all).toEqual([[address.chat, String(moved.id)]]);
  });

  it("is not taken for the group that was, whose messages have the same numbers", async () => {
    await using parts = await groupScene();
    const { sender, address, group, anna, telegram } = parts;
    const send = async (others: { replyTo?: string } = {}): Promise<string> => {
      const sent = await sender.send(address, hello, { ...options, ...others });
      return sent.type === "sent" ? sent.messageId : sent.type;
    };
    anna.send(group, "the first");
    const before = await send();
    const moved = group.migrate(anna);
    const after = await send();
    const [kept] = telegram.botMessages(moved);
    expect(String(kept?.messageId)).toBe(before);
    const other = { text: "Other words" };
    const edited = await sender.edit(address, before, other, options);
    expect(edited.type).toBe("gone");
    expect(kept?.text).toBe(hello.text);
    await send({ replyTo: before });
    await send({ replyTo: after });
    const replies = telegram.botMessages(moved).map(({ replyTo }) => replyTo);
    expect(replies).toEqual([undefined, undefined, kept?.messageId]);
    // No one can look it up any more: Telegram tells where it is.
    parts.moves.failures = 1;
    expect((await sender.edit(address, after, other, options)).type).toBe("sent");
    expect(kept?.text).toBe("Other words");
  });

  it("is sent to also where no one can look it up or write it down", async () => {
    await using parts = await groupScene();
    const { sender, address, group, anna } = parts;
    const moved = group.migrate(anna);
    parts.moves.failures = 2;
    expect((await sender.send(address, hello, options)).type).toBe("sent");
    expect(parts.telegram.botMessages(moved)).toHaveLength(1);
    expect(parts.moves.all).toEqual([]);
  });
});
