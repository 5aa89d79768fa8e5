import { beforeEach, describe, expect, it } from "vitest";
import { notifyAllAdmins, type NotifyAllAdminsDeps } from "../../src/access/notify-admins.ts";
import { botOf, chatKey, type ChatKey } from "../../src/core/chat.ts";
import type { OutboxEntry } from "../../src/core/outbox.ts";
import { createConnectedBots } from "../../src/store/operations/connected-bots.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const connectedBots = createConnectedBots(store);
const inbox = createInbox(store);

const key = (platform: "telegram" | "discord" | "console", rest: string) => {
  const [bot = "", chat = ""] = rest.split(":");
  return chatKey({ platform, bot, chat });
};
const telegramChat = key("telegram", "77:1");
const discordChat = key("discord", "88:500");

/** @param direct where each admin can be reached alone. */
async function open(
  admins: readonly string[],
  direct: readonly (readonly [personId: string, chat: ChatKey])[] = [],
): Promise<NotifyAllAdminsDeps> {
  const people = createPeopleStore(store);
  for (const [id, chat] of direct) await people.setDirectChat(botOf(chat), id, chat);
  return {
    access: {
      admins: () => Promise.resolve(admins),
      profileOf: ({ id }) =>
        Promise.resolve({
          role: "admin",
          preference: {},
          ...(id === "telegram:9" ? { language: "de" } : {}),
        }),
    },
    people,
    connectedBots,
    async post(chat, entry) {
      await inbox.post(chat, entry);
    },
  };
}

const news = (text: string): OutboxEntry => ({
  kind: "notice",
  v: 1,
  id: "limit-1",
  text,
});
const tell = (deps: NotifyAllAdminsDeps, near: ChatKey): Promise<number> =>
  notifyAllAdmins(deps, near, (locale) => news(locale.inPrivate.askThere));

/** How many entries each chat's outbox holds, where there is one. */
async function outboxes(): Promise<Record<string, number>> {
  const prefix = /^parley:\{s\d+\}:out:/;
  const keys = await store.redis.keys("parley:{s*}:out:*");
  const found = keys.map(async (name) => [name.replace(prefix, ""), await store.redis.llen(name)]);
  return Object.fromEntries(await Promise.all(found)) as Record<string, number>;
}

beforeEach(async () => {
  await store.redis.flushdb();
  await connectedBots.note(["telegram:77", "discord:88"]);
});

describe("news for all admins", () => {
  it("reach each in one chat, whichever platform they are about", async () => {
    const deps = await open(
      ["telegram:9", "discord:9"],
      [
        ["telegram:9", key("telegram", "77:9")],
        ["discord:9", key("discord", "88:900")],
      ],
    );
    for (const near of [telegramChat, discordChat]) {
      await tell(deps, near);
      // Told again, as after a crash, they are no news.
      await tell(deps, near);
      expect(await outboxes()).toEqual({
        "telegram:77:9": 1,
        "discord:88:900": 1,
      });
    }
  });

  it("speak the admin's language, wherever they were made", async () => {
    const chat = key("telegram", "77:9");
    const deps = await open(["telegram:9"], [["telegram:9", chat]]);
    await tell(deps, discordChat);
    const opened = await createOutboxStore(store, 6_000).open(chat);
    expect(opened).toMatchObject({
      entries: [
        {
          entry: {
            id: "limit-1",
            language: "de",
            text: expect.stringMatching(/ mir /) as string,
          },
        },
      ],
    });
  });

  it("come by the bot that they are about, where the admin knows it", async () => {
    await connectedBots.note(["telegram:11"]);
    const deps = await open(
      ["telegram:9"],
      [
        ["telegram:9", key("telegram", "11:9")],
        ["telegram:9", key("telegram", "77:9")],
      ],
    );
    await tell(deps, telegramChat);
    expect(await outboxes()).toEqual({ "telegram:77:9": 1 });
  });

  it("come by another bot of the same platform, where only that one is known", async () => {
    await connectedBots.note(["telegram:11"]);
    const direct = [["telegram:9", key("telegram", "11:9")]] as const;
    await tell(await open(["telegram:9"], direct), telegramChat);
    expect(await outboxes()).toEqual({ "telegram:11:9": 1 });
  });

  it("come by one bot of several, by the same one again", async () => {
    await connectedBots.note(["telegram:11", "telegram:12"]);
    const deps = await open(
      ["telegram:9"],
      [
        ["telegram:9", key("telegram", "12:9")],
        ["telegram:9", key("telegram", "11:9")],
      ],
    );
    await tell(deps, discordChat);
    await tell(deps, discordChat);
    expect(await outboxes()).toEqual({ "telegram:11:9": 1 });
  });

  it("wait for no bot that no one is connected as any more", async () => {
    const deps = await open(
      ["telegram:9", "discord:9"],
      [
        ["telegram:9", key("telegram", "10:9")],
        ["discord:9", key("discord", "10:900")],
        ["discord:9", key("discord", "88:901")],
      ],
    );
    await tell(deps, key("discord", "88:500"));
    expect(await outboxes()).toEqual({ "discord:88:901": 1 });
  });

  it("do not go to a bot that the admin has never written to, but in Telegram to the one they are about", async () => {
    const deps = await open(["telegram:9", "discord:9"]);
    await tell(deps, discordChat);
    expect(await outboxes()).toEqual({});
    await tell(deps, telegramChat);
    expect(await outboxes()).toEqual({ "telegram:77:9": 1 });
  });

  it("do not wait at a terminal, nor where a bot only visits", async () => {
    await connectedBots.note(["console:local"]);
    const deps = await open(
      ["console:local", "discord:9"],
      [
        ["console:local", key("console", "local:1")],
        ["discord:9", key("discord", "88:visit-9-500")],
      ],
    );
    await tell(deps, telegramChat);
    expect(await outboxes()).toEqual({});
  });

  it("reach the others where one cannot be told", async () => {
    const deps = await open(
      ["discord:8", "discord:9"],
      [
        ["discord:8", key("discord", "88:800")],
        ["discord:9", key("discord", "88:900")],
      ],
    );
    const broken: NotifyAllAdminsDeps = {
      ...deps,
      post: (chat, entry) =>
        chat === "discord:88:800" ? Promise.reject(new Error("no room")) : deps.post(chat, entry),
    };
    await expect(tell(broken, telegramChat)).rejects.toThrow("could not notify an admin: no room");
    expect(await outboxes()).toEqual({ "discord:88:900": 1 });
  });
});
