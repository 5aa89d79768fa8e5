import { afterAll, beforeAll, expect, it } from "vitest";
import { chatKey } from "../../src/core/chat.ts";
import { chatKeys, configKey } from "../../src/store/keys.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { longText, stopInTheMiddle } from "../support/parley/previews.ts";
import { openClient } from "../support/redis/test-client.ts";

const world = await openWorld();
const { model, telegram } = world;
const client = openClient(world.redis.url);
afterAll(() => client.disconnect());

const startWorker = () =>
  world.start({ environment: { ...world.services, PARLEY_ROLE: "worker" } }).ready();

beforeAll(async () => {
  const { services } = world;
  const environment = { ...services, ...telegram.environment };
  await world.start({ environment: { ...environment, PARLEY_ROLE: "bots" } }).ready();
  await telegram.connected();
});

it("a worker that is told to end hands its turns over: no one has to find them, and no one has died", async () => {
  const first = await startWorker();
  const chat = telegram.direct("Ann");
  const text = longText("handed-over-");
  const { release, preview } = await stopInTheMiddle(model, chat, text);
  await startWorker();
  // From now on no one sweeps.
  await client.hset(configKey("lease:sweeper"), {
    owner: "this test",
    until: Date.now() + 3_600_000,
  });
  const asked = model.received;
  expect(await first.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  await telegram.until(() => model.received > asked, "the next worker");
  const { state } = chatKeys(
    chatKey({
      platform: "telegram",
      bot: String(telegram.server.bot.id),
      chat: chat.personId.slice("telegram:".length),
    }),
  );
  expect(await client.hget(state, "deaths")).toBe("0");
  release();
  await chat.wait((message) => message.text === text);
  expect(chat.shown().map(({ id }) => id)).toEqual([preview.id]);
  expect(model.received).toBe(asked + 1);
});
