import { GatewayDispatchEvents, GatewayIntentBits } from "discord.js";
import { describe, expect, test } from "vitest";
import { PermanentError } from "../../../src/core/errors.ts";
import type { Acceptance } from "../../../src/core/inbound.ts";
import type { DiscordServer } from "../../emulators/discord/discord-server.ts";
import type { Gateway } from "../../emulators/discord/gateway/gateway.ts";
import { botFor, botSays, eventually, started } from "./harness.ts";

describe("messages", () => {
  test("come from direct messages, mentions and replies to the bot, and from nothing else", async () => {
    await using here = await started();
    const { ann, ben, channel, direct, discord, ingress } = here;
    const sent = await botSays(here, "hello");
    ann.send(channel, "just chatting");
    ann.send(channel, `${ben.mention} you?`);
    ben.send(channel, "reply to a person", {
      replyTo: ann.send(channel, "first").id,
    });
    discord.sendAsWebhook(channel, "hook", `${discord.botMention} webhook`);
    discord.user({ username: "robot", bot: true });
    ann.send(direct, "in private");
    ann.send(channel, "hear me", { mentionsBot: true });
    ann.send(channel, "answering you", { replyTo: sent.messageId });
    await expect
      .poll(() => ingress.texts().toSorted())
      .toEqual(["answering you", "hear me", "in private"]);
    const mention = ingress.arrived.find(
      (each) => each.type === "message" && each.text === "hear me",
    );
    expect(mention).toMatchObject({
      type: "message",
      id: `m${mention?.messageId}`,
      address: {
        platform: "discord",
        bot: discord.botUserId,
        chat: channel.id,
      },
      direct: false,
      person: { id: `discord:${ann.id}`, name: "Ann", username: "ann" },
    });
    const inPrivate = ingress.arrived.find(({ direct }) => direct);
    expect(inPrivate?.address.chat).toBe(direct.id);
    expect(discord.violations).toEqual([]);
  });

  test("come from mentions of the bot's own role, and from no other role's", async () => {
    await using here = await started({
      server: { privilegedIntents: [GatewayIntentBits.MessageContent] },
      deps: { settings: { messageContent: true, shards: 1 } },
    });
    const { ann, channel, discord, ingress, guild } = here;
    const other = guild.role("helpers");
    ann.send(channel, `<@&${other.id}> anyone?`);
    ann.send(channel, `${guild.botRoleMention} hello`);
    ann.send(channel, `${guild.botRoleMention} /status`);
    await eventually(() => ingress.arrived.length).toBe(3);
    expect(ingress.arrived).toMatchObject([
      { text: `<@&${other.id}> anyone?`, isAddressed: false },
      { type: "message", text: "hello" },
      { type: "command", name: "status" },
    ]);
    expect(ingress.arrived[1]).not.toHaveProperty("isAddressed");
    expect(discord.violations).toEqual([]);
  });

  test("come from mentions of the bot's role without the message content intent, and after a resumed session", async () => {
    await using first = await started();
    const { ann, channel, discord, ingress, guild } = first;
    ann.send(channel, `${guild.botRoleMention} hello`);
    await eventually(() => ingress.texts()).toEqual([""]);
    await first.bot[Symbol.asyncDispose]();
    const { bot } = botFor(discord, ingress);
    await using _ = bot;
    await bot.start();
    discord.inject({
      path: /\/roles$/,
      times: 4,
      kind: { type: "status", code: 503 },
    });
    ann.send(channel, `${guild.botRoleMention} again`);
    ann.send(channel, "and this", { mentionsBot: true });
    await eventually(() => ingress.texts()).toEqual(["", "", "and this"]);
    expect(discord).toMatchObject({ identifies: 1, resumes: 1 });
  });

  test("with a role are left to the next process when this one ends before Discord tells whose role it is", async () => {
    await using first = await started();
    const { ann, channel, discord, ingress, guild } = first;
    await first.bot[Symbol.asyncDispose]();
    const injection = discord.inject({
      path: /\/roles$/,
      times: 1,
      kind: { type: "status", code: 503 },
    });
    const stopping = new AbortController();
    const { signal } = stopping;
    const { bot: second } = botFor(discord, ingress, { signal });
    await second.start();
    ann.send(channel, `${guild.botRoleMention} hello`);
    await eventually(() => injection.used).toBe(1);
    stopping.abort();
    await second[Symbol.asyncDispose]();
    const { bot } = botFor(discord, ingress);
    await using _ = bot;
    await bot.start();
    await eventually(() => ingress.texts()).toEqual([""]);
    expect(discord).toMatchObject({ identifies: 1, resumes: 2 });
  });

  test("in a thread belong to the thread of its channel, known to the gateway or not", async () => {
    await using here = await started();
    const { ann, channel, discord, ingress, guild } = here;
    const thread = guild.thread(channel, "side talk");
    ann.send(thread, "in the thread", { mentionsBot: true });
    await eventually(() => ingress.texts()).toEqual(["in the thread"]);
    expect(ingress.arrived[0]?.address).toEqual({
      platform: "discord",
      bot: discord.botUserId,
      chat: channel.id,
      thread: thread.id,
    });
    discord.gateway.dropEvents(1);
    const hidden = guild.thread(channel, "hidden");
    ann.send(hidden, "one", { mentionsBot: true });
    ann.send(hidden, "two", { mentionsBot: true });
    await expect.poll(() => ingress.texts()).toEqual(["in the thread", "one", "two"]);
    expect(ingress.arrived[2]?.address).toMatchObject({
      chat: channel.id,
      thread: hidden.id,
    });
    const asked = discord.calls.filter(({ path }) => path === `/channels/${hidden.id}`);
    expect(asked).toHaveLength(1);
  });

  test("whose place Discord has yet to tell hold no one up, and keep their order", async () => {
    await using here = await started();
    const { ann, channel, discord, ingress, guild } = here;
    discord.gateway.dropEvents(1);
    const hidden = guild.thread(channel, "hidden");
    discord.inject({
      path: new RegExp(`^/channels/${hidden.id}$`),
      times: 1,
      kind: { type: "delay", ms: 2_000 },
    });
    ann.send(hidden, "one", { mentionsBot: true });
    ann.send(hidden, "two", { mentionsBot: true });
    await discord.waitFor(
      () => discord.calls.some(({ path }) => path === `/channels/${hidden.id}`),
      { what: "the question" },
    );
    const slash = ann.slash(hidden, "stop");
    await slash.acknowledged();
    await eventually(() => ingress.texts()).toEqual(["command"]);
    await eventually(() => ingress.texts()).toEqual(["command", "one", "two"]);
    ann.send(hidden, "three", { mentionsBot: true });
    await eventually(() => ingress.texts()).toEqual(["command", "one", "two", "three"]);
    expect(discord.violations).toEqual([]);
  });

  test("whose place cannot be asked for at first are not lost", async () => {
    await using here = await started();
    const { ann, channel, discord, ingress, guild, logged } = here;
    discord.gateway.dropEvents(1);
    const hidden = guild.thread(channel, "hidden");
    discord.inject({
      path: new RegExp(`^/channels/${hidden.id}$`),
      times: 2,
      kind: { type: "status", code: 503 },
    });
    ann.send(hidden, "one", { mentionsBot: true });
    ann.send(hidden, "two", { mentionsBot: true });
    await eventually(() => ingress.texts()).toEqual(["one", "two"]);
    expect(logged()).toContain("waits for Discord to report its channel");
  });

  test("typed commands are commands, answered through the outbox", async () => {
    await using here = await started();
    const { ann, channel, direct, ingress } = here;
    ann.send(direct, "/STOP  right now ");
    ann.send(direct, "/unknown thing");
    ann.send(channel, "/status", { mentionsBot: true });
    await eventually(() => ingress.arrived).toHaveLength(3);
    expect(ingress.arrived).toContainEqual(
      expect.objectContaining({
        type: "command",
        name: "stop",
        argument: "right now",
        answersItself: false,
      }),
    );
    expect(ingress.arrived).toContainEqual(
      expect.objectContaining({ type: "message", text: "/unknown thing" }),
    );
    expect(ingress.arrived).toContainEqual(
      expect.objectContaining({
        type: "command",
        name: "status",
        argument: "",
      }),
    );
  });

  test("wait in order while the store is away, other channels with them", async () => {
    await using here = await started();
    const { ann, channel, direct, ingress } = here;
    let isDown = true;
    const taken: string[] = [];
    ingress.answer = (inbound) => {
      if (isDown) throw new Error("the store is away");
      if (inbound.type === "message") taken.push(inbound.text);
      return { type: "queued" };
    };
    ann.send(direct, "one");
    ann.send(direct, "two");
    ann.send(channel, "elsewhere", { mentionsBot: true });
    await expect.poll(() => new Set(ingress.texts())).toEqual(new Set(["one", "elsewhere"]));
    isDown = false;
    await expect.poll(() => taken.toSorted()).toEqual(["elsewhere", "one", "two"]);
    expect(taken.indexOf("one")).toBeLessThan(taken.indexOf("two"));
  });

  test.each([
    ["the store", new PermanentError("never")],
    ["a fault of our own", new TypeError("x is not a function")],
  ])(
    "that %s will never take are given up, and said to be, and no one waits for them",
    async (_, never) => {
      await using here = await started();
      const { ann, direct, ingress, logged } = here;
      ingress.answer = (inbound) => {
        if (inbound.type === "message" && inbound.text === "one") throw never;
        return { type: "queued" };
      };
      const lost = ann.send(direct, "one");
      ann.send(direct, "two");
      await eventually(logged).toContain("a message was lost");
      expect(logged()).toContain(lost.id);
      await eventually(() => ingress.texts()).toEqual(["one", "two"]);
    },
  );

  test("beyond what can be kept: the oldest is given up, and the loss is counted", async () => {
    await using here = await started({ deps: { holdAtMost: 100 } });
    const { ann, direct, discord, ingress, logged } = here;
    const never = new Promise<never>(() => undefined);
    ingress.answer = () => never;
    for (let count = 0; count < 102; count += 1) ann.send(direct, `${count}`);
    // The two oldest were being taken when they had to go.
    await eventually(() => ingress.texts()).toEqual(["0", "1", "2"]);
    await eventually(logged).toContain(`"lost":2`);
    ingress.answer = () => ({ type: "queued" });
    ann.send(direct, "last");
    await eventually(() => ingress.texts().slice(2)).toEqual([
      ...Array.from({ length: 100 }, (_, index) => `${index + 2}`),
      "last",
    ]);
    expect(discord.violations).toEqual([]);
  });

  test("that no one takes do not keep the bot from closing", async () => {
    await using here = await started();
    here.ingress.answer = () => new Promise(() => undefined);
    here.ann.send(here.direct, "one");
    await eventually(() => here.ingress.arrived).toHaveLength(1);
  });

  test("are neither lost nor new after a reconnect, and keep their ids when delivered again", async () => {
    await using here = await started();
    const { ann, direct, discord, ingress } = here;
    for (const [index, interrupt] of [
      () => discord.gateway.requestReconnect(),
      () => discord.gateway.disconnectAll(1006),
      () => discord.gateway.disconnectAll(4000),
    ].entries()) {
      interrupt();
      await discord.waitFor(() => discord.gateway.connectedSessions === 0, {
        what: "disconnect",
      });
      ann.send(direct, `while away ${index}`);
      await eventually(() => ingress.texts()).toContain(`while away ${index}`);
    }
    expect(ingress.texts()).toEqual(["while away 0", "while away 1", "while away 2"]);
    const again = ann.send(direct, "again");
    discord.redeliver(again.id);
    await eventually(() => ingress.arrived).toHaveLength(5);
    expect(ingress.arrived.slice(3).map(({ id }) => id)).toEqual([`m${again.id}`, `m${again.id}`]);
    expect(discord.violations).toEqual([]);
  });
});

describe("interactions", () => {
  test("a command is acknowledged, accepted and answered for the person alone", async () => {
    await using here = await started();
    const { ann, channel, discord, ingress } = here;
    ingress.answer = () => ({
      type: "answered",
      text: "All *well*.\n".repeat(300),
      isPrivate: false,
    });
    const slash = ann.slash(channel, "stop", { reason: "enough" });
    await discord.waitFor(() => slash.responses().length >= 3, {
      what: "answer in pieces",
    });
    const answers = slash.responses();
    expect(answers.every(({ ephemeralFor }) => ephemeralFor === ann.id)).toBe(true);
    expect(
      answers
        .map(({ content }) => content)
        .join("\n")
        .replaceAll("\\", ""),
    ).toBe("All *well*.\n".repeat(300).trim());
    expect(ingress.arrived).toEqual([
      expect.objectContaining({
        type: "command",
        id: `i${slash.id}`,
        name: "stop",
        argument: "enough",
        answersItself: true,
        direct: false,
        person: {
          id: `discord:${ann.id}`,
          name: "Ann",
          username: "ann",
          language: "en-US",
        },
      }),
    ]);
    expect(discord.violations).toEqual([]);
  });

  test("/ask shows the question, and its answer can reply to that", async () => {
    await using here = await started();
    const { ann, channel, discord, ingress } = here;
    const slash = ann.slash(channel, "ask", {
      question: "Who is @everyone?\nReally?",
    });
    const shown = await slash.response("> Who is");
    expect(shown).toMatchObject({
      content: "> Who is @everyone?\n> Really?",
      ephemeralFor: undefined,
      mentions: [],
    });
    expect(ingress.arrived).toEqual([
      expect.objectContaining({
        type: "message",
        id: `i${slash.id}`,
        messageId: shown.id,
        text: "Who is @everyone?\nReally?",
      }),
    ]);
    expect(discord.violations).toEqual([]);
  });

  test.each<[string, Acceptance, string]>([
    ["with its words", { type: "refused", text: "You are not allowed." }, "You are not allowed."],
    ["without words", { type: "refused" }, "You're not allowed to do this."],
    [
      "in the bot's own words",
      { type: "answered", text: "You wrote nothing.", isPrivate: false },
      "You wrote nothing.",
    ],
  ])(
    "/ask of which no turn comes says so to the person alone, %s",
    async (_name, acceptance, text) => {
      await using here = await started();
      here.ingress.answer = () => acceptance;
      const slash = here.ann.slash(here.channel, "ask", { question: "What?" });
      expect(await slash.response()).toMatchObject({
        content: text,
        ephemeralFor: here.ann.id,
      });
      expect(slash.responses()).toHaveLength(1);
      expect(here.discord.violations).toEqual([]);
    },
  );

  test("a refusal whose request for taking the public answer back got no reply is told all the same", async () => {
    await using here = await started();
    const { ann, channel, discord, ingress } = here;
    ingress.answer = () => ({ type: "refused", text: "You are not allowed." });
    discord.inject({
      method: "DELETE",
      times: 1,
      kind: { type: "hang-up-after" },
    });
    const slash = ann.slash(channel, "retry");
    expect((await slash.response("not allowed")).ephemeralFor).toBe(ann.id);
    expect(slash.responses()).toHaveLength(1);
    expect(discord.violations).toEqual([]);
  });

  test("are acknowledged while the store hangs, and answered when it is back", async () => {
    await using here = await started({
      server: { interactionDeadlineMs: 3_000 },
    });
    const { ann, channel, direct, discord, ingress } = here;
    const store = Promise.withResolvers<Acceptance>();
    ingress.answer = () => store.promise;
    const question = ann.slash(channel, "ask", { question: "Anyone?" });
    const command = ann.slash(direct, "status");
    await Promise.all([question.acknowledged(), command.acknowledged()]);
    expect(question.responses().map(({ loading }) => loading)).toEqual([true]);
    store.resolve({ type: "queued" });
    expect((await question.response()).content).toBe("> Anyone?");
    expect(discord.violations).toEqual([]);
  });

  test("a tap is answered once, whatever the store does", async () => {
    await using here = await started();
    const { ann, channel, discord, ingress } = here;
    const buttons = [{ label: "Approve", data: "a:1" }];
    const sent = await botSays(here, "May I?", buttons);
    const store = Promise.withResolvers<Acceptance>();
    ingress.answer = () => store.promise;
    const press = ann.press(channel, sent.messageId, "Approve");
    expect(await press.acknowledged()).toMatchObject({ type: 6 });
    store.resolve({ type: "answered", text: "Approved.", isPrivate: true });
    await press.response("Approved.");
    expect(discord.calls.filter(({ path }) => path.endsWith("/callback"))).toHaveLength(1);
    expect(discord.violations).toEqual([]);
  });

  test.each<[string, Acceptance, string]>([
    [
      "an answer",
      { type: "answered", text: "All *well*.", isPrivate: false },
      String.raw`All \*well\*.`,
    ],
    ["a refusal", { type: "refused", text: "That is not allowed." }, "That is not allowed."],
    [
      "not what is private, but that it came too late",
      { type: "answered", text: "Your secrets", isPrivate: true },
      "Sorry, that took too long for me to answer you in private. Please ask again.",
    ],
  ])("whose token has run out are told %s in the channel", async (_name, acceptance, said) => {
    await using here = await started();
    const { ann, channel, discord, ingress } = here;
    const store = Promise.withResolvers<Acceptance>();
    ingress.answer = () => store.promise;
    const slash = ann.slash(channel, "status");
    await slash.acknowledged();
    await eventually(() => ingress.arrived).toHaveLength(1);
    discord.expireInteraction(slash);
    store.resolve(acceptance);
    const message = await discord.waitForMessage(channel, "");
    expect(message).toMatchObject({
      content: said,
      ephemeralFor: undefined,
      interactionId: undefined,
    });
  });

  test("a late answer that the channel does not take at once is said again, once", async () => {
    await using here = await started();
    const { ann, channel, discord, ingress } = here;
    const store = Promise.withResolvers<Acceptance>();
    ingress.answer = () => store.promise;
    const slash = ann.slash(channel, "status");
    await slash.acknowledged();
    await eventually(() => ingress.arrived).toHaveLength(1);
    discord.expireInteraction(slash);
    const path = new RegExp(`^/channels/${channel.id}/messages$`);
    const faults = [
      discord.inject({
        path,
        times: 1,
        kind: { type: "status", code: 429, retryAfterSeconds: 0.2 },
      }),
      discord.inject({ path, times: 1, kind: { type: "hang-up-after" } }),
    ];
    store.resolve({ type: "answered", text: "All well.", isPrivate: false });
    await discord.waitFor(
      () =>
        faults.every(({ used }) => used === 1) &&
        discord.calls.some(
          (call) => call.method === "POST" && path.test(call.path) && call.status === 200,
        ),
      { what: "the answer, again" },
    );
    expect(discord.messages(channel).filter(({ content }) => content === "All well.")).toHaveLength(
      1,
    );
  });

  test("a question whose token has run out is answered as ever, by its turn alone", async () => {
    await using here = await started();
    const { ann, bot, channel, discord, ingress } = here;
    const store = Promise.withResolvers<Acceptance>();
    ingress.answer = () => store.promise;
    const slash = ann.slash(channel, "ask", { question: "Still there?" });
    await slash.acknowledged();
    await eventually(() => ingress.arrived).toHaveLength(1);
    discord.expireInteraction(slash);
    store.resolve({ type: "queued" });
    const [question] = ingress.arrived;
    if (question?.type !== "message") throw new Error("no question arrived");
    await bot.sender.send(
      question.address,
      { text: "I am." },
      { nonce: "1", final: true, replyTo: question.messageId ?? "" },
    );
    await discord.waitForMessage(channel, "I am.");
    const own = discord
      .messages(channel)
      .filter(({ loading }) => !loading)
      .map(({ content }) => content);
    expect(own).toEqual(["I am."]);
  });

  test("say that they failed when the store refuses to work", async () => {
    await using here = await started();
    const { ann, channel, discord, ingress } = here;
    ingress.answer = () => {
      throw new Error("the store is away");
    };
    const slash = ann.slash(channel, "status");
    expect((await slash.response()).content).toBe(
      "Sorry, that didn't work. Please try again in a moment.",
    );
    expect(ingress.arrived.length).toBeGreaterThan(1);
    expect(discord.violations).toEqual([]);
  });

  test("an answer may have buttons, for the person alone like its words, and they can be tapped", async () => {
    await using here = await started();
    const { ann, channel, discord, ingress } = here;
    const names = Array.from({ length: 12 }, (_, index) => `tier-${index}`);
    ingress.answer = ({ type }) =>
      type === "tap"
        ? { type: "answered", text: "Your tier is now smart.", isPrivate: true }
        : {
            type: "answered",
            text: "Which one?",
            isPrivate: false,
            buttons: names.map((name) => ({
              label: name,
              data: `t:p:${name}`,
              typed: `/tier ${name}`,
            })),
          };
    const slash = ann.slash(channel, "tier", { for: "chat" });
    const shown = await slash.response("Which one?");
    expect(shown.ephemeralFor).toBe(ann.id);
    expect(
      shown.components.map(({ components }) =>
        components.map((each) => "label" in each && each.label),
      ),
    ).toEqual([names.slice(0, 5), names.slice(5, 10), names.slice(10)]);
    const press = ann.press(channel, shown.id, "tier-11");
    expect(await press.response("Your tier")).toMatchObject({
      content: "Your tier is now smart.",
      ephemeralFor: ann.id,
    });
    expect(ingress.arrived).toMatchObject([
      { type: "command", name: "tier", argument: "chat" },
      { type: "tap", data: "t:p:tier-11", messageId: shown.id, direct: false },
    ]);
    expect(discord.violations).toEqual([]);
  });

  test("the answer to a tap may have buttons, too, for the person alone", async () => {
    await using here = await started();
    const { ann, channel, discord, ingress } = here;
    ingress.answer = (inbound) => ({
      type: "answered",
      text: inbound.type === "tap" ? `Shown: ${inbound.data}.` : "Settings:",
      isPrivate: true,
      buttons: ["limits", "maxTokens"].map((name) => ({
        label: name,
        data: `st:${name}`,
        typed: `/settings ${name}`,
      })),
    });
    const shown = await ann.slash(channel, "tier").response("Settings:");
    const next = await ann.press(channel, shown.id, "limits").response("Shown: st:limits.");
    expect(next.ephemeralFor).toBe(ann.id);
    await ann.press(channel, next.id, "maxTokens").response("Shown: st:maxTokens.");
    expect(
      ingress.arrived.flatMap((each) => (each.type === "tap" ? [each.messageId] : [])),
    ).toEqual([shown.id, next.id]);
    expect(discord.violations).toEqual([]);
  });

  test("a command that starts a turn is answered for everybody, and its turn can reply to that", async () => {
    await using here = await started();
    const { ann, channel, discord, ingress } = here;
    ingress.answer = () => ({
      type: "answered",
      text: "One moment.",
      isPrivate: false,
      startsTurn: true,
    });
    const slash = ann.slash(channel, "retry");
    const shown = await slash.response("One moment.");
    expect(shown.ephemeralFor).toBeUndefined();
    expect(ingress.arrived).toMatchObject([
      { type: "command", name: "retry", messageId: shown.id },
    ]);
    ingress.answer = () => ({
      type: "answered",
      text: "What is the goal?",
      isPrivate: false,
    });
    const refused = ann.slash(channel, "retry");
    expect((await refused.response("goal")).ephemeralFor).toBe(ann.id);
    expect(refused.responses()).toHaveLength(1);
    expect(discord.violations).toEqual([]);
  });

  test("a tap changes nothing by itself, and a refusal is told to the person alone", async () => {
    await using here = await started();
    const { ann, channel, discord, ingress } = here;
    const sent = await botSays(here, "May I?", [
      { label: "Approve", data: "a:1" },
      { label: "Deny", data: "d:1" },
    ]);
    ingress.answer = () => ({ type: "refused", text: "Only Ben may decide." });
    const press = ann.press(channel, sent.messageId, "Approve");
    expect(await press.response("Only Ben")).toMatchObject({
      ephemeralFor: ann.id,
    });
    ingress.answer = () => ({ type: "refused" });
    const silent = ann.press(channel, sent.messageId, "Deny");
    expect(await silent.acknowledged()).toMatchObject({ type: 6 });
    await eventually(() => ingress.arrived).toHaveLength(2);
    expect(ingress.arrived[0]).toMatchObject({
      type: "tap",
      id: `i${press.id}`,
      data: "a:1",
      messageId: sent.messageId,
    });
    expect(discord.messages(channel).find(({ id }) => id === sent.messageId)?.editCount).toBe(0);
    expect(discord.violations).toEqual([]);
  });

  test("delivered twice keep their id, and the first answer stands", async () => {
    await using here = await started();
    const { ann, channel, discord, ingress } = here;
    const seen = new Set<string>();
    ingress.answer = ({ id }) => {
      const type = seen.has(id) ? "duplicate" : "queued";
      seen.add(id);
      return { type };
    };
    const slash = ann.slash(channel, "ask", { question: "Once?" });
    await slash.response("> Once?");
    discord.redeliver(slash.id);
    await eventually(() => ingress.arrived).toHaveLength(2);
    expect(ingress.arrived[1]).toEqual({
      ...ingress.arrived[0],
      atMs: ingress.arrived[1]?.atMs,
      // Of the queue that each of them was in.
      dropped: expect.any(AbortSignal) as AbortSignal,
      dropEarlier: expect.any(Function) as () => readonly string[],
    });
    expect(slash.responses()).toHaveLength(1);
  });

  test("that are nothing of ours are answered politely", async () => {
    await using here = await started();
    const { ann, channel, discord, ingress } = here;
    const sent = await botSays(here, "menu");
    const select = ann.select(channel, sent.messageId, {
      customId: "x",
      values: ["1"],
    });
    expect(await select.response()).toMatchObject({ ephemeralFor: ann.id });
    expect(ingress.arrived).toEqual([]);
    expect(discord.violations).toEqual([]);
  });

  test("whose acknowledgement got no reply are not lost", async () => {
    await using here = await started();
    const { ann, channel, discord, ingress } = here;
    discord.inject({
      path: /\/callback$/,
      times: 1,
      kind: { type: "hang-up-after" },
    });
    const slash = ann.slash(channel, "ask", { question: "Hello?" });
    const shown = await slash.response("> Hello?");
    expect(ingress.arrived).toEqual([expect.objectContaining({ messageId: shown.id })]);
    expect(discord.violations).toEqual([]);
  });
});

/** An event that the emulator would not send by itself. */
const dispatch = (discord: DiscordServer, name: GatewayDispatchEvents, payload: unknown) =>
  (discord.gateway as Gateway).dispatch({
    name,
    guildId: undefined,
    intents: 0,
    payload: () => payload,
  });

describe("payloads that are not as they should be", () => {
  test("are answered where they can be, and end nothing", async () => {
    await using here = await started();
    const { ann, direct, discord, ingress, logged } = here;
    const { InteractionCreate, MessageCreate, ThreadCreate } = GatewayDispatchEvents;
    const user = { id: ann.id, username: "ann" };
    // discord.js would throw on this one: no entitlements, no authorizing_integration_owners.
    const bare = {
      id: "1",
      application_id: discord.applicationId,
      token: "bare",
      type: 2,
      user,
    };
    const channel = { id: direct.id, type: 1 };
    dispatch(discord, InteractionCreate, {
      ...bare,
      channel_id: direct.id,
      channel,
      data: { name: "status" },
    });
    dispatch(discord, InteractionCreate, { ...bare, id: "2", data: null });
    dispatch(discord, InteractionCreate, { type: 2 });
    dispatch(discord, InteractionCreate, null);
    dispatch(discord, MessageCreate, { id: "3", content: 7 });
    dispatch(discord, MessageCreate, null);
    dispatch(discord, ThreadCreate, null);
    ann.send(direct, "still here");
    await eventually(() => ingress.texts()).toContain("still here");
    const answered = (id: string) =>
      discord.calls.some(({ path }) => path.startsWith(`/interactions/${id}/`));
    await discord.waitFor(() => answered("1") && answered("2"), {
      what: "two answers",
    });
    await eventually(logged).toContain("a packet of Discord's could not be handled");
  });
});
