import { describe, expect, it } from "vitest";
import { chatKey } from "../../../src/core/chat.ts";
import { createInbox } from "../../../src/store/turns/inbox.ts";
import { chatKeys } from "../../../src/store/keys.ts";
import { createOutboxStore } from "../../../src/store/turns/outbox.ts";
import { answer, deliverAll, deliveryDeps, draftOf, writeDraft } from "../../delivery/support.ts";
import { leaseMs, storeOn } from "../../store/support.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";
import type { FaultRule } from "../../emulators/telegram/faults.ts";
import { telegramSubject } from "./sender-subject.ts";
import { Scene } from "./support.ts";

const server = await testDatabase();
const store = storeOn(server);
const { redis } = store;
const inbox = createInbox(store);
const outbox = createOutboxStore(store, leaseMs);

async function openDrafts() {
  const subject = await telegramSubject({ nativeDrafts: true });
  const chat = chatKey(subject.address);
  const clock = { nowMs: Date.now() };
  const now = (): number => clock.nowMs;
  const deps = deliveryDeps(outbox, subject.sender, { now });
  return {
    ...subject,
    chat,
    clock,
    /** The text so far, shown 1.2 s after the one before. */
    async show(text: string): Promise<void> {
      clock.nowMs += 1_200;
      await writeDraft(redis, chat, draftOf("turn-1", text));
      await deliverAll(deps, chat);
    },
    async finish(text: string): Promise<void> {
      await writeDraft(redis, chat, undefined);
      await inbox.post(chat, answer("turn-1", text));
      await deliverAll(deps, chat);
    },
    drafts: () => subject.telegram.drafts(Number(subject.address.chat)),
  };
}

describe("native drafts", () => {
  it("show the growing answer, which is then an ordinary message that rings", async () => {
    await using scene = await openDrafts();
    await scene.show("Let me");
    await scene.show("Let me **think**");
    expect(scene.visible()).toEqual([]);
    await scene.finish("Let me **think** about it");
    const [first, second] = scene.drafts();
    expect(scene.drafts()).toMatchObject([
      { text: "Let me", canStop: true },
      { text: "Let me think", canStop: true },
    ]);
    expect(first?.draftId).toBe(second?.draftId);
    const { telegram, address } = scene;
    expect(telegram.botMessages(Number(address.chat))).toMatchObject([
      { text: "Let me think about it", disableNotification: false },
    ]);
    expect(telegram.callsOf("editMessageText")).toEqual([]);
    expect(telegram.violations).toEqual([]);
  });

  it("are shown again before Telegram takes them away, and not sooner", async () => {
    await using scene = await openDrafts();
    await scene.show("Let me");
    await scene.show("Let me");
    expect(scene.drafts()).toHaveLength(1);
    scene.clock.nowMs += 20_000;
    await scene.show("Let me");
    expect(scene.drafts()).toHaveLength(2);
  });

  it.each<[string, FaultRule["kind"]]>([
    ["nobody knows how", { type: "hang-up-after" }],
    [
      "for good",
      {
        type: "status",
        code: 400,
        description: "Bad Request: TEXTDRAFT_PEER_INVALID",
      },
    ],
  ])("that fail leave no doubt about the answer: %s", async (_, kind) => {
    await using scene = await openDrafts();
    const { telegram, address } = scene;
    telegram.inject({ method: "sendMessageDraft", kind });
    await scene.show("Let me");
    await redis.hdel(chatKeys(scene.chat).state, "out:notBefore");
    await scene.finish("Let me think");
    expect(telegram.botMessages(Number(address.chat)).map(({ text }) => text)).toEqual([
      "Let me think",
    ]);
  });

  it("obey a rate limit", async () => {
    await using scene = await openDrafts();
    scene.telegram.inject({
      method: "sendMessageDraft",
      kind: {
        type: "status",
        code: 429,
        description: "Too Many Requests: retry after 120",
        retryAfterSeconds: 120,
      },
    });
    await scene.show("Let me");
    await scene.show("Let me think");
    expect(scene.telegram.callsOf("sendMessageDraft")).toHaveLength(1);
  });

  it("are for private chats only", async () => {
    await using scene = await openDrafts();
    const { sender, address } = scene;
    expect(sender.fleeting?.has(address)).toBe(true);
    expect(sender.fleeting?.has({ ...address, chat: "-100" })).toBe(false);
    await using plain = await telegramSubject();
    expect(plain.sender.fleeting).toBeUndefined();
  });

  it("have a Stop button, which is /stop", async () => {
    await using scene = await Scene.open();
    const { telegram } = scene;
    const bot = scene.createBot({ nativeDrafts: true });
    await bot.start();
    const anna = telegram.person({ firstName: "Anna" });
    const chat = telegram.privateChat(anna);
    const address = {
      platform: "telegram",
      bot: String(telegram.bot.id),
      chat: String(chat.id),
    } as const;
    await bot.sender.fleeting?.show(address, "turn-1", { text: "Let me" });
    anna.stopGeneration(telegram.drafts(chat)[0]?.draftId ?? 0);
    await scene.allConfirmed();
    expect(scene.script.accepted).toMatchObject([
      {
        type: "command",
        name: "stop",
        direct: true,
        address,
        person: { id: `telegram:${anna.id}` },
      },
    ]);
  });
});
