import { beforeAll, describe, expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";
import { timeoutMs, type TestChat } from "../support/parley/stage.ts";

const world = await openWorld();
const { model } = world;

const places = 2;
const config = `limits: { global: { turns: ${places} } }`;

const start = (role: "bots" | "worker") =>
  world
    .start({
      config,
      environment: {
        ...(role === "bots" ? world.environment : world.services),
        PARLEY_ROLE: role,
      },
    })
    .ready();

beforeAll(async () => {
  await start("bots");
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

const crowd = (count: number): readonly TestChat[] =>
  Array.from({ length: count }, (_, index) => {
    const stage = world.stages[index % world.stages.length];
    if (!stage) throw new Error("two platforms");
    return stage.direct(`Person${index}`);
  });

const notices = (chat: TestChat): number =>
  chat.shown().filter(({ text }) => text.startsWith("I'm already working on")).length;
const texts = (chat: TestChat): readonly string[] =>
  chat
    .shown()
    .map(({ text }) => text)
    .filter((text) => !text.startsWith("I'm already working on"));

const until = (read: () => unknown, wanted: unknown) =>
  expect.poll(read, { timeout: timeoutMs }).toEqual(wanted);

/** Everybody asks twice, the model stands still, and as many as may be are being answered. */
async function fill(chats: readonly TestChat[], word: string) {
  const from = model.received;
  const gate = model.hold(new RegExp(`^say ${word}`), { at: "headers" });
  for (const chat of chats) {
    chat.say(`say ${word} 1`);
    chat.say(`say ${word} 2`);
  }
  const told = () => chats.filter((chat) => notices(chat) === 1).length;
  await until(told, chats.length - places);
  await until(() => model.received - from, places);
  return gate;
}

const expectAll = (chats: readonly TestChat[], word: string) =>
  until(
    () => chats.map(texts),
    chats.map(() => [`${word} 1`, `${word} 2`]),
  );

describe("as many turns as may run at the same time, over two workers", () => {
  it("run, and the others wait for them, told once, in order, with nothing lost", async () => {
    await using first = await start("worker");
    await using second = await start("worker");
    const chats = crowd(6);
    const gate = await fill(chats, "one");
    gate.release();
    await expectAll(chats, "one");
    await world.delivered();
    for (const chat of chats) expect(notices(chat)).toBeLessThanOrEqual(2);
    expect([first.isRunning, second.isRunning]).toEqual([true, true]);
  });

  it("give their places back when their workers are killed", async () => {
    await using first = await start("worker");
    await using second = await start("worker");
    const chats = crowd(5);
    const gate = await fill(chats, "two");
    await Promise.all([first.kill(), second.kill()]);
    gate.release();
    await using third = await start("worker");
    await expectAll(chats, "two");
    await world.delivered();
    expect(third.isRunning).toBe(true);
  });
});
