import { beforeAll, describe, expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";

const world = await openWorld();

// Receives, decides and delivers; no one takes turns.
beforeAll(async () => {
  await world.start({ environment: { ...world.environment, PARLEY_ROLE: "bots" } }).ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

const answers = {
  start: /Ask me anything[^]*\/help/,
  help: /\/new[^]*\/stop[^]*\/usage[^]*\/help (?:command:)?all/,
  new: /New conversation/,
  stop: /Nothing is running/,
  status: /^Nothing is running\.\nModel: openai\/gpt-4o-mini\n/,
  remind: /\/remind (?:when:)?in 20m/,
  todos: /^The to-do list is empty\./,
  usage: /Answers: 0\nModel requests: 0/,
  whoami: /Name: Ann\nID: (telegram|discord):\d+\nRole: member/,
};

describe.each(world.stages)("with no worker, on $name", (stage) => {
  it.each(Object.entries(answers))("/%s is answered", async (name, answer) => {
    const ann = stage.direct("Ann");
    expect(await ann.command(name)).toMatch(answer);
  });

  it("a message is kept, counted by /status, and dropped by /stop", async () => {
    const ann = stage.direct("Ann");
    ann.say("say hello to nobody");
    ann.say("say hello again");
    await expect.poll(async () => await ann.command("status")).toContain("Messages waiting: 2");
    expect(await ann.command("stop")).toMatch(/discarded 2 waiting messages/);
  });

  it("an admin's command is refused to others", async () => {
    const ann = stage.direct("Ann");
    expect(await ann.command("allow", "ABCDEFGH")).toMatch(/\bonly\b|not allowed/i);
  });
});

describe("the menus", () => {
  it("hold every command on both platforms", () => {
    const names = Object.keys(answers);
    expect(world.telegram.server.commands()?.map(({ command }) => command)).toEqual(
      expect.arrayContaining(names),
    );
    expect(world.discord.server.commands().map(({ name }) => name)).toEqual(
      expect.arrayContaining([...names, "ask"]),
    );
  });
});
