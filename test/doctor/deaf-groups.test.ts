import { expect, it, onTestFinished } from "vitest";
import { createTelegramExaminer } from "../../src/bots/telegram/examine.ts";
import { chatKey } from "../../src/core/chat.ts";
import { findDeafGroups } from "../../src/doctor/deaf-groups.ts";
import { telegramFindings } from "../../src/doctor/telegram.ts";
import { localeFor } from "../../src/locales/locale-for.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { TelegramServer } from "../emulators/telegram/telegram-server.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const people = { knownPeople: () => Promise.resolve([]) };

/** A bot that is a member of so many groups, all with `/activation always`. */
async function botIn(count: number) {
  const server = await TelegramServer.start({ privacyMode: true });
  onTestFinished(() => server[Symbol.asyncDispose]());
  const bot = `telegram:${server.bot.id}`;
  const groups = Array.from({ length: count }, (_, index) =>
    server.group({ title: `Group ${index}`, kind: "supergroup", members: [] }),
  );
  const keys = groups.map(({ id }) =>
    chatKey({ platform: "telegram", bot: String(server.bot.id), chat: String(id) }),
  );
  await Promise.all(
    keys.map((key) => store.redis.hset(chatKeys(key).settings, "activation", "always")),
  );
  const { token, apiRoot } = server;
  const examiner = createTelegramExaminer({ token, apiRoot, commands: [] });
  const isPlainMember = (chatId: string) =>
    examiner.isPlainMember(chatId, new AbortController().signal);
  return { server, groups, keys, isPlainMember, bot };
}

const refused = (code: number) =>
  ({ type: "status", code, description: "no", retryAfterSeconds: 1 }) as const;

it("only a group that Telegram refuses to speak of is none that the bot misses messages of", async () => {
  const { server, groups, keys, isPlainMember, bot } = await botIn(7);
  const kinds = [
    refused(400),
    refused(403),
    refused(429),
    refused(500),
    { type: "hang-up-before" },
    { type: "garbage" },
  ] as const;
  for (const [index, kind] of kinds.entries())
    server.inject({ method: "getChatMember", chatId: groups[index]?.id ?? 0, kind });
  const { deafIn, uncheckedIn } = await findDeafGroups({ store, people, isPlainMember }, bot);
  expect(deafIn).toEqual(keys.slice(6));
  expect(uncheckedIn.toSorted()).toEqual(keys.slice(2, 6).toSorted());
});

it("asks about 20 groups, four at once", async () => {
  const { bot } = await botIn(25);
  let asking = 0;
  let most = 0;
  let asked = 0;
  const isPlainMember = async () => {
    asked += 1;
    most = Math.max(most, ++asking);
    await new Promise(setImmediate);
    asking -= 1;
    return true;
  };
  const { deafIn, uncheckedIn } = await findDeafGroups({ store, people, isPlainMember }, bot);
  expect([asked, most, deafIn.length, uncheckedIn.length]).toEqual([20, 4, 20, 5]);
});

it("a Redis that fails costs no other finding", async () => {
  const { bot, isPlainMember } = await botIn(1);
  const failing = { knownPeople: () => Promise.reject(new Error("gone")) };
  expect(await findDeafGroups({ store, people: failing, isPlainMember }, bot)).toEqual({
    deafIn: [],
    uncheckedIn: [],
  });
});

it("says of a group that couldn't be checked that it couldn't", () => {
  const facts = {
    username: "bot",
    readsGroups: false,
    webhookUrl: "",
    waiting: 0,
    webhookError: undefined,
    hasCommands: true,
  };
  const receiving = { mode: "polling" } as const;
  const state = { receiving, isReceiving: true, hasOtherPoller: false };
  const [found] = telegramFindings(facts, { ...state, deafIn: [], uncheckedIn: ['"Team"'] })
    .filter(({ id }) => id === "telegram.privacy")
    .map(({ say }) => say(localeFor("en")));
  expect(found?.what).toContain('in "Team", but it couldn\'t be checked');
});
