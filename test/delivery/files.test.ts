import { describe, expect, it } from "vitest";
import { safeFileName } from "../../src/core/outbox.ts";
import { createBlobs } from "../../src/store/turns/blobs.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import { telegramSubject } from "../bots/telegram/sender-subject.ts";
import { chatKey } from "../../src/core/chat.ts";
import { leaseMs, newChat, notice, storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import { ScriptedSender } from "./scripted-sender.ts";
import { deliverAll, deliveryDeps, file, letTimePass } from "./support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const inbox = createInbox(store);
const outbox = createOutboxStore(store, leaseMs);
const blobs = createBlobs(store);

const setup = (options: { deduplicates?: boolean } = {}) => {
  const sender = new ScriptedSender(options);
  const chat = newChat();
  const deps = deliveryDeps(outbox, sender, { blobs });
  return { sender, chat, deps, deliver: () => deliverAll(deps, chat) };
};

describe("a file", () => {
  it("is sent in its place, once, and its bytes go with the receipt", async () => {
    const { sender, chat, deliver } = setup();
    const entry = await file(blobs, chat, {
      id: "f1",
      content: "all of it",
      caption: "Here:",
      replyTo: "55",
    });
    await inbox.post(chat, notice("n1", "before"));
    await inbox.post(chat, entry);
    await inbox.post(chat, entry);
    await inbox.post(chat, notice("n2", "after"));
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["before", "[a.md: all of it] Here:", "after"]);
    expect(sender.requests[1]?.options).toMatchObject({
      replyTo: "55",
      final: true,
    });
    expect(await redis.hgetall(`${chatKeys(chat).sentPrefix}f1`)).toMatchObject({
      m0: "2",
      done: "1",
    });
    expect(await blobs.get(chat, entry.blob)).toBeUndefined();
  });

  it("keeps its bytes as long as it is tried, and then the right ones arrive", async () => {
    const { sender, chat, deliver } = setup();
    await inbox.post(chat, await file(blobs, chat, { id: "f1", content: "x" }));
    sender.faults.push("retry", "arrived");
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect((await deliver()).type).toBe("later");
      await letTimePass(redis, chat);
    }
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["[a.md: x]", "+[a.md: x]"]);
  });

  it("whose bytes are gone, another chat's or none becomes a sentence", async () => {
    const { sender, chat, deliver } = setup();
    const other = await file(blobs, newChat(), { id: "f1", content: "secret" });
    await inbox.post(chat, other);
    await inbox.post(chat, { ...other, id: "f2", blob: "../x" });
    const empty = await file(blobs, chat, { id: "f3", content: "" });
    await inbox.post(chat, empty);
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(
      Array.from({ length: 3 }, () => "The file is no longer available."),
    );
  });

  it("that the platform refuses is said to be so, and holds nothing up", async () => {
    const { sender, chat, deliver } = setup();
    const entry = await file(blobs, chat, { id: "f1", content: "x", caption: "The plan" });
    await inbox.post(chat, entry);
    await inbox.post(chat, notice("n1", "after"));
    sender.refusesFiles = true;
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.texts).toEqual(["The plan\n\nSorry, I couldn't send the file here.", "after"]);
    expect(await blobs.get(chat, entry.blob)).toBeUndefined();
  });

  it("for someone who takes no words either is dropped like any other message", async () => {
    const { sender, chat, deliver } = setup();
    await inbox.post(chat, await file(blobs, chat, { id: "f1", content: "x" }));
    sender.faults.push("refused", "refused");
    expect(await deliver()).toEqual({ type: "done" });
    expect(sender.did).toHaveLength(2);
    expect(await redis.hgetall(`${chatKeys(chat).sentPrefix}f1`)).toEqual({
      refused: "blocked",
      without: "file",
    });
  });

  it("has no name that could harm anybody", async () => {
    const { sender, chat, deliver } = setup();
    const entry = { id: "f1", content: "x", name: "../../etc/pass wd\r\n.md" };
    await inbox.post(chat, await file(blobs, chat, entry));
    await deliver();
    expect(sender.texts).toEqual(["[etc-pass-wd-.md: x]"]);
  });

  it("goes to Telegram as a document, and again with a label when no one knows", async () => {
    await using subject = await telegramSubject();
    const chat = chatKey(subject.address);
    const deps = deliveryDeps(outbox, subject.sender, { blobs });
    const entry = { id: "f1", content: "words", caption: "Here:" };
    await inbox.post(chat, await file(blobs, chat, entry));
    await subject.remote?.injectFailure("unknown");
    expect((await deliverAll(deps, chat)).type).toBe("later");
    await letTimePass(redis, chat);
    expect(await deliverAll(deps, chat)).toEqual({ type: "done" });
    const seen = await subject.visible();
    expect(seen.map(({ text }) => text)).toEqual([
      "Here:",
      expect.stringMatching(/^Here:\n\n.*again/is) as string,
    ]);
    for (const each of seen) expect(Buffer.from(each.file?.bytes ?? []).toString()).toBe("words");
  });
});

describe("a file's name", () => {
  it.each([
    ["report.md", "report.md"],
    ["parley-telegram:77:-100-2026.md", "parley-telegram-77--100-2026.md"],
    ["../.bashrc", "bashrc"],
    ["-rf", "rf"],
    ["a/b\\c.txt", "a-b-c.txt"],
    ["…", "file"],
    ["", "file"],
    ["x".repeat(200) + ".jsonl", "x".repeat(94) + ".jsonl"],
    ["end...", "end"],
  ])("%j becomes %j", (given, safe) => {
    expect(safeFileName(given)).toBe(safe);
  });
});
