import { beforeAll, describe, expect, it } from "vitest";
import { allCommands } from "../../src/commands/all-commands.ts";
import { openWorld } from "../support/parley/open-world.ts";
import type { TestChat } from "../support/parley/stage.ts";

const world = await openWorld();
const owners: Record<string, TestChat> = {};

beforeAll(async () => {
  for (const stage of world.stages) owners[stage.name] = stage.direct("Olga");
  const admins = Object.values(owners).map(({ personId }) => personId);
  await world
    .start({
      environment: {
        ...world.environment,
        PARLEY_ACCESS: "pairing",
        PARLEY_ADMINS: admins.join(","),
      },
    })
    .ready();
  await Promise.all(world.stages.map((stage) => stage.connected()));
});

/** What is typed of each command that is for admins, on both platforms. */
const forAdmins = allCommands.flatMap(
  ({ spec }): readonly (readonly [name: string, argument: string])[] => {
    const { name, adminOnly, adminForms } = spec;
    if (adminForms !== undefined)
      return adminForms.map(({ action }) => {
        if (action === undefined) return [name, "ID member"];
        const value = action === "set" ? " 5/day" : "";
        return [name, `${action} chat messages${value}`];
      });
    const [first] = spec.arguments ?? [];
    const argument = first?.kind === "person" ? "ID" : "";
    return adminOnly === true ? [[name, first?.required ? "something" : argument]] : [];
  },
);

describe.each(world.stages)("roles on $name", (stage) => {
  const owner = () => owners[stage.name] as TestChat;

  it("a member who uses an admin's command is refused, whichever it is", async () => {
    const mia = stage.direct("Mia");
    const eve = stage.direct("Eve");
    expect(await owner().command("allow", mia.personId)).toMatch(/can use this bot now/);
    expect(forAdmins.length).toBeGreaterThan(8);
    for (const [name, argument] of forAdmins) {
      const typed = argument.replace("ID", eve.personId);
      expect([name, await mia.command(name, typed)]).toEqual([
        name,
        expect.stringMatching(/\bonly\b|not allowed/i),
      ]);
    }
    expect(await mia.command("role")).toContain("Role: member");
    expect(await eve.command("role")).toContain("Role: stranger");
  });

  it("lets everybody talk in a group that an owner let in, until one of them is banned", async () => {
    const [olga, ann, ben] = stage.groupOf([owner(), stage.direct("Ann"), stage.direct("Ben")]);
    if (!olga || !ann || !ben) throw new TypeError("three people");
    ann.say("say let me in", { mention: true });
    await ann.wait("only available");
    await olga.command("allow", "here");
    ann.say("say hello from Ann", { mention: true });
    await ann.wait("hello from Ann");
    ben.say("say hello from Ben", { mention: true });
    await ben.wait("hello from Ben");
    // In private they are strangers still.
    expect(await stage.directOf(ann).command("role")).toContain("stranger");
    expect(await owner().command("ban", ben.personId)).toMatch(/Ben .*is blocked/);
    ben.say("say I am still here", { mention: true });
    ann.say("say is Ben gone", { mention: true });
    await ann.wait("is Ben gone");
    expect(world.model.requests.map(({ lastUserText }) => lastUserText).join("\n")).not.toContain(
      "I am still here",
    );
    expect(await owner().command("unban", ben.personId)).toMatch(/no longer blocked/);
    ben.say("say back again", { mention: true });
    await ben.wait("back again");
  });

  it("makes someone an admin and ends it, at once, and no one can do that to the owner", async () => {
    const ada = stage.direct("Ada");
    const role = async (of: TestChat, given: string) =>
      await owner().command("role", `${of.personId} ${given}`);
    expect(await role(ada, "admin")).toMatch(/is now an admin/);
    expect(await ada.command("role", `${owner().personId} member`)).toMatch(/owns this bot/);
    const zoe = stage.direct("Zoe");
    expect(await ada.command("allow", zoe.personId)).toMatch(/can use this bot now/);
    zoe.say("say thank you Ada");
    await zoe.wait("thank you Ada");
    expect(await role(ada, "member")).toMatch(/is now a member/);
    expect(await ada.command("ban", zoe.personId)).toMatch(/\bonly\b|not allowed/i);
  });
});
