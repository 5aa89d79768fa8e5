import { beforeAll, describe, expect, it } from "vitest";
import { openWorld } from "../support/parley/open-world.ts";
import type { TestChat } from "../support/parley/stage.ts";

const world = await openWorld();
const owners = new Map<string, TestChat>();

beforeAll(async () => {
  for (const stage of world.stages) owners.set(stage.name, stage.direct("Olga"));
  const admins = [...owners.values()].map(({ personId }) => personId);
  await world
    .start({
      environment: {
        ...world.environment,
        PARLEY_ROLE: "bots",
        PARLEY_ADMINS: admins.join(","),
      },
      config: "access: { trustGroupAdmins: true }\n",
    })
    .ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

describe.each(world.stages)("on $name", (stage) => {
  it("a group's own administrator is trusted with the group, and with nothing else", async () => {
    const owner = owners.get(stage.name);
    if (!owner) throw new TypeError("each stage has an owner");
    const people = [stage.direct("Ada"), stage.direct("Ben"), owner];
    const [ada, ben, olga] = stage.groupOf(people);
    if (!ada || !ben || !olga) throw new TypeError("three people");
    // On Telegram a command's private answer comes to the chat with the bot.
    const answer = async (chat: typeof ada, name: string, typed: string) => {
      const direct = stage.directOf(chat);
      const before = new Set(direct.shown().map(({ id }) => id));
      const said = await chat.command(name, typed);
      if (stage.name === "discord") return said;
      return (await direct.wait(({ id }) => !before.has(id))).text;
    };
    // It is hers alone until someone lets it in.
    expect(await answer(ada, "settings", "whileBusy steer")).toMatch(
      /^Only an admin can change whileBusy in a group\.$/m,
    );
    expect(await answer(olga, "allow", "here")).toMatch(
      /^Everyone in (?:this chat|"Friends") can talk to me now \(as a guest\)\.$/m,
    );
    // Who may change the group is answered in it.
    expect(await ada.command("settings", "whileBusy steer")).toContain("whileBusy is now steer");
    expect(await answer(ben, "settings", "whileBusy followup")).toMatch(
      /^Only an admin can change whileBusy in a group\.$/m,
    );
    expect(await ada.command("ban", ben.personId)).toMatch(/\bonly\b|not allowed/i);
    expect(await ada.command("pause", "all")).toMatch(/\bonly\b|not allowed/i);
  });
});
