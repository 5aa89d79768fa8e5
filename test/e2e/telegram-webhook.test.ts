import { afterAll, expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";
import type { ParleyProcess } from "../support/parley/parley-process.ts";
import { expectAnswers } from "../support/telegram/answers.ts";
import { Balancer } from "../support/telegram/balancer.ts";

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

const chats = Array.from({ length: 6 }, (_, index) =>
  telegram.direct(`Person${index}`),
);
const said: string[] = [];

/** Everybody says the same, one message each. */
function everybodySays(text: string): void {
  said.push(text);
  for (const chat of chats) chat.say(`say ${text}`);
}

async function allAnswered(): Promise<void> {
  const last = said.at(-1) ?? "";
  await Promise.all(
    chats.map((chat) => chat.wait(({ text }) => text.startsWith(last))),
  );
  await world.delivered();
  for (const chat of chats) expectAnswers(chat, said);
}

it("any number of processes take what Telegram posts, and one may die", async () => {
  everybodySays("one before anybody listens");
  await world
    .start({ environment: { ...world.services, PARLEY_ROLE: "worker" } })
    .ready();
  const first = await startPosted();
  const second = await startPosted();
  await second.waitForLog(/this one stands by/);
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
  await telegram.until(
    () => server.pendingUpdates.length === 0,
    "every update confirmed",
  );
  expect(server.callsOf("deleteWebhook")).toEqual([]);
});
