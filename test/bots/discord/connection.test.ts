import { GatewayIntentBits } from "discord.js";
import { describe, expect, test } from "vitest";
import { botIdOf } from "../../../src/bots/discord/identity.ts";
import type { PlatformWatch } from "../../../src/core/outage.ts";
import type { CommandSpec, ReachChange } from "../../../src/core/ports.ts";
import { allCommands } from "../../../src/commands/all-commands.ts";
import { PermanentError } from "../../../src/core/errors.ts";
import { DiscordServer } from "../../emulators/discord/discord-server.ts";
import {
  botFor,
  commands,
  TestIngress,
  eventually,
  memoryRegistration,
  started,
} from "./harness.ts";

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (failure: unknown) => failure,
  );

describe("the token", () => {
  test("names the bot before it logs in", async () => {
    await using discord = await DiscordServer.start();
    expect(botIdOf(discord.token)).toBe(discord.botUserId);
    const { bot } = botFor(discord, new TestIngress());
    await using _ = bot;
    expect(bot.id).toBe(`discord:${discord.botUserId}`);
  });

  test.each(["", "nonsense", "a.b.c", "MTIz.a.b", `${"x".repeat(24)}.a`])("%j is none", (token) => {
    const attempt = () => botIdOf(token);
    expect(attempt).toThrow(PermanentError);
    expect(attempt).toThrow(/DISCORD_TOKEN/);
    if (token) expect(attempt).not.toThrow(token);
  });

  test("that Discord does not accept ends the start, unrepeated", async () => {
    await using discord = await DiscordServer.start();
    const id = discord.token.split(".")[0];
    const token = `${id}.wrong.secret-part`;
    const { bot, logged } = botFor(discord, new TestIngress(), { token });
    await using _ = bot;
    const failure = await failureOf(bot.start());
    expect(failure).toBeInstanceOf(PermanentError);
    expect(String(failure)).toMatch(/DISCORD_TOKEN is not accepted/);
    expect(String(failure) + logged()).not.toContain("secret-part");
    expect(discord.identifies).toBe(0);
  });
});

test("an intent that is not allowed is named", async () => {
  await using discord = await DiscordServer.start();
  const settings = { messageContent: true, shards: 1 };
  const { bot } = botFor(discord, new TestIngress(), { settings });
  await using _ = bot;
  const failure = await failureOf(bot.start());
  expect(failure).toBeInstanceOf(PermanentError);
  expect(String(failure)).toMatch(/message content intent/);
});

test("with the intent, messages for others are marked as such, and nothing is said to what ingress ignores", async () => {
  await using here = await started({
    server: { privilegedIntents: [GatewayIntentBits.MessageContent] },
    deps: { settings: { messageContent: true, shards: 1 } },
  });
  here.ingress.answer = (inbound) => ({
    type: "isAddressed" in inbound ? "ignored" : "queued",
  });
  here.ann.send(here.channel, "chatter");
  here.ann.send(here.channel, "for you", { mentionsBot: true });
  await eventually(() => here.ingress.texts()).toEqual(["chatter", "for you"]);
  expect(here.ingress.arrived[0]).toMatchObject({ isAddressed: false });
  expect(here.discord.messages(here.channel)).toHaveLength(2);
  expect(here.discord.violations).toEqual([]);
});

test("a start goes on trying while Discord is down", async () => {
  await using discord = await DiscordServer.start();
  discord.inject({
    path: /^\/gateway\/bot$/,
    times: 1,
    kind: { type: "status", code: 503 },
  });
  const { bot, logged } = botFor(discord, new TestIngress());
  await using _ = bot;
  await bot.start();
  expect(discord.identifies).toBe(1);
  expect(logged()).toContain("retrying");
});

test("a start that is given up does not hang", async () => {
  await using discord = await DiscordServer.start();
  discord.inject({
    path: /^\/gateway\/bot$/,
    times: 100,
    kind: { type: "status", code: 503 },
  });
  const stop = new AbortController();
  const { bot } = botFor(discord, new TestIngress(), { signal: stop.signal });
  await using _ = bot;
  const failure = failureOf(bot.start());
  await discord.waitFor(() => discord.calls.length > 0, {
    what: "first attempt",
  });
  stop.abort();
  expect(await failure).toBeDefined();
});

test("a server that the bot was added to is noticed, also before it connected and when it is added again", async () => {
  await using discord = await DiscordServer.start();
  const owner = discord.user({ username: "ben" });
  const guild = discord.guild({ name: "New", owner, withoutBot: true });
  guild.textChannel("general");
  discord.guild({ name: "Old", owner }).textChannel("general");
  guild.addBot();
  const ingress = new TestIngress();
  const { bot } = botFor(discord, ingress);
  await using _ = bot;
  await bot.start();
  const joined = () =>
    ingress.arrived.map((inbound) => (inbound.type === "join" ? inbound.title : inbound.type));
  await eventually(joined).toEqual(["New"]);
  guild.removeBot();
  guild.addBot();
  await eventually(joined).toEqual(["New", "New"]);
  expect(new Set(ingress.arrived.map(({ id }) => id)).size).toBe(2);
});

test("a server, channel or thread that is gone is reported, and a server that the bot is back on", async () => {
  await using discord = await DiscordServer.start();
  const owner = discord.user({ username: "ben" });
  const guild = discord.guild({ name: "Home", owner });
  const channel = guild.textChannel("general");
  const other = guild.textChannel("other");
  const thread = guild.thread(channel, "Tea");
  const noted: ReachChange[] = [];
  let isAway = true;
  const { bot } = botFor(discord, new TestIngress(), {
    async noteReach(change) {
      const wasAway = isAway;
      isAway = false;
      await Promise.resolve();
      if (wasAway) throw new Error("the store is away");
      noted.push(change);
    },
  });
  await using _ = bot;
  await bot.start();
  guild.removeChannel(thread);
  const gone = { bot: bot.id, isReachable: false };
  await eventually(() => noted).toEqual([{ ...gone, chats: [channel.id], thread: thread.id }]);
  guild.removeChannel(other);
  await eventually(() => noted[1]).toEqual({ ...gone, chats: [other.id] });
  guild.removeBot();
  await eventually(() => noted[2]).toMatchObject({ ...gone, guild: guild.id });
  expect(noted[2]?.chats).toContain(channel.id);
  guild.addBot();
  await eventually(() => noted[3]).toMatchObject({ guild: guild.id, isReachable: true });
  expect(noted[3]?.chats).toContain(channel.id);
});

test("a refusal of the running bot is reported, but not the end of one session", async () => {
  const reported: string[] = [];
  const watch: PlatformWatch = {
    failed: ({ kind }) => void reported.push(kind),
    served: () => void reported.push("served"),
  };
  await using here = await started({ deps: { watchOf: () => watch } });
  const { discord } = here;
  discord.gateway.disconnectAll(4004);
  await discord.waitFor(() => discord.identifies === 2, { what: "IDENTIFY" });
  await eventually(() => reported).toContain("served");
  expect(reported).not.toContain("auth");
  discord.inject({
    path: /^\/gateway\/bot$/,
    times: Infinity,
    kind: { type: "status", code: 401, body: { message: "401: Unauthorized", code: 0 } },
  });
  discord.gateway.disconnectAll(4004);
  await eventually(() => reported.at(-1)).toBe("auth");
});

test("a session that Discord ends for good is said to be lost, and begun again", async () => {
  await using here = await started();
  const { ann, direct, discord, ingress, logged } = here;
  discord.gateway.disconnectAll(4004);
  await eventually(logged).toContain("Discord ended the connection for good");
  await discord.waitFor(() => discord.identifies === 2, { what: "IDENTIFY" });
  ann.send(direct, "hello again");
  await eventually(() => ingress.texts()).toEqual(["hello again"]);
});

describe("closing", () => {
  test.each([1006, 4000, 4004])(
    "in the middle of a reconnect after %i leaves no connection behind",
    async (code) => {
      await using here = await started();
      here.discord.gateway.disconnectAll(code);
      await here.discord.waitFor(() => here.discord.gateway.connectedSessions === 0, {
        what: "disconnect",
      });
      await here.bot[Symbol.asyncDispose]();
      expect(here.discord.gateway.connectedSessions).toBe(0);
    },
  );

  test("in the middle of a login does, too", async () => {
    await using discord = await DiscordServer.start();
    const { bot } = botFor(discord, new TestIngress());
    const start = failureOf(bot.start());
    await discord.waitFor(() => discord.calls.length > 0, { what: "login" });
    await bot[Symbol.asyncDispose]();
    await start;
    expect(discord.gateway.connectedSessions).toBe(0);
  });
});

/** What is for admins alone stands below `/admin`. */
const namesInMenu = (specs: readonly CommandSpec[]): readonly string[] => [
  "ask",
  ...specs.filter(({ adminOnly }) => !adminOnly).map(({ name }) => name),
  "admin",
  "Ask about this",
];

describe("commands", () => {
  test("are registered with /ask and their options", async () => {
    await using here = await started();
    const { discord } = here;
    const byName = new Map(discord.commands().map((command) => [command["name"], command]));
    expect([...byName.keys()]).toEqual(namesInMenu(commands));
    expect(byName.get("ask")).toMatchObject({
      options: [
        { name: "question", required: true },
        { name: "file", required: false },
      ],
    });
    expect(byName.get("stop")).toMatchObject({
      options: [{ name: "reason", required: false }],
    });
    expect(byName.get("tier")).toMatchObject({
      options: [
        {
          name: "tier",
          required: false,
          choices: [
            { name: "fast", value: "fast" },
            { name: "smart", value: "smart" },
          ],
        },
        { name: "for", required: false },
      ],
    });
    expect(byName.get("admin")).toMatchObject({
      default_member_permissions: "32",
      options: [{ name: "pause", description: "Rest" }],
    });
    expect(discord.violations).toEqual([]);
  });

  test("are registered again only when they changed", async () => {
    await using discord = await DiscordServer.start();
    const registration = memoryRegistration();
    const puts = () => discord.calls.filter(({ method }) => method === "PUT").length;
    const run = async (given: typeof commands, reads: number) => {
      const { bot } = botFor(discord, new TestIngress(), {
        registration,
        commands: given,
      });
      await using _ = bot;
      await bot.start();
      await eventually(() => registration.reads).toBe(reads);
    };
    await run(commands, 1);
    await run(commands, 2);
    expect(puts()).toBe(1);
    await run(commands.slice(1), 3);
    expect(puts()).toBe(2);
    expect(discord.commands().map((command) => command["name"])).toEqual(
      namesInMenu(commands.slice(1)),
    );
  });

  test("of Parley itself are all taken by Discord, with their choices", async () => {
    const specs = allCommands.map(({ spec }) => spec);
    await using here = await started({ deps: { commands: specs } });
    const { ann, channel, discord, ingress } = here;
    expect(discord.commands().map((command) => command["name"])).toEqual(namesInMenu(specs));
    ann.slash(channel, "settings", { value: "steer", name: "whileBusy" });
    ann.slash(channel, "auto", { goal: "count to 10", turns: 3 });
    await eventually(() => ingress.arrived).toHaveLength(2);
    expect(ingress.arrived).toMatchObject([
      {
        name: "settings",
        argument: "whileBusy steer",
        options: { name: "whileBusy", value: "steer" },
      },
      { name: "auto", options: { goal: "count to 10", turns: "3" } },
    ]);
    expect(() => ann.slash(channel, "auto", { goal: "tidy up", turns: 51 })).toThrow("turns");
    expect(discord.violations).toEqual([]);
  });

  test("are registered once Discord and the store can", async () => {
    await using discord = await DiscordServer.start();
    discord.inject({
      method: "PUT",
      times: 1,
      kind: { type: "status", code: 502 },
    });
    const { bot } = botFor(discord, new TestIngress());
    await using _ = bot;
    await bot.start();
    await discord.waitFor(() => discord.commands().length > 0, {
      what: "commands",
    });
  });
});
