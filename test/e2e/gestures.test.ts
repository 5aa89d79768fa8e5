import { beforeAll, describe, expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";
import { timeoutMs, type TestChat } from "../support/parley/stage.ts";

const world = await openWorld({ readsGroups: true });
const { model } = world;
const config = "discord: { messageContent: true }\n";

beforeAll(async () => {
  await world.start({ environment: world.environment, config }).ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

/** The answer to something said later: all before it was answered. */
async function answersBefore(chat: TestChat, tag: string): Promise<readonly string[]> {
  // Before that it would belong to the gesture.
  await expect.poll(() => chat.shown().length, { timeout: timeoutMs }).toBeGreaterThan(0);
  chat.say(`say ${tag} is next`);
  await chat.wait(`${tag} is next`);
  return chat
    .shown()
    .map(({ text }) => text)
    .filter((text) => text !== `${tag} is next`);
}

const requestsWith = (text: string) =>
  model.requests.filter(({ messages }) => messages.some((each) => each.text.includes(text)));

describe.each(world.stages)("a person on $name", (stage) => {
  const of = (what: string) => `${what} of ${stage.name}`;

  it("comments a forward: one answer to both, however slow the model", async () => {
    const chat = stage.direct("Ann");
    const comment = of("say one answer");
    using gate = model.hold(comment, { at: "headers" });
    chat.forward([of("The moon is made of cheese")], comment);
    await expect
      .poll(() => requestsWith(of("The moon is made of cheese")).length, { timeout: timeoutMs })
      .toBeGreaterThan(0);
    gate.release();
    expect(await answersBefore(chat, of("comment"))).toHaveLength(1);
    const [request] = requestsWith(of("The moon is made of cheese")).slice(-1);
    const words = request?.messages.map(({ text }) => text).join("\n");
    expect(words).toContain(`> ${of("The moon is made of cheese")}`);
    expect(words).toContain(stage.name === "telegram" ? "[forwarded from News;" : "[forwarded;");
  });

  it("forwards five messages and says what to do: one answer", async () => {
    const chat = stage.direct("Ann");
    const posts = ["a", "b", "c", "d", "e"].map((each) => of(`post ${each}`));
    chat.forward(posts);
    chat.say(of("say five were read"));
    await chat.wait(of("five were read"));
    expect(await answersBefore(chat, of("five"))).toEqual([of("five were read")]);
    const [request] = requestsWith(of("say five were read"));
    for (const post of posts)
      expect(request?.messages.map(({ text }) => text).join("\n")).toContain(`> ${post}`);
  });

  it("adds a forward before anything of the answer is seen: one answer to both", async () => {
    const chat = stage.direct("Ann");
    const question = of("say added in time");
    using gate = model.hold(question, { at: "headers" });
    chat.say(question);
    await gate.waitUntilHeld({ timeoutMs });
    chat.forward([of("The sun is made of gold")]);
    await expect
      .poll(() => requestsWith(of("The sun is made of gold")).length, { timeout: timeoutMs })
      .toBeGreaterThan(0);
    gate.release();
    expect(await answersBefore(chat, of("added"))).toHaveLength(1);
  });

  it("sends a poll alone: one answer to it", async () => {
    const chat = stage.direct("Ann");
    chat.poll(of("say lunch"), [of("Pizza"), of("Soup")]);
    await expect.poll(() => requestsWith(of("Pizza")).length, { timeout: timeoutMs }).toBe(1);
    expect(await answersBefore(chat, of("poll"))).toHaveLength(1);
    const [request] = requestsWith(of("Pizza"));
    const words = request?.messages.map(({ text }) => text).join("\n");
    expect(words).toContain(`- ${of("Pizza")}\n> - ${of("Soup")}`);
  });

  it.each(["before", "behind"])("sends a poll %s a question: one answer to both", async (place) => {
    const chat = stage.direct("Ann");
    const tag = of(`tea ${place}`);
    const question = `say I like ${tag}`;
    using gate = model.hold(question, { at: "headers" });
    if (place === "behind") chat.say(question);
    chat.poll(`${tag}?`, [tag]);
    if (place === "before") chat.say(question);
    await expect
      .poll(() => requestsWith(`- ${tag}`).length, { timeout: timeoutMs })
      .toBeGreaterThan(0);
    gate.release();
    expect(await answersBefore(chat, tag)).toHaveLength(1);
  });

  it("forwards next to a mention among others: one answer to both", async () => {
    const [chat] = stage.group("Ann", "Ben");
    if (chat === undefined) throw new Error("no one is in the group");
    const question = of("say true or not");
    using gate = model.hold(question, { at: "headers" });
    chat.say(question, { mention: true });
    chat.forward([of("The group's moon is made of cheese")]);
    await expect
      .poll(() => requestsWith(of("The group's moon is made of cheese")).length, {
        timeout: timeoutMs,
      })
      .toBeGreaterThan(0);
    gate.release();
    await stage.until(() => chat.shown().length > 0, "an answer");
    chat.say(of("say grouped"), { mention: true });
    await chat.wait(of("grouped"));
    expect(chat.shown()).toHaveLength(2);
  });

  it("says two things one after the other: two answers", async () => {
    const chat = stage.direct("Ann");
    chat.say(of("say hi"));
    chat.say(of("say how are you"));
    await chat.wait(of("how are you"));
    expect(chat.shown().map(({ text }) => text)).toEqual([of("hi"), of("how are you")]);
  });
});
