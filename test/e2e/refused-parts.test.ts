import { PermissionFlagsBits } from "discord-api-types/v10";
import { beforeAll, describe, expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";

const world = await openWorld();
const { telegram, discord } = world;

beforeAll(async () => {
  await world.start({ environment: world.environment, tolerates: [/^undeliverable/] }).ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

/** `npm run admin -- dead-letters`, next to the running deployment. */
async function deadLetters(): Promise<string> {
  const command = world.start({
    environment: world.environment,
    arguments: ["admin", "dead-letters"],
  });
  await command.exited;
  return command.stdout;
}

describe("Telegram", () => {
  it("keeps every part of an answer below the post that it is about", async () => {
    const anna = telegram.server.person({ firstName: "Anna" });
    const group = telegram.server.group({
      title: "Comments",
      kind: "supergroup",
      members: [anna],
    });
    const post = group.channelPost("Our new post");
    const at = `@${telegram.server.bot.username}`;
    anna.send(group, `${at} long 9000`, { replyTo: post });
    const parts = () =>
      telegram.server.botMessages(group).filter(({ text }) => /\d+ \d+ \d+/.test(text));
    await telegram.until(() => parts().length === 3, "all");
    expect(parts().map(({ raw }) => raw.message_thread_id)).toEqual(
      parts().map(() => post.messageId),
    );
    // Elsewhere only the first part answers.
    anna.send(group, `${at} long 9001`);
    await telegram.until(() => parts().length === 6, "all");
    expect(
      parts()
        .slice(4)
        .map(({ replyTo }) => replyTo),
    ).toEqual([undefined, undefined]);
  });

  it("answers in the chat of a person whose topic is gone", async () => {
    const anna = telegram.server.person({ firstName: "Anna" });
    const chat = telegram.server.privateChat(anna);
    const threadId = telegram.server.privateTopic(chat, "Tea");
    anna.send(chat, "say in the topic", { threadId });
    const has = (text: string) =>
      telegram.server.botMessages(chat).find((each) => each.text.includes(text));
    await telegram.until(() => has("in the topic") !== undefined, "an answer");
    expect(has("in the topic")?.threadId).toBe(threadId);
    telegram.server.deletePrivateTopic(chat, threadId);
    anna.send(chat, "say beside it", { threadId });
    await telegram.until(() => has("beside it") !== undefined, "an answer");
    expect(has("beside it")?.threadId).toBeUndefined();
  });

  it("tells a person in private, once, that a topic takes no messages", async () => {
    const anna = telegram.server.person({ firstName: "Anna" });
    const own = telegram.server.privateChat(anna);
    anna.send(own, "say known");
    const told = () => telegram.server.botMessages(own).map(({ text }) => text);
    await telegram.until(() => told().includes("known"), "an answer");
    const group = telegram.server.group({
      title: "Friends",
      kind: "supergroup",
      isForum: true,
      members: [anna],
    });
    const threadId = group.topic("Tea", anna);
    group.closeTopic(threadId);
    for (const word of ["one", "two"])
      anna.send(group, `@${telegram.server.bot.username} say ${word}`, { threadId });
    await telegram.until(() => told().length > 1, "a private line");
    await world.delivered();
    expect(told().slice(1)).toEqual([
      "I couldn't post my message to you in the group where you asked. The topic or thread is closed. You can ask me again here.",
    ]);
    expect(await deadLetters()).toMatch(/TOPIC_CLOSED {2}The topic or thread is closed\./);
  });
});

describe("Discord", () => {
  it("answers, and asks, where it may not read the history", async () => {
    const [ann] = discord.group("Ann");
    if (!ann) throw new Error("no one");
    discord.guildOf(ann).denyBot(ann.channel, PermissionFlagsBits.ReadMessageHistory);
    ann.say("say without a reply", { mention: true });
    await ann.wait("without a reply");
    ann.say('call write_note {"note":"tea"}', { mention: true });
    const card = await ann.wait(({ buttons }) => buttons.length > 0);
    await ann.tap(card, "Approve");
    await ann.wait("write_note said");
  });

  it("sends once more after a passing refusal with a code", async () => {
    const ben = discord.direct("Ben");
    discord.server.inject({
      method: "POST",
      path: new RegExp(`/channels/${ben.channel.id}/messages$`),
      times: 1,
      kind: {
        type: "status",
        code: 403,
        body: { code: 40_333, message: "internal network error" },
      },
    });
    ben.say("say at last");
    await ben.wait("at last");
    expect(ben.shown().filter(({ text }) => text.includes("at last"))).toHaveLength(1);
  });

  it("tells a person in private that a thread is locked, or a word blocked", async () => {
    const { inside } = discord.topic("Cleo");
    const [cleo] = inside;
    if (!cleo) throw new Error("no one");
    const own = discord.directOf(cleo);
    own.say("say known");
    await own.wait("known");
    discord.guildOf(cleo).lockThread(cleo.channel);
    cleo.say("say nowhere", { mention: true });
    await own.wait("The topic or thread is closed. You can ask me again here.");
    const [dan] = discord.group("Dan");
    if (!dan) throw new Error("no one");
    const his = discord.directOf(dan);
    his.say("say known");
    await his.wait("known");
    discord.guildOf(dan).blockWord("forbidden");
    dan.say("say a forbidden word", { mention: true });
    await his.wait("A filter of the server blocked the text.");
  });
});

describe("a card that no one can be shown", () => {
  it.each(world.stages)("ends its turn with a reason on $name", async (stage) => {
    const eve = stage.direct("Eve");
    if (stage.name === "telegram")
      telegram.server.inject({
        times: Infinity,
        match: ({ payload }) => JSON.stringify(payload).includes("unseen"),
        kind: { type: "status", code: 400, description: "Bad Request: CHAT_RESTRICTED" },
      });
    else
      discord.server.inject({
        times: Infinity,
        match: (body) => JSON.stringify(body).includes("unseen"),
        kind: { type: "status", code: 403, body: { code: 50_013, message: "Missing Permissions" } },
      });
    eve.say('call write_note {"note":"unseen"}');
    await eve.wait("nobody could be asked");
  });
});
