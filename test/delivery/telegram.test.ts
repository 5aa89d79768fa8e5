import { expect, it } from "vitest";
import { chatKey } from "../../src/core/chat.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import { telegramSubject } from "../bots/telegram/sender-subject.ts";
import { approvalOf, leaseMs, notice, storeOn, turnStoreOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";
import {
  answer,
  card,
  deliverAll,
  deliveryDeps,
  draftOf,
  letTimePass,
  resolution,
  writeDraft,
} from "./support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const inbox = createInbox(store);
const outbox = createOutboxStore(store, leaseMs);

it("Telegram shows a draft, the answer that it becomes, a card and its closing, in order, and a repetition that says so", async () => {
  await using subject = await telegramSubject();
  const chat = chatKey(subject.address);
  const deps = deliveryDeps(outbox, subject.sender);
  const visible = async () =>
    (await subject.visible()).map(({ text, buttons }) => ({ text, buttons }));

  await writeDraft(redis, chat, draftOf("turn-1", "Let me th"));
  await deliverAll(deps, chat);
  expect(await visible()).toEqual([{ text: "Let me th", buttons: [] }]);

  await writeDraft(redis, chat, undefined);
  const approval = approvalOf(turnStoreOn(store), chat);
  await inbox.post(chat, answer("turn-1", `Let me think. ${"word ".repeat(1_000)}`));
  await inbox.post(chat, card(approval));
  await deliverAll(deps, chat);
  const before = await visible();
  expect(before).toHaveLength(3);
  expect(before[0]?.text).toMatch(/^Let me think\. word/);
  expect(before[1]?.text).toMatch(/word$/);
  expect(before[2]?.buttons).toEqual(["Approve", "Deny", "Edit"]);

  const entry = card(approval);
  if (entry.kind !== "card") throw new Error(entry.kind);
  await inbox.post(chat, resolution(entry.id, "Approved by Anna.", { card: entry.card }));
  await subject.remote?.injectFailure("retry");
  expect((await deliverAll(deps, chat)).type).toBe("later");
  expect(await visible()).toEqual(before);
  await letTimePass(redis, chat);
  await deliverAll(deps, chat);
  expect((await visible())[2]).toMatchObject({
    buttons: [],
    text: expect.stringContaining("Approved by Anna.") as string,
  });

  await inbox.post(chat, notice("n1", "news"));
  await subject.remote?.injectFailure("unknown");
  expect((await deliverAll(deps, chat)).type).toBe("later");
  await letTimePass(redis, chat);
  expect(await deliverAll(deps, chat)).toEqual({ type: "done" });
  const texts = (await visible()).slice(3).map(({ text }) => text);
  expect(texts[0]).toBe("news");
  expect(texts[1]).toMatch(/^news\n\n.*again/is);
  expect(texts).toHaveLength(2);
});
