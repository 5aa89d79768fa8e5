import { describe, expect, it } from "vitest";
import { isClosed } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { emptyDatabases } from "../support/redis/test-redis.ts";

const world = await openWorld();
// One for each test.
const databases = await emptyDatabases(world.redis, 6);

const limited = "limits: { person: { messages: 1/day } }";

const paired = (more: Readonly<Record<string, string>>, config?: string) =>
  world.start({
    ...(config === undefined ? {} : { config }),
    environment: {
      ...world.services,
      REDIS_URL: databases.pop() ?? "",
      PARLEY_ACCESS: "pairing",
      ...more,
    },
  });

/** What is not confirmed would go to the next test's bot. */
async function end(bots: ReturnType<typeof paired>): Promise<void> {
  const { server } = world.telegram;
  await world.telegram.until(() => server.pendingUpdates.length === 0, "confirmed updates");
  await bots.kill("SIGKILL");
}

/** A place that the bot is added to while it runs, as its server sees it. */
interface Added {
  texts(): readonly string[];
  isLeft(): boolean;
}

function addedOnTelegram(): Added {
  const { server } = world.telegram;
  const bob = server.person({ firstName: "Bob", username: "bob_b" });
  const group = server.group({
    title: "Team",
    kind: "supergroup",
    members: [bob],
    botStatus: "left",
  });
  group.setBotStatus("member", bob);
  return {
    texts: () => server.botMessages(group).map(({ text }) => text),
    isLeft: () => server.callsOf("leaveChat", group).length > 0,
  };
}

function addedOnDiscord(): Added {
  const { server } = world.discord;
  const bob = server.user({ username: "bob", globalName: "Bob" });
  const guild = server.guild({ name: "Team", owner: bob, withoutBot: true });
  const channel = guild.textChannel("general");
  guild.addBot();
  return {
    texts: () => server.messages(channel).map(({ content }) => content),
    isLeft: () =>
      server.calls.some(
        ({ method, path }) => method === "DELETE" && path.endsWith(`/users/@me/guilds/${guild.id}`),
      ),
  };
}

/** How many messages have a reaction of the bot's. */
const reactions = {
  telegram: () => world.telegram.server.callsOf("setMessageReaction").length,
  discord: () =>
    world.discord.server.calls.filter(
      ({ method, path, status }) =>
        method === "PUT" && path.includes("/reactions/") && status === 204,
    ).length,
};

const add = { telegram: addedOnTelegram, discord: addedOnDiscord };

describe.each(world.stages)("first contact on $name", (stage) => {
  it("says that there is no owner, prints how to become one, and shows who wrote before", async () => {
    const bots = paired(stage.environment);
    await bots.ready();
    await stage.connected();
    const [, code = ""] = /\/start ([A-Z0-9]{8})/.exec(bots.stderr) ?? [];
    const link =
      stage.name === "telegram"
        ? `https://t.me/${world.telegram.server.bot.username}?start=${code}`
        : `client_id=${world.discord.server.applicationId}&scope=bot+applications.commands&permissions=309237746688`;
    expect(bots.stderr).toContain(link);
    // A log is no place for a QR code.
    expect(bots.stderr).not.toMatch(/[█▀▄]/);
    const [adam, ann] = [stage.direct("Adam"), stage.direct("Ann")];
    ann.say("hello?");
    await ann.wait("don't have an owner yet");
    expect(await adam.command("start", "AAAAAAAA")).toContain("code isn't right");
    await adam.command("start", code);
    const card = await adam.wait(({ text, buttons }) => text.includes("Ann") && buttons.length > 0);
    await ann.wait("I've asked them to let you in");
    ann.say("are you there?");
    await ann.wait("I've asked its admin");
    await adam.tap(card, "Allow");
    await adam.wait(isClosed(card, "Adam"));
    ann.say("say hello");
    await ann.wait(({ text }) => text === "hello");
    await end(bots);
  });

  it("introduces itself to a group that it is added to, and leaves or stays as its owner says", async () => {
    const adam = stage.direct("Adam");
    const bots = paired({ ...stage.environment, PARLEY_ADMINS: adam.personId });
    await bots.ready();
    await stage.connected();
    adam.say("say I own this");
    await adam.wait("I own this");
    const one = add[stage.name]();
    const letIn = await adam.wait(
      ({ text, buttons }) => text.includes('"Team"') && buttons[0] !== undefined,
    );
    expect(letIn.buttons).toEqual(["Allow", "Leave"]);
    await stage.until(() => one.texts().length > 0, "an introduction");
    expect(one.texts()[0]?.split("\n")).toHaveLength(2);
    await adam.tap(letIn, "Allow");
    await adam.wait(isClosed(letIn, "Adam"));
    expect(one.isLeft()).toBe(false);
    const two = add[stage.name]();
    const other = await adam.wait(
      ({ id, buttons }) => id !== letIn.id && buttons.includes("Leave"),
    );
    await adam.tap(other, "Leave");
    await stage.until(() => two.isLeft(), "the bot leaves");
    await adam.wait(isClosed(other, "leave"));
    expect(one.isLeft()).toBe(false);
    await end(bots);
  });

  it("reacts to messages over a limit, after one notice", async () => {
    const ann = stage.direct("Ann");
    const bots = paired({ ...stage.environment, PARLEY_ACCESS: "open" }, limited);
    await bots.ready();
    await stage.connected();
    ann.say("say one");
    await ann.wait(({ text }) => text === "one");
    ann.say("say two");
    await ann.wait("resets");
    ann.say("say three");
    await stage.until(() => reactions[stage.name]() === 1, "a reaction");
    expect(ann.shown().filter(({ text }) => text.includes("limit"))).toHaveLength(1);
    await end(bots);
  });
});
