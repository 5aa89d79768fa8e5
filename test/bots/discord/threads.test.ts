import { GatewayIntentBits, PermissionFlagsBits } from "discord.js";
import { describe, expect, test } from "vitest";
import type { DiscordBotDeps } from "../../../src/bots/discord/create-discord-bot.ts";
import type { Acceptance } from "../../../src/core/inbound.ts";
import { createGatewaySessions } from "../../../src/store/operations/gateway-sessions.ts";
import type { DiscordServer } from "../../emulators/discord/discord-server.ts";
import { botSays, botFor, TestIngress, eventually, started, store } from "./harness.ts";

const settings = {
  messageContent: false,
  shards: 1,
  autoThread: true,
} as const;

/** Another process, whose session is a new one: what it finds it has asked for. */
const laterBot = (discord: DiscordServer, deps: Partial<DiscordBotDeps>) => {
  discord.gateway.expireDetached();
  const sessions = createGatewaySessions(store, discord.botUserId);
  const memory = {
    ...sessions,
    takeIdentifySlot: () => Promise.resolve(true),
  };
  const ingress = new TestIngress();
  return { ingress, memory, ...botFor(discord, ingress, { memory, ...deps }) };
};

describe("with a thread for every question", () => {
  test("a mention opens one that is named after it, and the talk goes on there", async () => {
    await using here = await started({ deps: { settings } });
    const { ann, channel, discord, ingress } = here;
    const question = `why  is\nthe sky ${"so very ".repeat(20)}blue?`;
    const asked = ann.send(channel, question, { mentionsBot: true });
    await eventually(() => ingress.arrived).toHaveLength(1);
    const place = { chat: channel.id, thread: asked.id };
    expect(ingress.arrived[0]).toMatchObject({
      id: `m${asked.id}`,
      address: place,
      direct: false,
    });
    const [thread, ...others] = discord.threads(channel);
    expect(others).toEqual([]);
    expect(thread?.name).toMatch(/^why is the sky so very .*…$/);
    expect(thread?.name.length).toBeLessThanOrEqual(100);
    expect(thread?.memberIds).toContain(ann.id);
    ann.send(asked.id, "and at night?", { mentionsBot: true });
    await eventually(() => ingress.arrived).toHaveLength(2);
    expect(ingress.arrived[1]?.address).toMatchObject(place);
    expect(discord.threads(channel)).toHaveLength(1);
    ann.edit(asked.id, `${discord.botMention} why is it blue?`);
    await eventually(() => ingress.arrived).toHaveLength(3);
    expect(ingress.arrived[2]).toMatchObject({ type: "edit", address: place });
    expect(discord.violations).toEqual([]);
  });

  test("a /stop in the channel takes back nothing of a thread's", async () => {
    await using here = await started({ deps: { settings } });
    const { ann, channel, discord, ingress } = here;
    const fetching = Promise.withResolvers<void>();
    ingress.answer = async (inbound): Promise<Acceptance> => {
      if (inbound.type === "message") await fetching.promise;
      if (inbound.type !== "command") return { type: "queued" };
      const text = `dropped ${inbound.dropEarlier?.().length}`;
      return { type: "answered", text, isPrivate: false };
    };
    const attachments = [{ name: "a.txt", bytes: Buffer.from("a") }];
    ann.send(channel, "slow?", { mentionsBot: true, attachments });
    await eventually(() => ingress.texts()).toEqual(["slow?"]);
    await ann.slash(channel, "status").response("dropped 0");
    expect(ingress.arrived[0]?.dropped?.aborted).toBe(false);
    fetching.resolve();
    expect(discord.violations).toEqual([]);
  });

  test("a message that is delivered again, to another process too, finds the one it has", async () => {
    await using here = await started({ deps: { settings } });
    const { ann, channel, discord, ingress } = here;
    const asked = ann.send(channel, "once?", { mentionsBot: true });
    await eventually(() => ingress.arrived).toHaveLength(1);
    discord.redeliver(asked.id);
    await eventually(() => ingress.arrived).toHaveLength(2);
    await here.bot[Symbol.asyncDispose]();
    const later = new TestIngress();
    const memory = createGatewaySessions(store, discord.botUserId);
    // It resumes, and is told of no thread.
    const { bot, logged } = botFor(discord, later, { settings, memory });
    await using _ = bot;
    await bot.start();
    discord.redeliver(asked.id);
    await eventually(() => later.arrived).toHaveLength(1);
    expect(logged()).not.toContain("a thread could not be opened");
    const ids = [...ingress.arrived, ...later.arrived].map(({ address, id }) => [
      address.thread,
      id,
    ]);
    expect(new Set(ids.map(String))).toEqual(new Set([`${asked.id},m${asked.id}`]));
    expect(discord.threads(channel)).toHaveLength(1);
    expect(
      discord.calls.some(({ path, status }) => path.endsWith("/threads") && status === 400),
    ).toBe(true);
  });

  test("nothing else opens one: replies, commands, strangers, private messages, threads", async () => {
    await using here = await started({
      deps: {
        settings,
        mayAsk: ({ username }) => Promise.resolve(username !== "ben"),
      },
    });
    const { ann, ben, channel, direct, discord, ingress, guild } = here;
    const sent = await botSays(here, "hello");
    const thread = guild.thread(channel, "side talk");
    ann.send(channel, "go on", { replyTo: sent.messageId });
    ann.send(channel, "/stop", { mentionsBot: true });
    ann.send(channel, discord.botMention);
    ben.send(channel, "let me in", { mentionsBot: true });
    ann.send(direct, "in private");
    ann.send(thread, "aside", { mentionsBot: true });
    await eventually(() => ingress.arrived).toHaveLength(6);
    expect(discord.threads(channel)).toMatchObject([{ id: thread.id }]);
    expect(discord.violations).toEqual([]);
  });

  test("what Discord forbids is answered in the channel", async () => {
    await using here = await started({ deps: { settings } });
    const { ann, channel, discord, ingress, guild } = here;
    guild.denyBot(channel, PermissionFlagsBits.CreatePublicThreads);
    ann.send(channel, "no thread?", { mentionsBot: true });
    await eventually(() => ingress.texts()).toEqual(["no thread?"]);
    expect(ingress.arrived[0]?.address.thread).toBeUndefined();
    expect(discord.violations).toEqual([]);
  });

  test("what Discord forbids for minutes is answered in the channel, and no one waits", async () => {
    await using here = await started({ deps: { settings } });
    const { ann, channel, discord, ingress } = here;
    discord.inject({
      path: /\/threads$/,
      times: 1,
      kind: { type: "status", code: 429, retryAfterSeconds: 240 },
    });
    ann.send(channel, "now?", { mentionsBot: true });
    await eventually(() => ingress.texts()).toEqual(["now?"]);
    expect(ingress.arrived[0]?.address.thread).toBeUndefined();
  });

  test("what was answered in the channel stays there when threads are switched on, and the other way round", async () => {
    await using here = await started();
    const { ann, channel, discord, ingress } = here;
    ann.send(channel, "why?", { mentionsBot: true });
    await eventually(() => ingress.arrived).toHaveLength(1);
    await here.bot[Symbol.asyncDispose]();
    const threaded = laterBot(discord, {
      settings,
      hasSeen: ({ chat, thread }, id) =>
        Promise.resolve(
          chat === channel.id && thread === undefined && id === ingress.arrived[0]?.id,
        ),
    });
    await threaded.bot.start();
    await eventually(() => threaded.ingress.arrived).toHaveLength(1);
    expect(threaded.ingress.arrived[0]?.address).toEqual(ingress.arrived[0]?.address);
    expect(discord.threads(channel)).toEqual([]);
    const asked = ann.send(channel, "and how?", { mentionsBot: true });
    await eventually(() => threaded.ingress.arrived).toHaveLength(2);
    await threaded.bot[Symbol.asyncDispose]();
    const last = laterBot(discord, {
      settings: { messageContent: false, shards: 1 },
    });
    await using _ = last.bot;
    await last.bot.start();
    await eventually(() => last.ingress.texts()).toContain("and how?");
    expect(last.ingress.arrived.at(-1)?.address.thread).toBe(asked.id);
  });

  test("a question that is not durable yet is asked for again, though a later one is", async () => {
    await using here = await started({ deps: { settings } });
    const { ann, channel, discord, ingress } = here;
    const never = new Promise<Acceptance>(() => undefined);
    ingress.answer = (inbound) =>
      inbound.type === "message" && inbound.text === "one" ? never : { type: "queued" };
    ann.send(channel, "one", { mentionsBot: true });
    await eventually(() => ingress.texts()).toEqual(["one"]);
    // Another millisecond, which is what Discord can be asked from.
    const ms = Date.now();
    await expect.poll(() => Date.now()).toBeGreaterThan(ms + 1);
    ann.send(channel, "two", { mentionsBot: true });
    await eventually(() => ingress.texts()).toEqual(["one", "two"]);
    await here.bot[Symbol.asyncDispose]();
    const { memory } = laterBot(discord, { settings });
    const known = await memory.readChannels();
    expect(known.map(({ channelId }) => channelId)).toContain(ingress.arrived[1]?.address.thread);
    expect(known.find(({ channelId }) => channelId === channel.id)?.handledAtMs ?? 0).toBe(0);
  });

  test("what Discord cannot do just now is tried again, and stays in order", async () => {
    await using here = await started({ deps: { settings } });
    const { ann, channel, discord, ingress } = here;
    discord.inject({
      path: /\/threads$/,
      times: 2,
      kind: { type: "status", code: 503 },
    });
    const first = ann.send(channel, "one", { mentionsBot: true });
    const second = ann.send(channel, "two", { mentionsBot: true });
    await eventually(() => ingress.texts()).toEqual(["one", "two"]);
    expect(ingress.arrived.map(({ address }) => address.thread)).toEqual([first.id, second.id]);
  });

  test("the bot's own threads need no mention where it may read everything", async () => {
    await using here = await started({
      server: { privilegedIntents: [GatewayIntentBits.MessageContent] },
      deps: { settings: { ...settings, messageContent: true } },
    });
    const { ann, channel, discord, ingress, guild } = here;
    const asked = ann.send(channel, "why?", { mentionsBot: true });
    await eventually(() => ingress.arrived).toHaveLength(1);
    const others = guild.thread(channel, "side talk");
    ann.send(asked.id, "how?");
    ann.send(asked.id, "/stop");
    ann.send(others, "who?");
    await eventually(() => ingress.arrived).toHaveLength(4);
    const inThread = (thread: string) =>
      ingress.arrived.filter(({ address }) => address.thread === thread);
    expect(inThread(asked.id)).toMatchObject([
      { text: "why?" },
      { text: "how?" },
      { type: "command", name: "stop" },
    ]);
    expect(inThread(asked.id)[1]).not.toHaveProperty("isAddressed");
    expect(inThread(others.id)).toMatchObject([{ isAddressed: false }]);
    expect(discord.violations).toEqual([]);
  });
});

describe("the presence", () => {
  test("is shown from the start, and again when a session goes on", async () => {
    await using here = await started({
      deps: {
        settings: { messageContent: false, shards: 1, presence: "Ask me" },
      },
    });
    const { discord } = here;
    const shown = {
      status: "online",
      activities: [{ type: 4, state: "Ask me" }],
    };
    expect(discord.gateway.presences).toMatchObject([shown]);
    discord.gateway.requestReconnect();
    await discord.waitFor(() => discord.gateway.presences.length > 1, {
      what: "the presence again",
    });
    expect(discord.gateway.presences[1]).toMatchObject(shown);
    expect(discord.violations).toEqual([]);
  });
});
