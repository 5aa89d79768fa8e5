import { describe, expect, it } from "vitest";
import { createAccept } from "../../../src/ingress/create-accept.ts";
import { allCommands } from "../../../src/commands/all-commands.ts";
import { chatKey, type ChatKey } from "../../../src/core/chat.ts";
import type { Bot } from "../../../src/core/ports.ts";
import { createBlobs } from "../../../src/store/turns/blobs.ts";
import { createChatMoves } from "../../../src/store/turns/chat-moves.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { createOutboxStore } from "../../../src/store/turns/outbox.ts";
import { openIngress } from "../../ingress/open-ingress.ts";
import { answer, deliverAll, deliveryDeps, draftOf, writeDraft } from "../../delivery/support.ts";
import { begun, leaseMs, notice, storeOn, turnStoreOn } from "../../store/support.ts";
import { zip } from "../../support/files/samples.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import type { TelegramOptions } from "../../emulators/telegram/world.ts";
import { Scene } from "./support.ts";

const server = await testDatabase();
const store = storeOn(server);
const turns = turnStoreOn(store);
const blobs = createBlobs(store);
const outbox = createOutboxStore(store, leaseMs);

/** What passes for a PNG, and is different for each name. */
const picture = (name: string): Uint8Array => Buffer.from(`\u0089PNG\r\n\u001a\n${name}`, "latin1");

/** The adapter before the real ingress, on a real store. */
async function openHouse(
  options: TelegramOptions = {},
  access: Parameters<typeof openIngress>[1] = {},
) {
  const scene = await Scene.open(options);
  const receiver = openIngress(store, access);
  const accept = createAccept(receiver.deps);
  const bot = scene.createBot({
    accept,
    commands: allCommands.map(({ spec }) => spec),
    movesOf: (bot) => createChatMoves(store, bot),
  });
  await bot.start();
  const anna = scene.telegram.person({ firstName: "Anna" });
  const keyOf = (chat: { readonly id: number }): ChatKey =>
    chatKey({
      platform: "telegram",
      bot: String(scene.telegram.bot.id),
      chat: String(chat.id),
    });
  return {
    scene,
    telegram: scene.telegram,
    receiver,
    bot,
    anna,
    chat: scene.telegram.privateChat(anna),
    keyOf,
    deliver: (chat: ChatKey) => deliverAll(deliveryDeps(outbox, bot.sender), chat),
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  };
}

describe("what comes in several messages", () => {
  it("an album is one turn, with every picture and its caption", async () => {
    await using house = await openHouse();
    const { anna, chat, keyOf, scene } = house;
    anna.sendPhoto(chat, picture("one"), {
      caption: "Which is nicer?",
      mediaGroupId: "a",
    });
    anna.sendPhoto(chat, picture("two"), { mediaGroupId: "a" });
    anna.sendDocument(chat, Buffer.from("three"), { mediaGroupId: "a" });
    await scene.allConfirmed();
    const key = keyOf(chat);
    await store.redis.hdel(chatKeys(key).state, "notBefore");
    const { inbox } = await begun(turns, key);
    const entries = inbox.map(({ entry }) => entry);
    expect(entries).toMatchObject([
      { burst: "a", text: "Which is nicer?", attachments: [{ kind: "image" }] },
      { burst: "a", text: "", attachments: [{ kind: "image" }] },
      { burst: "a", text: "", attachments: [{ kind: "document" }] },
    ]);
    const kept = entries.flatMap((entry) =>
      entry.kind === "message" ? (entry.attachments ?? []) : [],
    );
    const contents = await Promise.all(kept.map(async ({ blob }) => await blobs.get(key, blob)));
    expect(contents).toEqual([
      Buffer.from(picture("one")),
      Buffer.from(picture("two")),
      Buffer.from("three"),
    ]);
  });

  it.each([
    ["that comes in the end", picture("two"), 2],
    ["that nobody can read", zip, 1],
  ])("an album waits for a file %s, however slow", async (_, bytes, count) => {
    await using house = await openHouse();
    const { anna, chat, keyOf, scene, telegram } = house;
    const key = keyOf(chat);
    const waitsForMs = async (): Promise<number> => {
      const [seconds, micros] = await store.redis.time();
      const nowMs = Number(seconds) * 1_000 + Number(micros) / 1_000;
      const due = await store.redis.hget(chatKeys(key).state, "notBefore");
      return Number(due) - nowMs;
    };
    const album = { mediaGroupId: "a" };
    anna.sendPhoto(chat, picture("one"), album);
    await scene.allConfirmed();
    expect(await waitsForMs()).toBeLessThanOrEqual(700);
    const hanging = telegram.inject({
      method: "downloadFile",
      kind: { type: "hang" },
    });
    anna.sendDocument(chat, bytes, { ...album, fileName: "two.xyz" });
    await expect.poll(waitsForMs).toBeGreaterThan(700);
    const atMs = await store.redis.zscore(chatKeys(key).wake, `in:${key}`);
    const due = await store.redis.hget(chatKeys(key).state, "notBefore");
    expect(Number(atMs)).toBe(Number(due));
    hanging.release();
    await scene.allConfirmed();
    expect(await waitsForMs()).toBeLessThanOrEqual(700);
    await store.redis.hdel(chatKeys(key).state, "notBefore");
    const { inbox } = await begun(turns, key);
    expect(inbox).toHaveLength(count);
  });

  it("an album in a group is one turn where one piece names the bot", async () => {
    await using house = await openHouse({ privacyMode: false });
    const { anna, receiver, keyOf, scene, telegram } = house;
    const ben = telegram.person({ firstName: "Ben" });
    const group = telegram.group({
      title: "Team",
      members: [anna, ben],
      kind: "supergroup",
    });
    const caption = `@${telegram.bot.username} which?`;
    const album = { mediaGroupId: "a" };
    anna.sendPhoto(group, picture("one"), { ...album, caption });
    anna.sendPhoto(group, picture("two"), album);
    ben.sendPhoto(group, picture("other"), { mediaGroupId: "b" });
    await scene.allConfirmed();
    expect(await receiver.waiting(keyOf(group))).toHaveLength(2);
    expect(telegram.callsOf("downloadFile")).toHaveLength(2);
  });
});

describe("a forward in a group", () => {
  it("is read next to a mention, in front of it and behind it, and no one else's", async () => {
    await using house = await openHouse({ privacyMode: false });
    const { anna, receiver, keyOf, scene, telegram } = house;
    const ben = telegram.person({ firstName: "Ben" });
    const group = telegram.group({ title: "Team", members: [anna, ben], kind: "supergroup" });
    const comment = `@${telegram.bot.username} is that true?`;
    ben.forwardPosts(group, ["The sun is made of gold"]);
    anna.forwardPosts(group, ["one"]);
    anna.forwardPosts(group, ["two", "three"], { comment });
    await expect.poll(() => receiver.waiting(keyOf(group))).toHaveLength(4);
    // The one that no mention follows is confirmed when it is forgotten.
    await scene.allConfirmed();
    expect(await receiver.waiting(keyOf(group))).toEqual(["m3", "m4", "m5", "m6"]);
  });
});

describe("while a file is fetched", () => {
  it("/stop, looks and taps do not wait for it, and /stop takes it back with all behind it", async () => {
    await using house = await openHouse();
    const { anna, chat, receiver, keyOf, scene, telegram } = house;
    const key = keyOf(chat);
    const hanging = telegram.inject({
      method: "downloadFile",
      kind: { type: "hang" },
    });
    anna.sendPhoto(chat, picture("slow"));
    await telegram.waitFor(() => hanging.hits.length === 1);
    anna.send(chat, "and this?");
    anna.send(chat, "/whoami");
    await expect.poll(() => receiver.told(key)).toEqual([expect.stringContaining("Name: Anna")]);
    anna.send(chat, "/stop");
    // No one lets the file go on: it is given up.
    await scene.allConfirmed();
    expect(await receiver.told(key)).toEqual([
      expect.stringContaining("Name: Anna"),
      "Stopped. I also discarded 2 waiting messages.",
    ]);
    expect(await receiver.waiting(key)).toEqual([]);
    anna.send(chat, "something else");
    await scene.allConfirmed();
    expect(await receiver.waiting(key)).toHaveLength(1);
  });

  it("messages wait for it in their order, and so does what works on them", async () => {
    await using house = await openHouse();
    const { anna, chat, receiver, keyOf, scene, telegram } = house;
    const hanging = telegram.inject({
      method: "downloadFile",
      kind: { type: "hang" },
    });
    anna.sendPhoto(chat, picture("slow"), { caption: "first" });
    await telegram.waitFor(() => hanging.hits.length === 1);
    anna.send(chat, "second");
    anna.send(chat, "/undo");
    anna.send(chat, "/whoami");
    await expect.poll(() => receiver.told(keyOf(chat))).toHaveLength(1);
    expect(await receiver.waiting(keyOf(chat))).toEqual([]);
    hanging.release();
    await scene.allConfirmed();
    const { inbox } = await begun(turns, keyOf(chat));
    expect(inbox.map(({ entry }) => (entry.kind === "message" ? entry.text : entry.kind))).toEqual([
      "first",
      "second",
      "control",
    ]);
  });
});

describe("what no one can read", () => {
  it("is refused with its sentence, to those who may use the bot", async () => {
    await using house = await openHouse();
    const { anna, chat, receiver, keyOf, scene } = house;
    anna.sendSticker(chat);
    anna.sendSticker(chat);
    anna.sendMedia(chat, "video", new Uint8Array([1]), { caption: "look" });
    anna.sendDocument(chat, new Uint8Array(8 * 1_048_576 + 1), {
      fileName: "big.txt",
    });
    await scene.allConfirmed();
    expect(await receiver.told(keyOf(chat))).toEqual([
      expect.stringContaining("stickers"),
      expect.stringContaining("videos"),
      expect.stringContaining("big.txt"),
    ]);
    expect(await receiver.waiting(keyOf(chat))).toEqual([]);
    expect(house.telegram.callsOf("getFile")).toEqual([]);
  });

  it("tells strangers nothing but that they are strangers", async () => {
    await using house = await openHouse({}, { mode: "allowlist" });
    const { anna, chat, receiver, keyOf, scene } = house;
    anna.sendSticker(chat);
    anna.sendPhoto(chat, picture("one"));
    await scene.allConfirmed();
    expect(await receiver.told(keyOf(chat))).toEqual([
      "Sorry, I'm only available to approved people.",
    ]);
    expect(house.telegram.callsOf("getFile")).toEqual([]);
  });
});

const openGroup = async () => {
  const house = await openHouse();
  const { anna, telegram } = house;
  const group = telegram.group({
    title: "Friends",
    members: [anna],
    kind: "group",
  });
  const ask = (where: { readonly id: number }, text: string) =>
    anna.send(where, `@${telegram.bot.username} ${text}`);
  return { ...house, group, key: house.keyOf(group), ask };
};

describe("a group that becomes a supergroup", () => {
  it("goes on as the chat that it was, in both directions", async () => {
    await using house = await openGroup();
    const { anna, ask, deliver, receiver, group, key, scene, telegram } = house;
    const draft = draftOf("turn-1", "Let me th");
    await writeDraft(store.redis, key, draft);
    await deliver(key);
    ask(group, "before");
    const moved = group.migrate(anna);
    // Both count their messages from 2 on: neither is taken for the other.
    ask(moved, "after");
    anna.send(moved, "/status");
    await scene.allConfirmed();
    expect(await receiver.waiting(key)).toHaveLength(2);
    const kept = await store.redis.lrange(chatKeys(key).inbox, 0, -1);
    const numbers = kept.map((json) => (JSON.parse(json) as { messageId: string }).messageId);
    // An edit of or answer to one of them must not hit the other.
    expect(new Set(numbers).size).toBe(2);
    expect(await receiver.waiting(house.keyOf(moved))).toEqual([]);

    await writeDraft(store.redis, key, undefined);
    await receiver.inbox.post(key, answer("turn-1", "Let me think."));
    await deliver(key);
    const texts = telegram.botMessages(moved).map(({ text }) => text);
    // The draft's message stays in the chat that was.
    expect(texts).toHaveLength(2);
    // It has overtaken the reply to the command.
    expect(texts[0]).toBe("Let me think.");
    expect(telegram.callsOf("sendMessage", group)).toHaveLength(1);
    expect(telegram.violations).toEqual([]);
  });

  it("is followed by a process that learns of it from a send, and for good", async () => {
    await using house = await openGroup();
    const { anna, ask, receiver, group, key, scene, telegram } = house;
    await house.bot[Symbol.asyncDispose]();
    const moved = group.migrate(anna);
    // The news never arrives: no one listens for more than a day.
    const updates = `${telegram.apiRoot}/bot${telegram.token}/getUpdates`;
    await fetch(`${updates}?offset=-1`);
    const last = telegram.pendingUpdates.at(-1)?.update_id ?? 0;
    await fetch(`${updates}?offset=${last + 1}`);
    const restart = (): Bot =>
      scene.createBot({
        accept: createAccept(receiver.deps),
        movesOf: (bot) => createChatMoves(store, bot),
      });
    await using second = restart();
    const deps = deliveryDeps(outbox, second.sender);
    await receiver.inbox.post(key, notice("n1", "news"));
    await deliverAll(deps, key);
    await receiver.inbox.post(key, notice("n2", "more news"));
    await deliverAll(deps, key);
    const texts = telegram.botMessages(moved).map(({ text }) => text);
    expect(texts).toEqual(["news", "more news"]);
    expect(telegram.callsOf("sendMessage", group)).toHaveLength(1);

    await using third = restart();
    await third.start();
    ask(moved, "hello again");
    await scene.allConfirmed();
    expect(await receiver.waiting(key)).toHaveLength(1);
  });
});
