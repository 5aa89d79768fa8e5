import { afterAll, expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";
import type { ParleyProcess } from "../support/parley/parley-process.ts";
import { Balancer } from "../emulators/telegram/balancer.ts";
import { crowd } from "../emulators/telegram/crowd.ts";

const world = await openWorld({ redis: { appendOnly: "always" } });
const { telegram } = world;
const { server } = telegram;
const balancer = await Balancer.start();
afterAll(() => balancer[Symbol.asyncDispose]());

const posting = {
  environment: {
    ...world.services,
    ...telegram.environment,
    PARLEY_ROLE: "bots",
    PARLEY_HTTP_PORT: "0",
  },
  config: `telegram: { mode: webhook, webhook: { url: "${balancer.url}/telegram" } }`,
};

/** A process behind the balancer. */
async function startPosted(): Promise<ParleyProcess> {
  const parley = await world.start(posting).ready();
  balancer.add(await parley.httpUrl());
  return parley;
}

const { everybodySays, allAnswered } = crowd(world);

it("any number of processes take what Telegram posts, and one may die", async () => {
  everybodySays("one before anybody listens");
  await world.start({ environment: { ...world.services, PARLEY_ROLE: "worker" } }).ready();
  const first = await startPosted();
  const second = await startPosted();
  await second.waitForLog(/this one is on standby/);
  everybodySays("two to both");
  everybodySays("three to both");
  await allAnswered();
  expect(server.callsOf("setWebhook")).toHaveLength(1);
  expect(server.callsOf("getUpdates")).toEqual([]);

  everybodySays("four before the death");
  await first.kill("SIGKILL");
  everybodySays("five after the death");
  await allAnswered();

  expect(await second.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  await telegram.until(() => server.pendingUpdates.length === 0, "every update confirmed");
  expect(server.callsOf("deleteWebhook")).toEqual([]);
});
