import { beforeAll, describe, expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";
import { timeoutMs } from "../support/parley/stage.ts";

const world = await openWorld();
const { model } = world;

beforeAll(async () => {
  await world
    .start({
      environment: world.environment,
      tolerates: [/the model failed/, /undeliverable: the platform refused it/],
    })
    .ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

describe.each(world.stages)("a person on $name", (stage) => {
  it("gets the model's text exactly, once", async () => {
    const chat = stage.direct("Ann");
    chat.say("say Good morning to you");
    await chat.wait("Good morning to you");
    chat.say("say And the next one");
    await chat.wait("And the next one");
    expect(chat.shown().map(({ text }) => text)).toEqual([
      "Good morning to you",
      "And the next one",
    ]);
  });

  it("sees a slow answer grow in one message, which ends as the model's text", async () => {
    const chat = stage.direct("Ann");
    const words = Array.from({ length: 24 }, (_, index) => `word${index}`);
    const text = words.join(" ");
    using gate = model.hold(`say ${text}`, { at: 12 });
    chat.say(`say ${text}`);
    await gate.waitUntilHeld({ timeoutMs });
    const preview = await chat.wait("word8");
    expect(text.startsWith(preview.text.replace(/[^\w]*$/, ""))).toBe(true);
    expect(preview.text).not.toContain("word20");
    gate.release();
    const final = await chat.wait((message) => message.text === text);
    expect(final.id).toBe(preview.id);
    expect(chat.shown()).toHaveLength(1);
  });

  it("edits a message before anything of its answer is seen: the new text is answered, once", async () => {
    const chat = stage.direct("Ann");
    const old = `say what was meant at first, ${stage.name}`;
    const edited = `say what is meant now, ${stage.name}`;
    using gate = model.hold(old, { at: "headers" });
    const message = chat.say(old);
    await gate.waitUntilHeld({ timeoutMs });
    chat.edit(message, edited);
    await chat.wait(edited.slice("say ".length));
    gate.release();
    chat.say("say And the next one");
    await chat.wait("And the next one");
    expect(chat.shown()).toHaveLength(2);
    const requests = model.requests.filter(({ messages }) =>
      messages.some(({ text }) => text.startsWith(edited)),
    );
    expect(requests).toHaveLength(2);
    expect(requests.at(-1)?.messages.map(({ text }) => text)).not.toContain(old);
  });

  it("edits a message whose answer is being shown: it finishes, and the next request has the new text", async () => {
    const chat = stage.direct("Ann");
    const words = Array.from({ length: 24 }, (_, index) => `word${index}`);
    const text = `${stage.name} ${words.join(" ")}`;
    using gate = model.hold(`say ${text}`, { at: 12 });
    const message = chat.say(`say ${text}`);
    await gate.waitUntilHeld({ timeoutMs });
    await chat.wait("word8");
    chat.edit(message, `say ${stage.name} something else`);
    chat.edit(message, "/stop");
    gate.release();
    await chat.wait((shown) => shown.text === text);
    chat.say("say And the next one");
    await chat.wait("And the next one");
    const request = model.requests.find(
      ({ lastUserText, messages }) =>
        lastUserText === "say And the next one" &&
        messages.some((each) => each.text.includes(text)),
    );
    expect(request?.messages.slice(-3).map((each) => each.text)).toEqual([
      text,
      `[From the platform: the message was edited; it now reads:]\nsay ${stage.name} something else`,
      "say And the next one",
    ]);
    expect(chat.shown()).toHaveLength(2);
  });

  it("sees which tool runs, and then the answer with one line that names it", async () => {
    const chat = stage.direct("Ann");
    const question = `call current_time {"timeZone":"Asia/Tokyo"}`;
    using gate = model.hold(
      ({ lastRole, lastUserText }) => lastRole === "tool" && lastUserText === question,
      { at: "headers" },
    );
    chat.say(question);
    await gate.waitUntilHeld({ timeoutMs });
    const draft = await chat.wait("✓");
    expect(draft.text).toContain("Tell the time");
    expect(draft.text).not.toContain("said:");
    gate.release();
    const answer = await chat.wait(({ text }) => text.startsWith("current_time said: "));
    expect(answer.id).toBe(draft.id);
    expect(answer.text).toMatch(/^current_time said: .*\(Asia\/Tokyo\)\n+\*?⚙ Tell the time ✓\*?$/);
    expect(chat.shown()).toHaveLength(1);
    // A reply to it quotes what the model said, and no line of ours.
    chat.say("say so it is", { replyTo: answer });
    await chat.wait("so it is");
    expect(JSON.stringify(model.requests.at(-1)?.body)).not.toContain("⚙");
  });

  it("gets one answer to a message that was delivered twice", async () => {
    const chat = stage.direct("Ann");
    const before = model.received;
    const message = chat.say("say delivered twice, said once");
    chat.redeliver(message);
    await chat.wait("delivered twice, said once");
    chat.redeliver(message);
    chat.say("say the last word");
    await chat.wait("the last word");
    expect(chat.shown().map(({ text }) => text)).toEqual([
      "delivered twice, said once",
      "the last word",
    ]);
    expect(model.received - before).toBe(2);
  });

  it("is told in words when the model fails, and can go on", async () => {
    const chat = stage.direct("Ann");
    chat.say("fail 401");
    const apology = await chat.wait("orry");
    expect(apology.text).toMatch(/sorry.*\(error [a-z2-9]{6}\)/i);
    chat.say("say well again");
    await chat.wait("well again");
    expect(chat.shown()).toHaveLength(2);
  });

  it("stops a running answer, keeps what was said, and goes on", async () => {
    const chat = stage.direct("Ann");
    const text = "say these words are the beginning of an answer without an end";
    using gate = model.hold(text, { at: 9 });
    chat.say(text);
    await gate.waitUntilHeld({ timeoutMs });
    await chat.wait("these words are the beginning");
    expect(await chat.command("stop")).toBe("Stopped.");
    await model.waitForRequest(
      ({ lastUserText, state }) => lastUserText === text && state === "aborted",
      { timeoutMs },
    );
    gate.release();
    chat.say("say something else");
    await chat.wait("something else");
    const shown = chat.shown().map((message) => message.text);
    expect(shown.filter((each) => each === "something else")).toHaveLength(1);
    expect(shown.join("\n")).toContain("these words are the beginning");
    expect(shown.join("\n")).not.toContain("without an end");
  });

  it("reads one line where nothing of the stopped answer was shown yet", async () => {
    const chat = stage.direct("Ann");
    const text = `say one two, ${stage.name}`;
    using gate = model.hold(text, { at: 2 });
    chat.say(text);
    await gate.waitUntilHeld({ timeoutMs });
    expect(await chat.command("stop")).toBe("Stopped.");
    chat.say("say something else");
    await chat.wait("something else");
    expect(chat.shown().map((message) => message.text)).toEqual([
      // On Discord it is the answer to the interaction, which only the person sees.
      ...(stage.name === "telegram" ? ["Stopped."] : []),
      "something else",
    ]);
  });

  it("starts afresh with /new", async () => {
    const chat = stage.direct("Ann");
    chat.say("say pineapple on pizza");
    await chat.wait("pineapple on pizza");
    expect(await chat.command("new")).toMatch(/New conversation/);
    chat.say("say what was that");
    await chat.wait("what was that");
    const request = model.requests.findLast(({ lastUserText }) =>
      lastUserText.includes("what was that"),
    );
    expect(JSON.stringify(request?.messages)).not.toContain("pineapple");
  });
});

describe("/ask on Discord", () => {
  it("is acknowledged at once, quotes the question, and is answered below it, in a DM and on a server", async () => {
    const { discord } = world;
    const [ann] = discord.group("Ann");
    if (!ann) throw new Error("a server");
    for (const chat of [discord.direct("Ann"), ann]) {
      const handle = chat.ask("say an answer to the question");
      await handle.acknowledged();
      const quoted = await handle.response("an answer to the question");
      const answer = await chat.wait(({ text }) => text === "an answer to the question");
      expect(answer.id).not.toBe(quoted.id);
      expect(chat.shown()).toHaveLength(2);
    }
  });
});

describe.each(world.stages)("a group on $name", (stage) => {
  it("answers mentions, replies and commands, and nothing else", async () => {
    const [ann, ben] = stage.group("Ann", "Ben");
    if (!ann || !ben) throw new Error("a group of two");
    ann.say("say this is between the two of us");
    ann.say("say hello to the group", { mention: true });
    const answer = await ann.wait("hello to the group");
    ben.say("say this too is for Ann alone");
    ben.say("say I heard you", { replyTo: answer });
    await ben.wait("I heard you");
    expect(await ann.command("status")).toContain("Nothing is running.");
    const requests = model.requests.map(({ lastUserText }) => lastUserText);
    expect(requests.join("\n")).not.toMatch(/two of us|for Ann alone/);
    expect(
      ann
        .shown()
        .map(({ text }) => text)
        .filter((text) => !text.includes("Nothing is running")),
    ).toEqual(["hello to the group", "I heard you"]);
  });

  it("says how to get a private answer where the bot may not write first", async () => {
    const [ann] = stage.group("Ann", "Ben");
    if (!ann) throw new Error("a group");
    const answer = await ann.command("usage");
    // Discord shows it to the asker alone.
    if (stage.name === "telegram")
      expect(answer).toBe(
        "I've sent you the answer privately. Nothing there? Start a chat with me first, then ask again.",
      );
    else expect(answer).toContain("\nInput tokens: 0\n");
  });

  it("keeps what is private out of the group", async () => {
    const [ann] = stage.group("Ann", "Ben");
    if (!ann) throw new Error("a group");
    const direct = stage.directOf(ann);
    await ann.command("usage");
    if (stage.name === "telegram") await direct.wait("\nInput tokens: 0\n");
    const seen = ann.shown().map(({ text }) => text);
    expect(seen.join("\n")).not.toContain("tokens");
  });
});
