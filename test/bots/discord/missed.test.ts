import { PermissionFlagsBits } from "discord.js";
import { describe, expect, test } from "vitest";
import type { Acceptance, Inbound } from "../../../src/core/inbound.ts";
import { createGatewaySessions } from "../../../src/store/operations/gateway-sessions.ts";
import { DiscordServer } from "../../emulators/discord/discord-server.ts";
import type { DiscordServerOptions } from "../../emulators/discord/options.ts";
import { scene } from "../../emulators/discord/scene.ts";
import { botFor, TestIngress, eventually, store } from "./harness.ts";

/** A Discord whose session starts need not wait for each other, and people on it. */
async function place(options: DiscordServerOptions = {}) {
  const discord = await DiscordServer.start(options);
  const people = scene(discord);
  const memory = createGatewaySessions(store, discord.botUserId);
  return {
    ...people,
    discord,
    /** Ids of what was accepted before. */
    seen: new Set<string>(),
    memory: { ...memory, takeIdentifySlot: () => Promise.resolve(true) },
    asked: () =>
      discord.calls.filter(({ method, path }) => method === "GET" && path.endsWith("/messages")),
    [Symbol.asyncDispose]: () => discord[Symbol.asyncDispose](),
  };
}
type Place = Awaited<ReturnType<typeof place>>;

const run = async ({ discord, memory }: Place, ingress = new TestIngress()) => {
  const { bot, logged } = botFor(discord, ingress, { memory });
  await bot.start();
  return { bot, ingress, logged, end: () => bot[Symbol.asyncDispose]() };
};

/** What has not been accepted before, as the store tells it apart: by its id. */
const news = ({ seen }: Place, ingress: TestIngress): Inbound[] => [
  ...new Map(
    ingress.arrived.filter(({ id }) => !seen.has(id)).map((inbound) => [inbound.id, inbound]),
  ).values(),
];
const newTexts = (here: Place, ingress: TestIngress) =>
  news(here, ingress).map((each) => (each.type === "message" ? each.text : ""));

/** Someone has spoken to the bot in both places, and it has ended since. */
async function visited(here: Place): Promise<void> {
  const { ingress, end } = await run(here);
  expect(here.asked()).toEqual([]);
  here.ann.send(here.direct, "hello");
  here.ann.send(here.channel, "hello", { mentionsBot: true });
  await eventually(() => ingress.texts()).toHaveLength(2);
  for (const { id } of ingress.arrived) here.seen.add(id);
  await end();
}

describe("what was written while no one listened", () => {
  test("is delivered by the session, and nothing is asked for", async () => {
    await using here = await place();
    await visited(here);
    here.ann.send(here.direct, "missed");
    const { ingress, end } = await run(here);
    await eventually(() => ingress.texts()).toEqual(["missed"]);
    expect(here.asked()).toEqual([]);
    await end();
    expect(here.discord).toMatchObject({ identifies: 1, resumes: 1 });
    expect(here.discord.violations).toEqual([]);
  });

  test("is asked for in known channels where the session is over, what is for the bot only", async () => {
    await using here = await place();
    const { ann, ben, channel, direct, discord, guild } = here;
    await visited(here);
    discord.gateway.expireDetached();
    ann.send(direct, "one");
    ann.send(channel, "chatter");
    ann.send(channel, "two", { mentionsBot: true });
    ann.send(direct, "three");
    // No one has spoken to the bot here before.
    ben.send(guild.textChannel("other"), "unheard", { mentionsBot: true });
    const { ingress, end } = await run(here);
    await eventually(() => news(here, ingress)).toHaveLength(3);
    const arrived = news(here, ingress);
    const inDirect = arrived.filter((each) => each.direct);
    expect(inDirect).toMatchObject([{ text: "one" }, { text: "three" }]);
    expect(arrived.find((each) => !each.direct)).toMatchObject({
      text: "two",
      address: { chat: channel.id },
    });
    await end();
    expect(here.discord.identifies).toBe(2);
    expect(here.discord.violations).toEqual([]);
  });

  test("goes before what is written now, in its channel", async () => {
    await using here = await place();
    const { ann, direct, discord } = here;
    await visited(here);
    discord.gateway.expireDetached();
    ann.send(direct, "missed");
    discord.inject({
      path: /messages$/,
      times: 2,
      kind: { type: "status", code: 503 },
    });
    const { ingress, end } = await run(here);
    ann.send(direct, "live");
    await eventually(() => newTexts(here, ingress)).toEqual(["missed", "live"]);
    await end();
    expect(discord.violations).toEqual([]);
  });

  test("is found behind many other messages", async () => {
    await using here = await place();
    const { ann, channel, discord } = here;
    await visited(here);
    discord.gateway.expireDetached();
    for (let count = 0; count < 150; count += 1) ann.send(channel, "chatter");
    ann.send(channel, "and you?", { mentionsBot: true });
    const { ingress, end } = await run(here);
    await eventually(() => newTexts(here, ingress)).toEqual(["and you?"]);
    await end();
  });

  test("is looked for again when the process ends before it is durable", async () => {
    await using here = await place();
    const { ann, direct, discord } = here;
    await visited(here);
    discord.gateway.expireDetached();
    ann.send(direct, "missed");
    const closed = new TestIngress();
    closed.answer = () => new Promise<Acceptance>(() => undefined);
    const first = await run(here, closed);
    await first.end();
    // Its session is resumed, and what it was looking for is not forgotten.
    const second = await run(here);
    await eventually(() => newTexts(here, second.ingress)).toEqual(["missed"]);
    await second.end();
    expect(discord).toMatchObject({ identifies: 2, resumes: 1 });
  });

  test("is looked for by who follows a process that died of the search, and a channel that no one knows is not lost", async () => {
    await using here = await place();
    const { ann, direct, discord, guild, memory } = here;
    let isDead = false;
    const mortal: Place["memory"] = {
      ...memory,
      writeSession: (...what) =>
        isDead ? new Promise(() => undefined) : memory.writeSession(...what),
    };
    await visited(here);
    discord.gateway.expireDetached();
    ann.send(direct, "missed");
    discord.inject({
      method: "GET",
      path: /messages$/,
      times: 100,
      kind: { type: "hang" },
    });
    const dying = new TestIngress();
    dying.answer = () => new Promise<Acceptance>(() => undefined);
    const first = await run({ ...here, memory: mortal }, dying);
    expect(await memory.readSession(0)).toHaveProperty("missedMs");
    // From here on it writes nothing any more.
    isDead = true;
    const unknown = guild.textChannel("other");
    ann.send(unknown, "unheard", { mentionsBot: true });
    await first.end();
    discord.clearInjections();
    const second = await run(here);
    await eventually(() => newTexts(here, second.ingress).toSorted()).toEqual([
      "missed",
      "unheard",
    ]);
    await expect.poll(() => memory.readSession(0)).not.toHaveProperty("missedMs");
    await second.end();
    expect(discord).toMatchObject({ identifies: 2, resumes: 1 });
    expect(discord.violations).toEqual([]);
  });

  test.for([
    { side: "behind", clockOffMs: -10 * 60_000 },
    { side: "ahead of", clockOffMs: 10 * 60_000 },
  ])(
    "is asked for by position where Discord's clock is 10 minutes $side Redis'",
    async ({ clockOffMs }) => {
      await using here = await place({ clockOffMs });
      const { ann, channel, direct, discord } = here;
      await visited(here);
      // Its session saw these: they are not what is missing.
      const before = await run(here);
      for (let count = 0; count < 3; count += 1) ann.send(channel, "chatter");
      const last = ann.send(channel, "the last chatter");
      await expect.poll(async () => (await here.memory.readSession(0))?.position).toBe(last.id);
      await before.end();
      discord.gateway.expireDetached();
      ann.send(direct, "one");
      ann.send(channel, "two", { mentionsBot: true });
      const { ingress, end } = await run(here);
      await eventually(() => newTexts(here, ingress).toSorted()).toEqual(["one", "two"]);
      await end();
      expect(discord).toMatchObject({ identifies: 2, resumes: 1 });
      expect(discord.violations).toEqual([]);
    },
  );

  test("is asked for from the position of the session before, which a later, quiet session keeps", async () => {
    await using here = await place({ clockOffMs: -10 * 60_000 });
    const { ann, direct, discord, memory } = here;
    await visited(here);
    const { position } = (await memory.readSession(0)) ?? {};
    expect(position).toMatch(/^\d+$/);
    discord.gateway.expireDetached();
    const quiet = await run(here);
    await expect.poll(async () => (await memory.readSession(0))?.missedMs).toBeUndefined();
    await quiet.end();
    expect(await memory.readSession(0)).toHaveProperty("position", position);
    discord.gateway.expireDetached();
    ann.send(direct, "missed");
    const { ingress, end } = await run(here);
    await eventually(() => newTexts(here, ingress)).toEqual(["missed"]);
    await end();
  });

  test("is looked for through a day where an earlier version wrote the session", async () => {
    await using here = await place({ clockOffMs: -10 * 60_000 });
    const { ann, direct, discord, memory } = here;
    await visited(here);
    const stored = await memory.readSession(0);
    // As an earlier version writes it: without a position.
    await memory.writeSession(0, {
      sessionId: stored?.sessionId ?? "",
      resumeUrl: stored?.resumeUrl ?? "",
      sequence: stored?.sequence ?? 0,
      shardCount: 1,
      fence: 1,
      ageMs: 0,
    });
    discord.gateway.expireDetached();
    ann.send(direct, "missed");
    const { ingress, end } = await run(here);
    await eventually(() => newTexts(here, ingress)).toEqual(["missed"]);
    await end();
  });

  test("is not asked for again where the bot may not read", async () => {
    await using here = await place();
    const { channel, discord, guild, memory } = here;
    await visited(here);
    discord.gateway.expireDetached();
    guild.denyBot(channel, PermissionFlagsBits.ViewChannel);
    const { end } = await run(here);
    await expect.poll(async () => (await memory.readChannels()).length).toBe(1);
    await end();
  });
});

test("an interaction amid the search does not hide from the next process what is still missed", async () => {
  await using here = await place();
  const { ann, direct, discord, memory } = here;
  await visited(here);
  discord.gateway.expireDetached();
  ann.send(direct, "missed");
  // Nothing that is asked for is told before this process ends.
  discord.inject({
    method: "GET",
    path: /messages$/,
    times: 100,
    kind: { type: "hang" },
  });
  const first = await run(here);
  await discord.waitFor(() => discord.commands().length > 0, {
    what: "commands",
  });
  const before = await memory.readChannels();
  ann.slash(direct, "status");
  await eventually(() => first.ingress.texts()).toEqual(["command"]);
  await first.end();
  expect(await memory.readChannels()).toEqual(before);
  discord.clearInjections();
  const second = await run(here);
  await eventually(() => newTexts(here, second.ingress)).toContain("missed");
  await second.end();
});

test("the stored sequence does not pass what is not durable: the next process gets it again", async () => {
  await using here = await place();
  const { ann, channel, direct, discord, memory } = here;
  const first = await run(here);
  ann.send(direct, "one");
  await eventually(() => first.ingress.texts()).toEqual(["one"]);
  first.ingress.answer = (inbound) =>
    inbound.direct ? new Promise<Acceptance>(() => undefined) : { type: "queued" };
  ann.send(direct, "two");
  ann.send(channel, "three", { mentionsBot: true });
  await eventually(() => first.ingress.texts()).toEqual(["one", "two", "three"]);
  await first.end();
  const stored = await memory.readSession(0);
  const second = await run(here);
  await eventually(() => second.ingress.texts()).toEqual(["two", "three"]);
  await second.end();
  const later = await memory.readSession(0);
  expect(later?.sessionId).toBe(stored?.sessionId);
  expect(later?.sequence).toBeGreaterThan(stored?.sequence ?? 0);
  expect(discord).toMatchObject({ identifies: 1, resumes: 1 });
  expect(discord.violations).toEqual([]);
});

test("what the store has no room for is told at once, in the channel or to the person alone", async () => {
  await using here = await place();
  const { ann, channel, direct, discord } = here;
  const { bot, ingress, end } = await run(here);
  await discord.waitFor(() => discord.commands().length > 0, {
    what: "commands",
  });
  ingress.answer = () => ({ type: "not-kept", text: "Sorry, I am full." });
  const lost = ann.send(direct, "hello");
  const said = await discord.waitForMessage(direct, "Sorry, I am full.");
  expect(said.referenceId).toBe(lost.id);
  const slash = ann.slash(channel, "ask", { question: "And here?" });
  expect(await slash.response("Sorry, I am full.")).toMatchObject({
    ephemeralFor: ann.id,
  });
  expect(bot.id).toContain("discord:");
  await end();
  expect(discord.violations).toEqual([]);
});
