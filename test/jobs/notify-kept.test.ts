import { expect, it } from "vitest";
import { notifyKept } from "../../src/jobs/notify-kept.ts";
import type { InboxEntry } from "../../src/core/history.ts";
import type { OutboxEntry } from "../../src/core/outbox.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { createPauses } from "../../src/store/operations/pauses.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import { control, message, newChat, storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const inbox = createInbox(store);

it.each<[string, InboxEntry, string | undefined]>([
  [
    "a message",
    message("m1", { atMs: 1, group: true, messageId: "55" }),
    "I'm a bit busy right now. Your message is saved and I'll answer as soon as I can.",
  ],
  [
    "an order",
    { ...control("c1"), atMs: 1, group: true, messageId: "55" },
    "I'm a bit busy right now. Your /compact is saved, and I'll get to it as soon as I can.",
  ],
  ["a message of just now", message("m2", { atMs: Date.now() }), undefined],
])("who wrote %s that no one takes is told once", async (_, entry, text) => {
  const chat = newChat();
  const posted: OutboxEntry[] = [];
  const services = {
    store,
    people: createPeopleStore(store),
    pauses: createPauses(store),
    post: (_chat: unknown, each: OutboxEntry) => Promise.resolve(void posted.push(each)),
  };
  await inbox.append(chat, entry);
  for (let look = 0; look < 2; look += 1) await notifyKept(services, chat);
  expect(posted).toMatchObject(
    text === undefined ? [] : [{ kind: "notice", id: `kept-${entry.id}`, text, replyTo: "55" }],
  );
});

it("no one is told where the memory is too full to remember it, and nothing fails", async () => {
  const chat = newChat();
  await inbox.append(chat, message("m3"));
  const posted: OutboxEntry[] = [];
  const services = {
    store,
    people: createPeopleStore(store),
    pauses: createPauses(store),
    post: (_chat: unknown, each: OutboxEntry) => Promise.resolve(void posted.push(each)),
  };
  await store.redis.config("SET", "maxmemory", "1");
  await notifyKept(services, chat);
  await store.redis.config("SET", "maxmemory", "0");
  expect(posted).toEqual([]);
  await notifyKept(services, chat);
  expect(posted).toHaveLength(1);
});
