import { GatewayIntentBits } from "discord.js";
import { describe, expect, test } from "vitest";
import type { Acceptance, InboundMessage } from "../../../src/core/inbound.ts";
import { eventually, started, type Started } from "./harness.ts";

/** A bot that may read everything. */
const withIntent = {
  server: { privilegedIntents: [GatewayIntentBits.MessageContent] },
  deps: { settings: { messageContent: true, shards: 1 } },
} as const;

const sayHello = async ({ bot, channel, discord }: Started, nonce: string) => {
  const address = {
    platform: "discord",
    bot: discord.botUserId,
    chat: channel.id,
  } as const;
  const options = { nonce, final: true };
  const sent = await bot.sender.send(address, { text: nonce }, options);
  if (sent.type !== "sent") throw new Error(sent.type);
  return sent.messageId;
};

describe("what a message answers", () => {
  test("is quoted, with its pictures, unless the bot has just said it", async () => {
    await using here = await started(withIntent);
    const { ann, ben, channel, discord, ingress } = here;
    const picture = {
      name: "cat.png",
      bytes: Buffer.from("a cat"),
      contentType: "image/png",
    };
    const clip = {
      name: "clip.mp4",
      bytes: Buffer.from("x"),
      contentType: "video/mp4",
    };
    const asked = ben.send(channel, "Look at my cat", {
      attachments: [picture, clip],
    });
    ann.send(channel, "whose is it?", { replyTo: asked.id, mentionsBot: true });
    ann.send(channel, "", { replyTo: asked.id, mentionsBot: true });
    const first = await sayHello(here, "an answer");
    await discord.waitForMessage(channel, "an answer");
    ann.send(channel, "really?", { replyTo: first });
    await eventually(() => ingress.texts()).toContain("really?");
    const second = await sayHello(here, "a later answer");
    ann.send(channel, "the one before?", { replyTo: first });
    ann.send(channel, "this one?", { replyTo: second });
    const addressed = () =>
      ingress.arrived.filter(
        (each): each is InboundMessage => each.type === "message" && each.isAddressed !== false,
      );
    await eventually(() => addressed()).toHaveLength(5);
    const quote = {
      author: "ben",
      text: "Look at my cat\n[file: cat.png]\n[file: clip.mp4]",
    };
    expect(addressed()).toMatchObject([
      {
        text: "whose is it?",
        quote,
        attachments: [{ kind: "image", name: "cat.png" }],
      },
      { text: "", quote, attachments: [{ name: "cat.png" }] },
      { text: "really?" },
      {
        text: "the one before?",
        quote: { author: "parley", own: true, text: "an answer" },
      },
      { text: "this one?" },
    ]);
    expect(addressed()[2]).not.toHaveProperty("quote");
    expect(addressed()[4]).not.toHaveProperty("quote");
    expect(discord.violations).toEqual([]);
  });

  test("says nothing where Discord withholds its words: no question is made up", async () => {
    await using here = await started();
    const { ann, channel, discord, ingress } = here;
    const first = await sayHello(here, "an answer");
    await discord.waitForMessage(channel, "an answer");
    ann.send(channel, "between");
    await sayHello(here, "another");
    await discord.waitForMessage(channel, "another");
    ann.send(channel, "and why?", { replyTo: first, ping: false });
    await eventually(() => ingress.texts()).toEqual([""]);
    expect(ingress.arrived[0]).not.toHaveProperty("quote");
  });

  test("is not quoted where Discord hides it", async () => {
    await using here = await started();
    const { ann, ben, channel, ingress } = here;
    const hidden = ben.send(channel, "a secret");
    ann.send(channel, "what?", { replyTo: hidden.id, mentionsBot: true });
    await eventually(() => ingress.texts()).toEqual(["what?"]);
    expect(ingress.arrived[0]).not.toHaveProperty("quote");
  });

  test("or forwards comes as another's words, also where nothing else is said", async () => {
    await using here = await started();
    const { ann, ben, channel, direct, ingress } = here;
    const original = ben.send(channel, "The meeting is at nine", {
      attachments: [{ name: "plan.txt", bytes: Buffer.from("plan") }],
    });
    ann.forward(direct, original.id);
    ann.forward(direct, ben.send(channel, "And then lunch").id);
    await eventually(() => ingress.arrived).toHaveLength(2);
    expect(ingress.arrived).toMatchObject([
      {
        text: "The meeting is at nine\n[file: plan.txt]",
        isForwarded: true,
        attachments: [{ name: "plan.txt" }],
      },
      { text: "And then lunch", isForwarded: true },
    ]);
  });
});

test("a forward on a server comes as others' words that name no bot", async () => {
  await using here = await started(withIntent);
  const { ann, ben, channel, ingress } = here;
  ingress.answer = () => ({ type: "ignored", settled: Promise.resolve() });
  const original = ben.send(channel, "The meeting is at nine");
  ann.forward(channel, original.id);
  await eventually(() => ingress.arrived).toHaveLength(2);
  expect(ingress.arrived[1]).toMatchObject({
    text: "The meeting is at nine",
    isForwarded: true,
    isAddressed: false,
    sentAtMs: expect.any(Number),
  });
});

describe("what people write to each other", () => {
  test("is not heard without the message content intent", async () => {
    await using here = await started();
    const { ann, ben, channel, direct, ingress } = here;
    ann.send(channel, "just chatting");
    ben.send(channel, "", {
      attachments: [{ name: "a.txt", bytes: Buffer.from("a") }],
    });
    ann.send(direct, "you there?");
    await eventually(() => ingress.texts()).toEqual(["you there?"]);
  });

  test("is marked as not meant for the bot with it, and only what can be taken comes along", async () => {
    await using here = await started(withIntent);
    const { ann, channel, discord, ingress, guild } = here;
    ingress.answer = () => ({ type: "ignored" });
    ann.send(channel, "/stop and other chatter", {
      attachments: [
        { name: "clip.mp4", bytes: Buffer.from("x"), contentType: "video/mp4" },
        { name: "a.txt", bytes: Buffer.from("a") },
      ],
    });
    ann.send(channel, "", {
      attachments: [{ name: "clip.mp4", bytes: Buffer.from("x"), contentType: "video/mp4" }],
    });
    discord.sendAsWebhook(channel, "hook", "from a machine");
    const robot = discord.user({ username: "robot", bot: true });
    guild.add(robot);
    robot.send(channel, `${discord.botMention} are you a bot, too?`);
    ann.send(channel, "for you", { mentionsBot: true });
    await eventually(() => ingress.texts()).toContain("for you");
    expect(ingress.arrived).toMatchObject([
      {
        type: "message",
        text: "/stop and other chatter",
        isAddressed: false,
        attachments: [{ name: "a.txt" }],
      },
      { text: "for you" },
    ]);
    expect(ingress.arrived[1]).not.toHaveProperty("isAddressed");
  });
});

test("talk among people pushes no question out while the store is away", async () => {
  await using here = await started({
    ...withIntent,
    deps: { ...withIntent.deps, holdAtMost: 3 },
  });
  const { ann, ben, channel, direct, ingress, logged } = here;
  const store = Promise.withResolvers<Acceptance>();
  ingress.answer = () => store.promise;
  const asked = [ann.send(direct, "one"), ann.send(direct, "two")];
  for (let count = 0; count < 6; count += 1) ben.send(channel, `chat ${count}`);
  await eventually(logged).toContain('"lost":3');
  store.resolve({ type: "queued" });
  await eventually(() => ingress.texts()).toContain("two");
  for (const { id } of asked) expect(logged()).not.toContain(`"id":"${id}"`);
});

describe("an edit", () => {
  test("of what someone wrote is told with its words, once", async () => {
    await using here = await started();
    const { ann, channel, direct, discord, ingress } = here;
    const sent = ann.send(direct, "one");
    const other = ann.send(channel, "chatter");
    ann.edit(sent.id, "two");
    discord.unfurl(sent.id, { title: "a preview" });
    ann.edit(other.id, "more chatter");
    const edits = () => ingress.arrived.filter(({ type }) => type === "edit");
    await eventually(() => edits()).toHaveLength(2);
    ann.edit(sent.id, "three");
    await eventually(() => edits()).toHaveLength(3);
    expect(edits()).toMatchObject([
      {
        type: "edit",
        messageId: sent.id,
        text: "two",
        direct: true,
        address: { chat: direct.id },
        person: { id: `discord:${ann.id}` },
      },
      { text: "two" },
      { text: "three" },
    ]);
    // A preview tells of the same edit again.
    expect(edits()[1]?.id).toBe(edits()[0]?.id);
    expect(edits()[2]?.id).not.toBe(edits()[0]?.id);
    expect(ingress.arrived).toHaveLength(4);
  });

  test("that is none is not told: a preview of what no one has changed", async () => {
    await using here = await started();
    const { ann, direct, discord, ingress } = here;
    const sent = ann.send(direct, "https://example.test");
    discord.unfurl(sent.id, { title: "a preview" });
    ann.send(direct, "last");
    await eventually(() => ingress.texts()).toEqual(["https://example.test", "last"]);
  });
});
