import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { longText, stopInTheMiddle } from "../support/parley/previews.ts";
import { DiscordStage } from "../support/parley/discord-stage.ts";
import { openWorld } from "../support/parley/open-world.ts";
import type { TestChat } from "../support/parley/stage.ts";
import { TelegramStage } from "../support/parley/telegram-stage.ts";

const world = await openWorld();
const { model } = world;
// Platforms that only workers are told of: no one may ever call them.
const untouched = {
  telegram: await TelegramStage.start(),
  discord: await DiscordStage.start(),
};
afterAll(async () => {
  await untouched.telegram[Symbol.asyncDispose]();
  await untouched.discord[Symbol.asyncDispose]();
});

const startWorker = () =>
  world
    .start({
      environment: {
        ...world.services,
        ...untouched.telegram.environment,
        ...untouched.discord.environment,
        PARLEY_ROLE: "worker",
      },
    })
    .ready();

beforeAll(async () => {
  await world.start({ environment: { ...world.environment, PARLEY_ROLE: "bots" } }).ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

const chatCount = 40;
const messageCount = 5;

describe("two workers", () => {
  it("answer 40 chats of 5 messages in order, each message once, and never speak to a platform", async () => {
    await using first = await startWorker();
    await using second = await startWorker();
    const chats = Array.from({ length: chatCount }, (_, index) => {
      const stage = world.stages[index % world.stages.length];
      if (!stage) throw new Error("two platforms");
      return stage.direct(`Person${index}`);
    });
    const answersOf = (chat: TestChat) =>
      Array.from({ length: messageCount }, (_, index) => `${chat.personId} number ${index}`);
    const before = model.received;
    for (let index = 0; index < messageCount; index += 1)
      for (const chat of chats) chat.say(`say ${answersOf(chat)[index]}`);
    await Promise.all(chats.map((chat) => chat.wait(`number ${messageCount - 1}`)));
    for (const chat of chats) expect(chat.shown().map(({ text }) => text)).toEqual(answersOf(chat));
    expect(model.received - before).toBe(chatCount * messageCount);
    expect(untouched.telegram.server.calls).toEqual([]);
    expect(untouched.discord.server.calls).toEqual([]);
    expect(untouched.discord.server.identifies).toBe(0);
    await Promise.all([first.kill(), second.kill()]);
  });
});

describe("a worker that ends in the middle of its answers", () => {
  it.each(["SIGKILL", "SIGTERM"] as const)(
    "by %s is followed by another, who completes each once",
    async (signal) => {
      await using first = await startWorker();
      const begun = await Promise.all(
        world.stages.map(async (stage) => {
          const chat = stage.direct("Ann");
          const text = longText(`${stage.name}-${signal.toLowerCase()}-`);
          const stopped = await stopInTheMiddle(model, chat, text);
          return { chat, text, ...stopped };
        }),
      );
      await using second = await startWorker();
      for (const { chat } of begun) chat.say("say and then this");
      const exit = await first.kill(signal);
      if (signal === "SIGTERM") expect(exit).toEqual({ code: 0, signal: null });
      for (const { release } of begun) release();
      await Promise.all(
        begun.map(async ({ chat, text, preview }) => {
          await chat.wait("and then this");
          expect(chat.shown().map((message) => message.text)).toEqual([text, "and then this"]);
          expect(chat.shown()[0]?.id).toBe(preview.id);
        }),
      );
      await second.kill();
    },
  );
});
