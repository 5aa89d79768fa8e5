import { beforeEach, expect, it } from "vitest";
import type { Services } from "../../src/services.ts";
import { findingIn } from "../../src/doctor/check.ts";
import { deploymentChecks } from "../../src/doctor/deployment.ts";
import { localeFor } from "../../src/locales/locale-for.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { listDeadLetters } from "../../src/store/turns/dead-letters.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import { chatKeys } from "../../src/store/keys.ts";
import type { RefusalReason } from "../../src/core/refusal.ts";
import { ScriptedSender } from "../delivery/scripted-sender.ts";
import { deliverAll, deliveryDeps } from "../delivery/support.ts";
import { leaseMs, newChat, notice, storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const outbox = createOutboxStore(store, leaseMs);
beforeEach(() => store.redis.flushdb());

/** Messages to a chat of their own that its platform refuses. */
async function refused(count: number, reason?: RefusalReason) {
  const chat = newChat();
  const sender = new ScriptedSender();
  sender.reason = reason;
  for (let id = 0; id < count; id += 1) {
    sender.faults.push("refused");
    await createInbox(store).post(chat, notice(`${id}`, "secret"));
  }
  await deliverAll(deliveryDeps(outbox, sender), chat);
  return chat;
}

async function found(language?: string) {
  const services = { store, people: createPeopleStore(store) } as unknown as Services;
  const check = deploymentChecks(services).find(({ id }) => id === "work");
  const all = (await check?.run(new AbortController().signal)) ?? [];
  const letters = all.filter(({ id }) => id === "work.dead-letters");
  return letters.map(findingIn(localeFor(language)))[0];
}

it("says why the messages could not be delivered, in words and with counts", async () => {
  expect(await found()).toMatchObject({ status: "ok" });
  await refused(1, "closed");
  await refused(3, "forbidden");
  await refused(2);
  expect(await found()).toMatchObject({
    status: "warning",
    what: "6 messages couldn't be delivered.",
    why:
      "People miss an answer. Reasons: 3 × Writing there isn't allowed. " +
      "2 × The platform refused it. 1 × The topic or thread is closed.",
  });
  expect((await found("de"))?.why).toContain("1 × Das Thema oder der Thread ist geschlossen.");
});

it("reads a hundred of them, however many there are", async () => {
  for (let chats = 0; chats < 6; chats += 1) await refused(20, "blocked");
  expect(await found()).toMatchObject({
    what: "120 messages couldn't be delivered.",
    why: "People miss an answer. Reasons for 100 of them: 100 × Messages to this person are blocked.",
  });
});

it("counts one that can't be read, and says why of the others", async () => {
  const chat = await refused(2, "gone");
  const [letter] = await listDeadLetters(store, chat);
  await store.redis.hset(`${chatKeys(chat).deadPrefix}${letter?.id}`, "tries", "many");
  expect((await found())?.why).toMatch(/Reasons for 1 of them: 1 × The topic was deleted/);
});
