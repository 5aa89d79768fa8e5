import { describe, expect, it } from "vitest";
import type { ChatKey } from "../../../src/core/chat.ts";
import {
  readChatStatus,
  readRequester,
  readUnattended,
  readWaiting,
} from "../../../src/store/turns/chat-status.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import {
  begun,
  committed,
  control,
  finishing,
  message,
  newChat,
  notice,
  reset,
  stateOf,
  storeOn,
  turnStoreOn,
} from "../support.ts";

const store = storeOn(await testDatabase());
const inbox = createInbox(store);
const turns = turnStoreOn(store);

const standing = async (chat: ChatKey) => {
  const { activity, queued, entries } = await readChatStatus(store, chat);
  return [activity, queued, entries];
};

describe("who asked for a turn", () => {
  it("is known from its beginning to its end", async () => {
    const chat = newChat();
    const asker = message("m1").person;
    expect(await readRequester(store, chat)).toBeUndefined();
    await inbox.append(chat, message("m1"));
    expect(await readRequester(store, chat)).toBeUndefined();
    const turn = await begun(turns, chat);
    expect(await readRequester(store, chat)).toEqual(asker);
    const thinking = { state: stateOf(turn), turn: 1 };
    const { revision } = await committed(turns, turn, thinking);
    expect(await readRequester(store, chat)).toEqual(asker);
    await committed(turns, { ...turn, revision }, finishing(1));
    expect(await readRequester(store, chat)).toBeUndefined();
  });
});

describe("how a chat stands", () => {
  it("is idle, queued until a worker takes it, running, and idle again", async () => {
    const chat = newChat();
    expect(await standing(chat)).toEqual(["idle", 0, 0]);
    await inbox.append(chat, message("m1"));
    expect(await standing(chat)).toEqual(["queued", 1, 1]);
    const turn = await begun(turns, chat);
    expect(await standing(chat)).toEqual(["running", 0, 0]);
    await committed(turns, turn, finishing(1));
    expect(await standing(chat)).toEqual(["idle", 0, 0]);
  });

  it("counts messages only, and none that was stopped", async () => {
    const chat = newChat();
    for (const entry of [message("m1"), control("c1"), reset("r1")])
      await inbox.append(chat, entry);
    expect(await standing(chat)).toEqual(["queued", 1, 3]);
    await inbox.stop(chat);
    expect(await standing(chat)).toEqual(["idle", 0, 3]);
    await inbox.append(chat, control("c2"));
    expect(await standing(chat)).toEqual(["queued", 0, 4]);
  });

  it("is running while a worker looks at what waits, before there is a turn", async () => {
    const chat = newChat();
    await inbox.append(chat, control("c1"));
    await begun(turns, chat);
    expect(await standing(chat)).toEqual(["running", 0, 1]);
  });
});

describe("what no one attends to", () => {
  it("is the oldest message or order that was not stopped; a reset needs no word", async () => {
    const chat = newChat();
    const unattended = async () => (await readUnattended(store, chat))?.id;
    expect(await unattended()).toBeUndefined();
    await inbox.append(chat, message("m1"));
    expect(await unattended()).toBe("m1");
    await inbox.stop(chat);
    expect(await unattended()).toBeUndefined();
    await inbox.append(chat, reset("r1"));
    expect(await unattended()).toBeUndefined();
    await inbox.append(chat, control("c1"));
    await inbox.append(chat, message("m2"));
    expect(await unattended()).toBe("c1");
    await begun(turns, chat);
    expect(await unattended()).toBeUndefined();
    // Where its turn stands still, someone waits all the same.
    expect((await readWaiting(store, chat))?.id).toBe("c1");
  });
});

it("a full outbox takes no more, and says so", async () => {
  const chat = newChat();
  expect(await inbox.post(chat, notice("n1"))).toBe("accepted");
  expect(await inbox.post(chat, notice("n1"))).toBe("duplicate");
  const others = Array.from({ length: 999 }, (_, index) => `n${index} {}`);
  await store.redis.rpush(chatKeys(chat).outbox, ...others);
  expect(await inbox.post(chat, notice("n2"))).toBe("full");
  expect(await store.redis.llen(chatKeys(chat).outbox)).toBe(1_000);
});
