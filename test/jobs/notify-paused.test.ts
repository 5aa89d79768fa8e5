import pino from "pino";
import { expect, it } from "vitest";
import { haltTurn, notifyPaused } from "../../src/jobs/notify-paused.ts";
import type { ChatKey } from "../../src/core/chat.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { createPauses } from "../../src/store/operations/pauses.ts";
import { askedIn } from "../store/asking.ts";
import {
  begun,
  cancelling,
  committed,
  message,
  newChat,
  storeOn,
  turnStoreOn,
} from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const inbox = createInbox(store);
const turns = turnStoreOn(store);
const services = {
  store,
  pauses: createPauses(store),
  log: pino({ level: "silent" }),
  post: async (chat: ChatKey, entry: Parameters<typeof inbox.post>[1]) => {
    await inbox.post(chat, entry);
  },
};
const pause = { sinceMs: 7, isNow: true };

const textsOf = async (chat: ChatKey) =>
  (await store.redis.lrange(chatKeys(chat).outbox, 0, -1)).map(
    (stored) =>
      (
        JSON.parse(stored.slice(stored.indexOf(" ") + 1)) as {
          readonly text: string;
        }
      ).text,
  );
const kept = /^I'm paused at the moment\. Your message is saved/;

it("a person who writes to a chat whose turn is paused is told once that the message is kept", async () => {
  const chat = newChat();
  await inbox.append(chat, message("m1"));
  await askedIn(turns, chat);
  const before = (await textsOf(chat)).length;
  expect(await notifyPaused(services, chat, pause)).toBe(false);
  await inbox.append(chat, message("m2"));
  for (let again = 0; again < 2; again += 1)
    expect(await notifyPaused(services, chat, pause)).toBe(true);
  expect((await textsOf(chat)).slice(before)).toEqual([expect.stringMatching(kept)]);
});

it("a turn that is stopped says so in the language of the person who asked for it, or in English where it is unknown", async () => {
  const chat = newChat();
  const person = { id: "telegram:1", name: "Anna", language: "de" };
  await inbox.append(chat, message("m1", { person }));
  const turn = await begun(turns, chat);
  const broken = newChat();
  await inbox.append(broken, message("m1"));
  const unknown = await begun(turns, broken);
  await store.redis.hset(chatKeys(broken).state, "state", "no JSON");
  for (const each of [chat, chat, broken]) await haltTurn(services, each, pause);
  expect(await textsOf(chat)).toEqual([]);
  for (const each of [turn, unknown]) await committed(turns, each, cancelling(1));
  expect(await textsOf(chat)).toEqual([expect.stringMatching(/^Ein Admin hat mich pausiert/)]);
  expect(await textsOf(broken)).toEqual([expect.stringMatching(/^An admin paused me/)]);
});
