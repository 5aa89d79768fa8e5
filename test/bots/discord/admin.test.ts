import { describe, expect, test } from "vitest";
import { adminEntries } from "../../../src/bots/discord/admin-forms.ts";
import type { InboundCommand } from "../../../src/core/inbound.ts";
import type { CommandSpec, Completion } from "../../../src/core/ports.ts";
import { DiscordServer } from "../../emulators/discord/discord-server.ts";
import { botFor, TestIngress, eventually, started } from "./harness.ts";

const argument = (name: string, more: object = {}) => ({
  name,
  description: `The ${name}`,
  required: false,
  ...more,
});

/** Out of order, as they might stand in a list of commands. */
const commands: readonly CommandSpec[] = [
  {
    name: "role",
    description: "Your role",
    arguments: [argument("person"), argument("role")],
    adminForms: [
      {
        name: "role",
        description: "Give a role",
        arguments: [
          argument("person", { kind: "person" }),
          argument("role", { choices: ["admin", "member"] }),
        ],
      },
    ],
  },
  { name: "audit", description: "Who did what", adminOnly: true },
  {
    name: "ban",
    description: "Shut somebody out",
    adminOnly: true,
    arguments: [argument("person", { kind: "person" }), argument("reason")],
  },
  {
    name: "limits",
    description: "Limits",
    arguments: [argument("action"), argument("scope")],
    adminForms: [
      {
        name: "limits-set",
        description: "Set one",
        action: "set",
        arguments: [
          argument("scope", { required: true }),
          argument("metric", { choices: ["messages", "cost"] }),
          argument("value"),
        ],
      },
      { name: "limits-reset", description: "Reset one", action: "reset" },
    ],
  },
];

const scopes: Completion = {
  offers: (command, name) => `${command} ${name}` === "limits scope",
  complete: ({ typed, given }) => Promise.resolve([`${typed} of ${given["action"] ?? "nothing"}`]),
};

const admin = (name: string) => ({ subcommand: name });

async function here() {
  return await started({ deps: { commands, completion: scopes } });
}

/** The command that arrived last, as ingress is given it. */
const lastOf = (ingress: TestIngress): InboundCommand | undefined => {
  const last = ingress.arrived.at(-1);
  return last?.type === "command" ? last : undefined;
};

describe("/admin", () => {
  test("has everything that is for admins, in one order, whatever theirs was", () => {
    expect(adminEntries(commands).map(({ form, command }) => [form.name, command.name])).toEqual([
      ["limits-set", "limits"],
      ["limits-reset", "limits"],
      ["ban", "ban"],
      ["role", "role"],
      ["audit", "audit"],
    ]);
  });

  test("is hidden by default from who does not manage the server, and what is for everybody has no options of admins", async () => {
    await using scene = await here();
    const registered = new Map(scene.discord.commands().map((each) => [each.name, each]));
    expect([...registered.keys()]).toEqual(["ask", "role", "limits", "admin", "Ask about this"]);
    expect(registered.get("role")?.options ?? []).toEqual([]);
    expect(registered.get("limits")?.options ?? []).toEqual([]);
    expect(registered.get("admin")).toMatchObject({
      default_member_permissions: "32",
      options: [
        {
          name: "limits-set",
          options: [
            { name: "scope", autocomplete: true, required: true },
            { name: "metric" },
            { name: "value" },
          ],
        },
        { name: "limits-reset" },
        { name: "ban", options: [{ name: "person", type: 6 }, {}] },
        { name: "role" },
        { name: "audit" },
      ],
    });
    expect(scene.discord.violations).toEqual([]);
  });

  test("does what its command does, with the options by name and as they would be typed, for one's own eyes", async () => {
    await using scene = await here();
    const { ann, ben, channel, ingress, guild } = scene;
    ingress.answer = () => ({
      type: "answered",
      text: "Done.",
      isPrivate: true,
    });
    const options = { value: "5usd/day", metric: "cost", scope: "chat" };
    const set = ben.slash(channel, "admin", options, admin("limits-set"));
    expect(await set.response("Done.")).toMatchObject({ ephemeralFor: ben.id });
    expect(lastOf(ingress)).toMatchObject({
      name: "limits",
      argument: "set chat cost 5usd/day",
      options: { action: "set", ...options },
      guild: guild.id,
      address: { chat: channel.id },
    });
    const person = { id: ann.id };
    const values = { person, reason: "spam, spam" };
    const ban = ben.slash(channel, "admin", values, admin("ban"));
    await ban.response("Done.");
    expect(lastOf(ingress)).toMatchObject({
      name: "ban",
      argument: `discord:${ann.id} spam, spam`,
      options: { person: `discord:${ann.id}`, reason: "spam, spam" },
      about: { id: `discord:${ann.id}`, name: "Ann", username: "ann" },
    });
    const reset = ben.slash(channel, "admin", {}, admin("limits-reset"));
    await reset.response("Done.");
    expect(lastOf(ingress)).toMatchObject({
      name: "limits",
      argument: "reset",
      options: { action: "reset" },
    });
    expect(scene.discord.violations).toEqual([]);
  });

  test("suggests what its command suggests", async () => {
    await using scene = await here();
    const { ben, channel } = scene;
    const typing = { focused: "scope", value: "pla", subcommand: "limits-set" };
    const asked = ben.autocomplete(channel, "admin", typing);
    expect(await asked.suggestions()).toEqual(["pla of set"]);
  });

  test("that is registered no more is told so", async () => {
    await using scene = await here();
    const { ben, channel, discord } = scene;
    await scene.bot[Symbol.asyncDispose]();
    // What an older process has registered stays.
    discord.inject({
      method: "PUT",
      times: 10,
      kind: { type: "status", code: 403 },
    });
    const kept = new TestIngress();
    const { bot } = botFor(discord, kept, { commands: [], completion: scopes });
    await using _ = bot;
    await bot.start();
    const asked = ben.slash(channel, "admin", {}, admin("audit"));
    expect(await asked.response()).toMatchObject({
      content: "This command is no longer available.",
    });
    expect(kept.arrived).toEqual([]);
  });
});

describe("who administers a server", () => {
  test("is known with what they tap and command, and of no one else", async () => {
    await using discord = await DiscordServer.start();
    const [owner, mod, eve] = ["olga", "mod", "eve"].map((username) => discord.user({ username }));
    if (!owner || !mod || !eve) throw new TypeError("nobody");
    const guild = discord.guild({ name: "Home", owner, members: [mod, eve] });
    const channel = guild.textChannel("general");
    const ingress = new TestIngress();
    ingress.answer = () => ({
      type: "answered",
      text: "Yes.",
      isPrivate: true,
    });
    const { bot } = botFor(discord, ingress, { commands });
    await using _ = bot;
    await bot.start();
    await discord.waitFor(() => discord.commands().length > 0, { what: "all" });
    await owner.slash(channel, "limits").response("Yes.");
    const [first] = ingress.arrived;
    expect(await first?.isGroupAdmin?.()).toBe(true);
    await eve.slash(channel, "limits").response("Yes.");
    expect(ingress.arrived[1]?.isGroupAdmin).toBeUndefined();
    await owner.slash(discord.directMessage(owner), "limits").response("Yes.");
    expect(ingress.arrived[2]?.isGroupAdmin).toBeUndefined();
  });
});

describe("a typed command about someone", () => {
  test("names who is mentioned by id, and otherwise who wrote the message that it answers", async () => {
    await using scene = await here();
    const { ann, ben, channel, ingress, discord } = scene;
    ben.send(channel, `<@${discord.botUserId}> /ban <@${ann.id}> for good`);
    await eventually(() => ingress.arrived).toHaveLength(1);
    expect(lastOf(ingress)).toMatchObject({
      name: "ban",
      argument: `discord:${ann.id} for good`,
      about: { id: `discord:${ann.id}`, name: "Ann" },
    });
    const said = ann.send(channel, "buy my things");
    ben.send(channel, `<@${discord.botUserId}> /ban spam`, {
      replyTo: said.id,
    });
    await eventually(() => ingress.arrived).toHaveLength(2);
    expect(lastOf(ingress)).toMatchObject({
      argument: "spam",
      about: { id: `discord:${ann.id}` },
    });
  });
});
