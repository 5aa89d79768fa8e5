import { expect, it } from "vitest";
import { expectNothingLost, sayMore, threeOfEach } from "../support/parley/in-trouble.ts";
import { openWorld } from "../support/parley/open-world.ts";

const world = await openWorld({ redis: { appendOnly: "always" } });
const { redis, telegram } = world;

const words = "written while nothing could be stored";

it("a Redis that is gone for a while costs no message, no approval and no second answer", async () => {
  const parley = world.start({
    environment: { ...world.environment, PARLEY_HTTP_PORT: "0" },
    // What can't be written meanwhile is said, and tried again.
    tolerates: [/./],
  });
  await parley.ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
  const status = async () => (await fetch(`${await parley.httpUrl()}/readyz`)).status;
  expect(await status()).toBe(200);

  const people = await threeOfEach(world);

  await redis.kill();
  await expect.poll(status).toBe(503);
  for (const each of people) sayMore(each, words);
  // Telegram keeps what has not been stored: it was delivered, and is not confirmed.
  await telegram.until(() => !telegram.server.isPolled, "no poll");
  expect(telegram.server.pendingUpdates).not.toEqual([]);
  await redis.restart();
  for (const { release } of people) release();

  await expectNothingLost(people, words);
  await expect.poll(status).toBe(200);
  await telegram.until(() => telegram.server.pendingUpdates.length === 0, "every update confirmed");
});
