import { beforeAll, describe, expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";
import type { TestChat } from "../support/parley/stage.ts";

const world = await openWorld();
const { model } = world;
const admins = new Map(world.stages.map((stage) => [stage.name, stage.direct("Adam")]));
const adminOf = ({ platform }: TestChat): TestChat => {
  const admin = admins.get(platform);
  if (admin === undefined) throw new Error("no admin");
  return admin;
};

beforeAll(async () => {
  await world
    .start({
      config: "limits: { person: { messages: 100/day } }",
      environment: {
        ...world.environment,
        PARLEY_ADMINS: [...admins.values()].map(({ personId }) => personId).join(),
      },
    })
    .ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

const texts = (chat: TestChat, match: RegExp): string[] =>
  chat.shown().flatMap(({ text }) => (match.test(text) ? [text] : []));

describe.each(world.stages)("on $name", (stage) => {
  it("a limit that an admin sets in the chat holds from the next message on, and is audited", async () => {
    const ann = stage.direct("Ann");
    const adam = adminOf(ann);
    ann.say("say one");
    await ann.wait("one");
    expect(await adam.command("limits", `set ${ann.personId} messages 2/day`)).toMatch(
      /: 2 messages a day \(before: none\)\./,
    );
    ann.say("say two");
    await ann.wait("two");
    const before = model.received;
    ann.say("say three");
    ann.say("say four");
    const { text } = await ann.wait("resets");
    expect(text).toMatch(/your limit of 2 messages a day\. It resets in .*UTC/);
    expect(await ann.command("limits")).toMatch(/2 messages a day \(for you\) – used: 2, resets /);
    expect(await adam.command("audit")).toMatch(/Adam.*: .*messages 2\/day/);
    // Raised, it lets the next message through.
    expect(await adam.command("limits", `reset ${ann.personId} messages`)).toContain(
      "none (before: 2 messages a day).",
    );
    ann.say("say five");
    await ann.wait("five");
    await world.delivered();
    expect(model.received).toBe(before + 1);
    expect(texts(ann, /Please send this again then/)).toHaveLength(1);
    expect(texts(ann, /^(three|four)$/)).toEqual([]);
  });

  it("limits and usage are shown in private, and only admins change them", async () => {
    const ann = stage.direct("Ann");
    expect(await ann.command("limits", "set person messages 0/day")).toMatch(
      /\bonly\b|not allowed/i,
    );
    ann.say("say hello");
    await ann.wait("hello");
    expect(await ann.command("limits")).toMatch(/100 messages a day \(for you\) – used: 1,/);
    expect(await ann.command("usage")).toMatch(/You, today: 1 message, [1-9]/);
    expect(await adminOf(ann).command("usage")).toMatch(/Everyone, this month: [1-9]/);
  });
});
