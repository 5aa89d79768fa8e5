import { expect, it } from "vitest";
import type { TestChat } from "../support/parley/stage.ts";
import { openWorld } from "../support/parley/open-world.ts";

const world = await openWorld();
const { telegram, discord } = world;

const news = (chat: TestChat, part: string): number =>
  chat.shown().filter(({ text }) => text.includes(part)).length;

it("an owner reads on Discord once that Telegram refuses the token, and once that it works again", async () => {
  const [ada, owner, bob] = [telegram.direct("Ada"), discord.direct("Ada"), telegram.direct("Bob")];
  const settings = {
    environment: { ...world.environment, PARLEY_ADMINS: `${ada.personId},${owner.personId}` },
  };
  const parley = world.start(settings);
  await parley.ready();
  await telegram.connected();
  await discord.connected();
  for (const chat of [ada, owner]) {
    chat.say("say here I am");
    await chat.wait("here I am");
  }
  await world.delivered();
  const refused = telegram.server.inject({
    times: Infinity,
    kind: { type: "status", code: 401, description: "Unauthorized" },
  });
  // Ends the request that Telegram holds open; the answer is tried again later.
  bob.say("say hello");
  const told = await owner.wait("Telegram doesn't accept");
  expect(told.text).toMatch(
    /^I've been cut off from Telegram since 20\d\d-.* UTC \(bot telegram:\d+\)\..*\n.*\n.*@BotFather/,
  );
  refused.remove();
  await owner.wait("I'm back on Telegram after");
  await ada.wait("I'm back on Telegram after");
  expect(news(owner, "cut off")).toBe(1);
  expect(news(owner, "back on Telegram")).toBe(1);
  expect(news(ada, "cut off") + news(bob, "cut off") + news(bob, "back on")).toBe(0);
  expect(news(ada, "back on Telegram")).toBe(1);
});
