import { beforeAll, describe, expect, it } from "vitest";
import { ownVersion } from "../../src/util/version.ts";
import { duplicateKeys } from "../support/parley/log-lines.ts";
import { openWorld } from "../support/parley/open-world.ts";
import type { ParleyProcess } from "../support/parley/parley-process.ts";
import type { Step } from "../emulators/model/step.ts";

const world = await openWorld();
const { model } = world;

let parley: ParleyProcess;
beforeAll(async () => {
  parley = await world
    .start({
      environment: world.environment,
      config: "turn: { deadline: 6s }\n",
      tolerates: [/the model (failed|gave an empty answer)/],
    })
    .ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

/** What the person writes, and what must stand in the one answer. */
const mistakes = {
  "arguments that are no JSON": [
    `call write_note {"note": tea}`,
    /invalid-arguments: .*valid JSON.*\{"note": tea\}/,
  ],
  "arguments of the wrong shape": [`call write_note {"text": 1}`, /invalid-arguments: [^]*note/],
  "arguments that the tool can't take": [
    `call current_time {"timeZone":"Mars/Olympus"}`,
    /invalid-arguments: .*IANA time zone/,
  ],
  "a tool that does not exist": [
    `call format_disk {}`,
    /unknown-tool: .*format_disk.*current_time/,
  ],
  "good and bad calls at once": [
    `call format_disk {} and read_notes {} and write_note {}`,
    /unknown-tool[^]*There are no notes[^]*invalid-arguments/,
  ],
} as const;

const failures: Record<string, { step: Step; sentence: RegExp }> = {
  "an empty answer": {
    step: { text: "" },
    sentence: /sorry.*no answer.*\(error [a-z2-9]{6}\)/i,
  },
  "an answer of spaces": { step: { text: "  \n " }, sentence: /sorry.*no answer/i },
  "a refused key": {
    step: { failure: { status: 401 } },
    sentence: /sorry.*my API key was rejected/i,
  },
  "a refused request": {
    step: { failure: { status: 400, message: "no" } },
    sentence: /sorry.*rejected my request/i,
  },
  "a page of a proxy": {
    step: { failure: { status: 404, body: "<html>not found</html>" } },
    sentence: /sorry/i,
  },
  "words that are no JSON": {
    step: { failure: "not-json" },
    sentence: /sorry/i,
  },
  "an empty body": { step: { failure: "empty" }, sentence: /sorry/i },
  "a server that is down": {
    step: { failure: { status: 503 } },
    sentence: /sorry, my AI model isn't answering right now.*message is saved/i,
  },
  "a stream that breaks every time": {
    step: { text: "the beginning of something", failure: "cut" },
    sentence: /sorry, my AI model isn't answering right now.*message is saved/i,
  },
};

describe.concurrent.each(world.stages)("a model on $name that gives", (stage) => {
  it.each(Object.entries(mistakes))(
    "%s is told, and the turn goes on",
    async (_name, [question, result]) => {
      const chat = stage.direct("Ann");
      chat.say(question);
      const answer = await chat.wait(({ text }) => text.includes(" said: "));
      expect(answer.text).toMatch(result);
      chat.say("say what comes next");
      await chat.wait("what comes next");
      expect(chat.shown()).toHaveLength(2);
      expect(chat.shown().flatMap(({ buttons }) => buttons)).toEqual([]);
    },
  );

  it.each(Object.entries(failures))(
    "%s leads to one sentence, and the chat goes on",
    async (name, { step, sentence }) => {
      const chat = stage.direct("Ann");
      const question = `give me ${name} on ${stage.name}`;
      model.when(question, step);
      chat.say(question);
      const answer = await chat.wait(({ text }) => /sorry/i.test(text));
      expect(answer.text).toMatch(sentence);
      chat.say("say what comes next");
      await chat.wait("what comes next");
      expect(chat.shown().map(({ text }) => text)).toEqual([answer.text, "what comes next"]);
    },
  );

  it("nothing at all is stopped by the turn's time limit", async () => {
    const chat = stage.direct("Ann");
    chat.say("hang");
    await chat.wait("time limit");
    chat.say("say what comes next");
    await chat.wait("what comes next");
    expect(chat.shown()).toHaveLength(2);
  });

  it("nothing at all is stopped by /stop", async () => {
    const chat = stage.direct("Ann");
    const question = `keep silent on ${stage.name}`;
    model.when(question, { failure: "hang-before-headers" });
    chat.say(question);
    await model.waitForRequest(({ lastUserText }) => lastUserText === question);
    expect(await chat.command("stop")).toBe("Stopped.");
    chat.say("say what comes next");
    await chat.wait("what comes next");
  });

  it("the same call for ever is stopped by the limit of model calls", async () => {
    const chat = stage.direct("Ann");
    chat.say("loop current_time {}");
    await chat.wait(({ text }) => /current_time (now|said)|limit/.test(text));
    chat.say("say what comes next");
    await chat.wait("what comes next");
  });
});

describe("messages out of the ordinary", () => {
  it("a long answer comes whole and in order", async () => {
    for (const stage of world.stages) {
      const chat = stage.direct("Ann");
      chat.say("long 5000");
      await chat.wait("1060");
      const words = chat
        .shown()
        .map(({ text }) => text.trim())
        .join(" ")
        .split(/\s+/);
      expect(chat.shown().length).toBeGreaterThan(1);
      expect(words.slice(0, 1_000)).toEqual(
        Array.from({ length: 1_000 }, (_, index) => String(index + 1)),
      );
    }
  });

  it("a turn is one line of the log, also where it fails", async () => {
    const { server } = world.telegram;
    const person = server.person({ firstName: "Ann" });
    const chat = server.privateChat(person);
    person.send(chat, "say all is well");
    await server.waitForMessage(chat, "all is well");
    model.when("fail in the log", { failure: { status: 401 } });
    person.send(chat, "fail in the log");
    const sorry = await server.waitForMessage(chat, ({ text }) => /sorry/i.test(text));
    const [, errorId] = /\(error (\w{6})\)/.exec(sorry.text) ?? [];
    expect(errorId).toBeDefined();
    const finished = () =>
      parley.log.filter(
        (line) => line.msg === "turn finished" && String(line["chat"]).endsWith(`:${chat.id}`),
      );
    await expect.poll(finished).toHaveLength(2);
    const every = {
      level: "info",
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      service: "parley",
      version: ownVersion(),
      role: "all",
      ms: expect.any(Number),
    };
    expect(finished()).toMatchObject([
      {
        ...every,
        turn: 1,
        outcome: "answered",
        model: "openai/gpt-4o-mini",
        inputTokens: expect.any(Number),
        outputTokens: expect.any(Number),
        costUsd: null,
      },
      { ...every, turn: 2, outcome: "model-failed", errorId },
    ]);
    expect(finished()[0]).not.toHaveProperty("errorId");
    expect(parley.rawLog.flatMap(duplicateKeys)).toEqual([]);
  });

  it("a long paste in Telegram is one turn", async () => {
    const { server } = world.telegram;
    const person = server.person({ firstName: "Ann" });
    const chat = server.privateChat(person);
    const text = `${"lorem ipsum ".repeat(750)}\nsay that was long`;
    person.paste(chat, text);
    await server.waitForMessage(chat, "that was long");
    expect(server.botMessages(chat).map((each) => each.text)).toEqual(["that was long"]);
  });

  it("a mention without words is answered in words", async () => {
    for (const stage of world.stages) {
      const [ann] = stage.group("Ann");
      if (!ann) throw new Error("a group");
      ann.say("", { mention: true });
      await ann.wait("What can I do for you?");
    }
  });

  it("a sticker in Telegram is answered in words", async () => {
    const { server } = world.telegram;
    const person = server.person({ firstName: "Ann" });
    const chat = server.privateChat(person);
    person.sendSticker(chat);
    const answer = await server.waitForMessage(chat, () => true);
    expect(answer.text).toMatch(/^Sorry, I can't see stickers/);
  });
});
