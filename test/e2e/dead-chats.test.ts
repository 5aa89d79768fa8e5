/** Where nothing can be sent any more, schedules rest, and their author learns of it in private. */
import { beforeAll, describe, expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";
import { timeoutMs, type TestChat } from "../support/parley/stage.ts";
import { keysLike, openClient } from "../support/redis/test-client.ts";

const world = await openWorld();
const { model } = world;
const owners = world.stages.map((stage) => stage.direct("Olga"));

beforeAll(async () => {
  const environment = {
    ...world.environment,
    PARLEY_ADMINS: owners.map(({ personId }) => personId).join(","),
  };
  await world
    .start({ environment, tolerates: [/^undeliverable: the platform refused it$/] })
    .ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
  for (const each of owners) {
    each.say("say hello");
    await each.wait("hello");
  }
});

const noon = `every day ${(new Date().getUTCHours() + 12) % 24}:00`;

/** Has the model plan a question, and a person approve it. @returns its id */
async function planned(chat: TestChat, text: string): Promise<string> {
  const given = { action: "create", kind: "ask", when: noon, zone: "UTC", text };
  chat.say(`call schedule ${JSON.stringify(given)}`, { mention: true });
  const card = await chat.wait(({ buttons }) => buttons.includes("Approve"));
  await chat.tap(card, "Approve");
  const { text: created } = await chat.wait(({ text: shown }) => shown.includes(`: ask "${text}"`));
  return /Created (\w{6})/.exec(created)?.[1] ?? "";
}

/** What is stored of a schedule. */
async function stored(id: string): Promise<string | undefined> {
  const client = openClient(world.redis.url);
  try {
    for (const key of await keysLike(client, "parley:*:plans:*")) {
      const json = await client.hget(key, id);
      if (json !== null) return json;
    }
    return undefined;
  } finally {
    client.disconnect();
  }
}

const withId = (id: string) => (message: { readonly text: string }) =>
  message.text.includes(`(${id})`);

describe.each(world.stages)("in $name", (stage) => {
  const owner = owners[world.stages.indexOf(stage)] as TestChat;

  it("a question in a group rests when the bot is removed, and goes on when it is added again", async () => {
    const [ann] = stage.group("Ann") as [TestChat];
    const own = stage.directOf(ann);
    own.say("say hi");
    await own.wait("hi");
    const id = await planned(ann, "say news");
    await world.delivered();
    const asked = model.requests.length;
    const before = ann.shown().length;
    ann.setBotIn(false);
    const { text } = await own.wait(withId(id));
    expect(text).toContain("say news");
    await expect.poll(() => stored(id)).toContain('"isDead":true');
    expect(await stored(id)).not.toContain('"nextMs":');

    ann.setBotIn(true);
    await expect.poll(() => stored(id), { timeout: timeoutMs }).toContain('"nextMs":');
    expect(await stored(id)).not.toContain('"isDead"');
    expect(model.requests).toHaveLength(asked);
    expect(own.shown().filter(withId(id))).toHaveLength(1);
    // Nothing but the greeting of a bot that was added.
    expect(ann.shown().length).toBeLessThanOrEqual(before + 1);
  });

  it("what is planned in a topic rests when that is deleted; its author is told once", async () => {
    const { inside } = stage.topic("Ann");
    const [ann] = inside as [TestChat];
    const own = stage.directOf(ann);
    own.say("say hi");
    await own.wait("hi");
    const id = await planned(ann, "say news");
    await ann.command("remind", "in 6s drink tea");
    ann.deleteTopic();
    await own.wait(withId(id));
    await expect.poll(() => stored(id)).toContain('"isDead":true');
    await world.delivered();
    expect(own.shown().filter(withId(id))).toHaveLength(1);
  });

  it("a private chat whose person blocks the bot rests, and the owner is told", async () => {
    const ann = stage.direct("Ann");
    const id = await planned(ann, "say news");
    await ann.command("remind", "in 6s drink tea");
    ann.block();
    const { text } = await owner.wait(({ text: shown }) => shown.includes(id));
    expect(text).not.toContain("news");
    await expect.poll(() => stored(id)).toContain('"isDead":true');
    const asked = model.requests.length;

    ann.unblock();
    ann.say("say I am back");
    await ann.wait("I am back");
    await expect.poll(() => stored(id), { timeout: timeoutMs }).toContain('"nextMs":');
    expect(model.requests).toHaveLength(asked + 1);
    expect(owner.shown().filter(({ text: shown }) => shown.includes(id))).toHaveLength(1);
  });
});
