import pino from "pino";
import { beforeEach, expect, it } from "vitest";
import { Access } from "../../src/access/access.ts";
import { chatKey, parseChatKey } from "../../src/core/chat.ts";
import type { PlatformWatch } from "../../src/core/outage.ts";
import { watchModels } from "../../src/jobs/notify-outages.ts";
import { watchPlatforms } from "../../src/jobs/notify-platforms.ts";
import { createConnectedBots } from "../../src/store/operations/connected-bots.ts";
import { createLeases } from "../../src/store/operations/leases.ts";
import { createOutages } from "../../src/store/operations/outages.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { load } from "../config/support.ts";
import { storeOn } from "../store/support.ts";
import { testDatabase } from "../support/redis/test-redis.ts";

const store = storeOn(await testDatabase());
const { redis } = store;
const outages = createOutages(store);
/** Of the owner, with each bot. */
const [inTelegram, onDiscord] = ["telegram:7:1", "discord:8:5"];

beforeEach(() => redis.flushdb());

/** What one process has; the owner has written to both bots. */
async function depsOf({ owners = ["telegram:1", "discord:2"] } = {}) {
  const people = createPeopleStore(store);
  const settings = load({
    environment: { OPENAI_API_KEY: "sk-secret", OPENAI_MODEL: "gpt-5-mini" },
  });
  const connectedBots = createConnectedBots(store);
  await connectedBots.note(["telegram:7", "discord:8"]);
  const chats = { "telegram:1": inTelegram, "discord:2": onDiscord };
  for (const [id, chat] of Object.entries(chats))
    if (owners.includes(id))
      await people.setDirectChat(chat.slice(0, -2), id, chatKey(parseChatKey(chat)));
  const inbox = createInbox(store);
  return {
    settings,
    store,
    access: new Access(people, { ...settings.access, admins: owners }, () => performance.now()),
    people,
    connectedBots,
    post: async (...posted: Parameters<typeof inbox.post>) => void (await inbox.post(...posted)),
    redact: (text: string) => text.replaceAll("telegram-secret", "[secret]"),
    log: pino({ level: "silent" }),
  };
}

/** One process; fulfils when it has ended. */
async function process(
  use: (watch: PlatformWatch, other: PlatformWatch) => void,
  options: Parameters<typeof depsOf>[0] = {},
): Promise<void> {
  await using watches = watchPlatforms(await depsOf(options));
  use(watches.of("telegram:7"), watches.of("discord:8"));
}

const refuse = (watch: PlatformWatch) => watch.failed({ kind: "auth", cause: "401" });

const standby = (watch: PlatformWatch) =>
  watch.failed({ kind: "network", cause: "timeout", isStandingBy: true });

const told = async (chat: string): Promise<readonly string[]> =>
  (await redis.lrange(chatKeys(chatKey(parseChatKey(chat))).outbox, 0, -1)).map(
    (stored) =>
      (JSON.parse(stored.slice(stored.indexOf(" ") + 1)) as { readonly text: string }).text,
  );

it("tells owners once, by another bot, since when and what to do", async () => {
  await process((watch) => {
    refuse(watch);
    refuse(watch);
  });
  await process(refuse);
  expect(await told(onDiscord)).toEqual([
    expect.stringMatching(
      /^I've been cut off from Telegram since 20\d\d-.* UTC \(bot telegram:7\)\. .*\nTelegram doesn't accept TELEGRAM_BOT_TOKEN\.\nOpen @BotFather/,
    ),
  ]);
  expect(await told(inTelegram)).toEqual([]);
});

it("tells what an unreachable platform answered, without its token", async () => {
  await process((watch) => watch.failed({ kind: "network", cause: "telegram-secret: timeout" }));
  expect(await told(onDiscord)).toEqual([
    expect.stringMatching(
      /\nTelegram can't be reached at api\.telegram\.org: \[secret\]: timeout\n.*curl -I https:/,
    ),
  ]);
});

it("tells what else Discord refuses, in its own words", async () => {
  const cause = "Discord refuses the message content intent: switch it on";
  await process((_, discord) => discord.failed({ kind: "invalid-request", cause }));
  expect(await told(inTelegram)).toEqual([
    expect.stringMatching(/^I've been cut off from Discord .*\(bot discord:8\).*\nDiscord refuses/),
  ]);
});

it("tells no one by a bot that is cut off as well, and tells it later", async () => {
  const owners = { owners: ["discord:2"] };
  await process((_, discord) => refuse(discord), owners);
  await process((telegram) => refuse(telegram), owners);
  expect(await told(onDiscord)).toEqual([]);
  await process((_, discord) => discord.served(), owners);
  await process((telegram) => refuse(telegram), owners);
  expect(await told(onDiscord)).toEqual([expect.stringContaining("cut off from Telegram")]);
});

it("is not told of a process on standby while another one is served", async () => {
  const lease = await createLeases(store).take("telegram:7");
  await process(standby);
  expect(await outages.list()).toEqual([]);
  await lease?.[Symbol.asyncDispose]();
  await process(standby);
  expect(await told(onDiscord)).toHaveLength(1);
});

it("tells the end once, in the bot's own chat, too, by any process", async () => {
  await process(refuse);
  await process((watch, other) => {
    other.served();
    watch.served();
  });
  await process((watch) => watch.served());
  expect((await told(onDiscord)).slice(1)).toEqual([
    expect.stringMatching(/^I'm back on Telegram after \d+ s \(bot telegram:7\)\.$/),
  ]);
  expect(await told(inTelegram)).toEqual((await told(onDiscord)).slice(1));
  expect(await outages.list()).toEqual([]);
});

it("isn't ended by another bot, and not told where the failure wasn't", async () => {
  await process(refuse, { owners: ["telegram:1"] });
  await process((_, other) => other.served());
  expect(await outages.list()).toHaveLength(1);
  await process((watch) => watch.served());
  expect([...(await told(onDiscord)), ...(await told(inTelegram))]).toEqual([]);
});

it("and fails again within the hour is no further news", async () => {
  for (let round = 0; round < 3; round += 1) {
    await process(refuse);
    await process((watch) => watch.served());
  }
  expect(await told(onDiscord)).toHaveLength(2);
});

it("is told in a platform's words by the process that finds an earlier one killed before it", async () => {
  await process(refuse);
  for (const outage of await outages.list()) await outages.end(outage);
  await using models = watchModels(await depsOf());
  const model = "openai/gpt-5-mini";
  models.answered({
    chat: chatKey(parseChatKey(inTelegram)),
    isOwners: true,
    model,
    askedAtMs: Infinity,
  });
  await expect.poll(() => outages.ended()).toEqual([]);
  expect((await told(onDiscord)).at(-1)).toMatch(/^I'm back on Telegram/);
});
