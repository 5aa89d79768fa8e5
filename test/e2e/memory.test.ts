/** Real processes index, recall, keep and forget what real histories hold. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { keysWith } from "../support/erasure/occurrences.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { timeoutMs, type TestChat } from "../support/parley/stage.ts";
import { keysLike } from "../support/redis/test-client.ts";
import { openStore } from "../../src/store/redis/redis.ts";

const world = await openWorld();
const { telegram, discord, model } = world;
const store = openStore(world.redis.url, () => undefined);
const { redis } = store;
afterAll(() => redis.disconnect());

const start = () => world.start({ environment: world.environment });
let parley = start();
beforeAll(async () => {
  await parley.ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

/** A group of one. */
function inGroupOf(name: string): TestChat {
  const [chat] = telegram.group(name);
  if (chat === undefined) throw new Error("a group has someone in it");
  return chat;
}

/** What waits to be indexed, with the wake index that it is in. */
async function waiting(): Promise<readonly (readonly [wake: string, member: string])[]> {
  const wakes = await keysLike(redis, "parley:*:wake");
  const found = await Promise.all(
    wakes.map(async (wake) =>
      (await redis.zrange(wake, "0", "-1"))
        .filter((member) => member.startsWith("mem:"))
        .map((member) => [wake, member] as const),
    ),
  );
  return found.flat();
}

/** Fulfils when every turn has ended and all is delivered: then its history waits to be indexed. */
async function settled(): Promise<void> {
  await world.delivered();
  await expect.poll(() => world.owned(), { timeout: timeoutMs }).toBe(0);
}

/** The minute after the last turn is over; fulfils when all is indexed. */
async function aMinutePasses(): Promise<void> {
  await settled();
  const all = await waiting();
  expect(all).not.toEqual([]);
  for (const [wake, member] of all) await redis.zadd(wake, "XX", "1", member);
  await expect.poll(waiting, { timeout: timeoutMs }).toEqual([]);
}

async function saidBefore(chat: TestChat, sentence: string): Promise<void> {
  chat.say(`say OK. ${sentence}`, { mention: true });
  await chat.wait(({ text }) => text.startsWith("OK."));
  await settled();
  await chat.command("new");
  await aMinutePasses();
}

it("what was said before /new is recalled with its date and link, by the model and by /recall", async () => {
  const ann = inGroupOf("Ann");
  await saidBefore(ann, "The oat milk stands in the cellar.");
  ann.say('call recall {"query":"oat milk"}', { mention: true });
  const { text } = await ann.wait("recall said:");
  const day = new Date().toISOString().slice(0, 8);
  expect(text).toContain(day);
  expect(text).toMatch(/https:\/\/t\.me\/c\/\d+\/\d+/);
  expect(text).toContain("The oat milk stands in the cellar.");
  // What the model has read is the passage itself, and `/new` hides the conversation.
  const asked = JSON.stringify(model.requests.at(-1)?.body);
  expect(asked).toMatch(/https:\/\/t\.me\/c\/\d+\/\d+\\n> Ann: say OK\. The oat milk/);
  const shown = await ann.command("recall", "oat milk");
  expect(shown).toMatch(/https:\/\/t\.me\/c\/\d+\/\d+\nAnn: say OK\. The oat milk/);
});

it("in a direct chat what fits comes with the request, and the question is its last message", async () => {
  const ben = telegram.direct("Ben");
  await saidBefore(ben, "The blue bicycle is chained to the plane tree.");
  ben.say("say Where is the blue bicycle chained?");
  await ben.wait(({ text }) => text.startsWith("Where is"));
  const body = JSON.stringify(model.requests.at(-1)?.body);
  const passage = body.indexOf("> Ben: say OK. The blue bicycle");
  expect(passage).toBeGreaterThan(0);
  expect(body.indexOf("Where is the blue bicycle")).toBeGreaterThan(passage);
  // Another person's chat finds nothing of it.
  const eve = telegram.direct("Eve");
  await saidBefore(eve, "Hello.");
  expect(await eve.command("recall", "blue bicycle")).not.toContain("plane tree");
});

it("an edit of what was said before /new is recalled as it is now, and asks nothing", async () => {
  const dan = telegram.direct("Dan");
  const message = dan.say("say OK. The gold key hangs in the barn.");
  await dan.wait(({ text }) => text.startsWith("OK."));
  await settled();
  await dan.command("new");
  await aMinutePasses();
  expect(await dan.command("recall", "gold key")).toContain("barn");
  const asked = model.requests.length;
  dan.edit(message, "say OK. The gold key hangs in the attic.");
  await expect.poll(waiting, { timeout: timeoutMs }).not.toEqual([]);
  await aMinutePasses();
  const shown = await dan.command("recall", "gold key");
  expect(shown).toContain("attic");
  expect(shown).not.toMatch(/Dan: .*barn/);
  expect(model.requests).toHaveLength(asked);
});

it("a fact is kept after a tap, listed in the direct chat alone, and forgotten", async () => {
  const inGroup = inGroupOf("Cleo");
  const cleo = telegram.directOf(inGroup);
  const fact = "My sister's name is Adalind.";
  cleo.say(`call remember ${JSON.stringify({ fact, about: "me" })}`);
  const card = await cleo.wait(({ buttons }) => buttons.includes("Keep"));
  expect(card.buttons).toEqual(expect.arrayContaining(["Keep", "Don't", "Edit"]));
  expect(card.text).toContain(fact);
  await cleo.tap(card, "Keep");
  await cleo.wait("remember said:");
  expect(await cleo.command("memory")).toContain(fact);
  cleo.say("say hello");
  await cleo.wait(({ text }) => text === "hello");
  expect(JSON.stringify(model.requests.at(-1)?.body)).toContain(fact);

  expect(await inGroup.command("memory")).not.toContain("Adalind");
  inGroup.say("say hello group", { mention: true });
  await inGroup.wait(({ text }) => text === "hello group");
  expect(JSON.stringify(model.requests.at(-1)?.body)).not.toContain("Adalind");

  await settled();
  const asked = await cleo.command("forget", "me");
  const [, confirmation = ""] = /forget (\w+ yes-\d{4})/.exec(asked) ?? [];
  await cleo.command("forget", confirmation);
  await cleo.wait("Done.");
  await expect.poll(() => keysWith(store, "Adalind"), { timeout: timeoutMs }).toEqual([]);
  expect(await cleo.command("memory")).not.toContain("Adalind");
});

it("what a process that dies has not indexed is indexed by the next one, once", async () => {
  const dan = telegram.direct("Dan");
  dan.say("say OK. The spare key hangs behind the barometer.");
  await dan.wait(({ text }) => text.startsWith("OK."));
  await settled();
  await telegram.until(() => telegram.server.pendingUpdates.length === 0, "confirmed updates");
  await parley.kill("SIGKILL");
  const [, id = ""] = dan.personId.split(":");
  const windows = async () => {
    const [key] = await keysLike(redis, `parley:*:mem:telegram:*:${id}`);
    return key === undefined ? [] : (await redis.hkeys(key)).filter((name) => /^\d+$/.test(name));
  };
  expect(await windows()).toEqual([]);
  parley = start();
  await parley.ready();
  await aMinutePasses();
  expect(await windows()).toEqual(["0"]);
  const shown = await dan.command("recall", "spare key barometer");
  expect(shown.split("Dan: say OK. The spare key hangs behind the barometer.")).toHaveLength(2);
});

it("a fact card from before a restart keeps after it what it asks for", async () => {
  const gus = telegram.direct("Gus");
  const fact = "I drive a green van.";
  gus.say(`call remember ${JSON.stringify({ fact, about: "me" })}`);
  const card = await gus.wait(({ buttons }) => buttons.includes("Keep"));
  await world.delivered();
  await telegram.until(() => telegram.server.pendingUpdates.length === 0, "confirmed updates");
  await parley.kill("SIGKILL");
  parley = start();
  await parley.ready();
  await gus.tap(card, "Keep");
  await gus.wait("remember said:");
  expect((await gus.command("memory")).split(fact)).toHaveLength(2);
  expect(gus.shown().find(({ id }) => id === card.id)?.buttons).toEqual([]);
});

it("Discord's slash commands recall with a link, and list and delete facts", async () => {
  const fay = discord.server.user({ username: "fay", globalName: "Fay" });
  const guild = discord.server.guild({ name: "Friends", owner: fay });
  const channel = guild.textChannel("general");
  const shows = (text: string) =>
    discord.until(
      () => discord.server.messages(channel).some(({ content }) => content.includes(text)),
      text,
    );
  fay.send(channel, "say OK. The ladder is lent to the neighbours.", { mentionsBot: true });
  await shows("OK. The ladder");
  await settled();
  await fay.slash(channel, "new").response("", { timeoutMs });
  await aMinutePasses();
  const recalled = fay.slash(channel, "recall", { words: "ladder neighbours" });
  const { content } = await recalled.response("", { timeoutMs });
  expect(content).toMatch(/https:\/\/discord\.com\/channels\/\d+\/\d+\/\d+/);
  expect(content).toContain("The ladder is lent to the neighbours.");

  const fact = { fact: "The gate code is on the calendar.", about: "chat" };
  fay.send(channel, `call remember ${JSON.stringify(fact)}`, { mentionsBot: true });
  const card = await discord.server.waitFor(
    () =>
      discord.server
        .messages(channel)
        .find(({ content, components }) => content.includes(fact.fact) && components.length > 0),
    { what: "the fact's card", timeoutMs },
  );
  fay.press(channel, card.id, "Keep");
  await shows("remember said:");
  const list = async () =>
    (await fay.slash(channel, "memory", {}, { subcommand: "list" }).response("", { timeoutMs }))
      .content;
  const listed = await list();
  expect(listed).toContain(fact.fact);
  const [, kept = ""] = /\(([0-9a-f]{8}), /.exec(listed) ?? [];
  const removed = fay.slash(channel, "memory", { id: kept }, { subcommand: "delete" });
  expect((await removed.response("", { timeoutMs })).content).toContain(fact.fact);
  expect(await list()).not.toContain(fact.fact);
});
