import { beforeAll, describe, expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";
import { timeoutMs, type TestChat } from "../support/parley/stage.ts";

const world = await openWorld();
const { model } = world;

/** Says what it cost: `use 500` takes 500 tokens. */
model.when(/^use \d+$/, (_request, [said]) => {
  const inputTokens = Number(said.slice("use ".length));
  return { text: `${said}d`, usage: { inputTokens, outputTokens: 0 } };
});

const admins = world.stages.map((stage) => stage.direct("Adam"));

beforeAll(async () => {
  await world
    .start({
      config: `
tiers: { balanced: { models: [openai/gpt-4o-mini], maxOutputTokens: 100 } }
limits:
  person: { tokens: 1m/day }
  role: { admin: { tokens: off }, owner: { tokens: off } }
`,
      environment: {
        ...world.environment,
        PARLEY_ADMINS: admins.map(({ personId }) => personId).join(),
      },
    })
    .ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
  // A person who has written once can be told something.
  await Promise.all(
    admins.map((admin) => {
      admin.say("say here I am");
      return admin.wait("here I am");
    }),
  );
});

async function spend(chat: TestChat, tokens: number): Promise<void> {
  const before = chat.shown().length;
  chat.say(`use ${tokens}`);
  await expect
    .poll(
      () =>
        chat
          .shown()
          .slice(before)
          .some(({ text }) => text === `use ${tokens}d`),
      { timeout: timeoutMs },
    )
    .toBe(true);
}

const warnings = (chat: TestChat, about = ""): number[] =>
  chat
    .shown()
    .flatMap(({ text }) =>
      text.includes(about) ? [...text.matchAll(/(\d+)% of (?:the|your) limit/g)] : [],
    )
    .map(([, percent]) => Number(percent));

describe.each(world.stages)("on $name", (stage) => {
  it("a spent budget refuses the next message at once, with one message and no model call; others go on", async () => {
    const chat = stage.direct("Petra");
    await spend(chat, 1_000_000);
    const before = model.received;
    chat.say("say this costs money");
    const told = await chat.wait("You've reached");
    expect(told.text).toMatch(
      /^You've reached your limit of 1,000,000 tokens a day\. It resets .*\. Please send this again then\.$/,
    );
    await world.delivered();
    expect(model.received).toBe(before);
    expect(chat.shown().filter(({ text }) => /resets/.test(text))).toHaveLength(
      warnings(chat).length === 0 ? 1 : chat.shown().length - 1,
    );
    const other = stage.direct("Olaf");
    other.say("say hello");
    await other.wait("hello");
  });

  it("50, 75 and 90 % of a budget are told once each, to the person who spends and to the admins of both platforms", async () => {
    const chat = stage.direct(`Wanda${stage.name}`);
    for (const [tokens, told] of [
      [400_000, []],
      [110_000, [51]],
      [100_000, [51]],
      [150_000, [51, 76]],
      [10_000, [51, 76]],
      [140_000, [51, 76, 91]],
      [5_000, [51, 76, 91]],
    ] as const) {
      await spend(chat, tokens);
      await expect.poll(() => warnings(chat), { timeout: timeoutMs }).toEqual(told);
      for (const admin of admins)
        await expect
          .poll(() => warnings(admin, chat.personName), { timeout: timeoutMs })
          .toEqual(told);
    }
  });
});
