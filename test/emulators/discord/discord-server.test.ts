import { once } from "node:events";
import { GatewayIntentBits, RateLimitError, type Message } from "discord.js";
import { describe, expect, test } from "vitest";
import { TestClient } from "./client.ts";
import { DiscordServer } from "./discord-server.ts";
import { objectOf } from "./json.ts";
import { RawGateway } from "./raw-gateway.ts";
import { scene, onMessage } from "./scene.ts";

describe("the gateway", () => {
  test("lets the unmodified client log in and shows it its guilds", async () => {
    await using discord = await DiscordServer.start();
    const { guild, channel } = scene(discord);
    await using bot = await TestClient.start(discord);
    await discord.waitForReady();
    expect(bot.client.user?.id).toBe(discord.botUserId);
    expect(bot.client.application?.id).toBe(discord.applicationId);
    const seen = bot.client.guilds.cache.get(guild.id);
    expect(seen?.name).toBe("Home");
    expect(seen?.channels.cache.has(channel.id)).toBe(true);
    expect(seen?.members.me?.id).toBe(discord.botUserId);
    expect(discord.identifies).toBe(1);
    expect(discord.violations).toEqual([]);
  });

  test("refuses a bad token and an intent that isn't enabled", async () => {
    await using discord = await DiscordServer.start();
    await using stranger = new TestClient(discord);
    await expect(stranger.client.login("not.the.token")).rejects.toThrow(/invalid token/i);
    await using greedy = new TestClient(discord, {
      intents: [GatewayIntentBits.Guilds, GatewayIntentBits.MessageContent],
    });
    await expect(greedy.client.login(discord.token)).rejects.toThrow(/disallowed intents/i);
    expect(discord.identifies).toBe(0);
  });

  test("resumes after op 7 and after a lost line, and replays what was missed", async () => {
    await using discord = await DiscordServer.start();
    const { ann, direct } = scene(discord);
    await using bot = await TestClient.start(discord);
    const heard: string[] = [];
    onMessage(bot.client, async (message) => heard.push(message.content));
    for (const [index, interrupt] of [
      () => discord.gateway.requestReconnect(),
      () => discord.gateway.disconnectAll(1006),
      () => discord.gateway.disconnectAll(4000),
    ].entries()) {
      interrupt();
      await discord.waitFor(() => discord.gateway.connectedSessions === 0, {
        what: "disconnect",
      });
      ann.send(direct, `while away ${index}`);
      await discord.waitFor(() => discord.resumes === index + 1, {
        what: "RESUME",
      });
      await expect.poll(() => heard).toContain(`while away ${index}`);
    }
    expect(heard).toEqual(["while away 0", "while away 1", "while away 2"]);
    expect(discord.identifies).toBe(1);
    expect(discord.violations).toEqual([]);
  });

  test("op 9: true resumes on the same socket, false needs a new IDENTIFY", async () => {
    await using discord = await DiscordServer.start();
    const { ann, direct } = scene(discord);
    await using bot = await TestClient.start(discord);
    const resumed = once(bot.client, "shardResume");
    discord.gateway.invalidate(true);
    // Not just until the server has sent RESUMED: discord.js 14.28 throws when op 9 overtakes its
    // handling.
    await resumed;
    expect(discord.resumes).toBe(1);
    discord.gateway.invalidate(false);
    ann.send(direct, "lost");
    await discord.waitFor(() => discord.identifies === 2, {
      what: "second IDENTIFY",
    });
    const heard = once(bot.client, "messageCreate");
    ann.send(direct, "heard");
    const [message] = (await heard) as [Message];
    expect(message.content).toBe("heard");
  });

  test("a session that its client closed with 1000 is gone; dropped events are never seen", async () => {
    await using discord = await DiscordServer.start();
    const { ann, direct } = scene(discord);
    const first = await TestClient.start(discord);
    await first.client.destroy();
    await discord.waitFor(() => discord.gateway.connectedSessions === 0, {
      what: "disconnect",
    });
    await using second = await TestClient.start(discord);
    expect([discord.identifies, discord.resumes]).toEqual([2, 0]);
    const heard: string[] = [];
    onMessage(second.client, async (message) => heard.push(message.content));
    discord.gateway.dropEvents(1);
    ann.send(direct, "dropped");
    discord.redeliver(ann.send(direct, "twice").id);
    await expect.poll(() => heard).toEqual(["twice"]);
  });

  test("closing with 1000 ends a session, another code keeps it; nonsense is closed with its code", async () => {
    await using discord = await DiscordServer.start();
    const { ann, direct } = scene(discord);
    const address = discord.apiRoot.replace("http", "ws").replace("/api", "");
    const query = "v=10&encoding=json";
    const { token } = discord;
    const identify = { token, intents: 1 << 12, shard: [0, 1], properties: {} };
    for (const [code, answer] of [
      [4200, { op: 0, t: "RESUMED" }],
      [1000, { op: 9 }],
    ] as const) {
      const first = await RawGateway.open(`${address}?${query}`);
      first.send(2, identify);
      const { d } = await first.frame({ op: 0, t: "READY" });
      const session_id = objectOf(d)["session_id"];
      await first.close(code);
      await discord.waitFor(() => discord.gateway.connectedSessions === 0, {
        what: "disconnect",
      });
      ann.send(direct, "meanwhile");
      const second = await RawGateway.open(`${address}/resume?${query}`);
      second.send(6, { token, session_id, seq: 1 });
      const frame = await second.frame(answer);
      expect(frame["d"]).toEqual(code === 1000 ? false : { _trace: [] });
      const events = second.frames.map(({ t }) => t).filter(Boolean);
      expect(events).toEqual(code === 1000 ? [] : ["MESSAGE_CREATE", "RESUMED"]);
      await second.close(1000);
    }
    for (const [op, d, code] of [
      [2, { ...identify, token: "wrong" }, 4004],
      [2, { ...identify, intents: 1 << 15 }, 4014],
      [2, { ...identify, intents: -1 }, 4013],
      [2, { ...identify, shard: [1, 1] }, 4010],
      [3, {}, 4003],
      [99, {}, 4001],
    ] as const) {
      const raw = await RawGateway.open(`${address}?${query}`);
      const closed = raw.closed();
      raw.send(op, d);
      expect(await closed, `op ${op}`).toBe(code);
    }
    const old = await RawGateway.open(`${address}?v=9&encoding=json`);
    expect(await old.closed()).toBe(4012);
  });

  test("a client without op 11 takes its connection for dead and resumes", async () => {
    await using discord = await DiscordServer.start({
      heartbeatIntervalMs: 200,
    });
    await using bot = await TestClient.start(discord);
    const resumed = once(bot.client, "shardResume");
    discord.gateway.stopAcknowledging();
    await resumed;
    expect([discord.identifies, discord.resumes]).toEqual([1, 1]);
  });
});

describe("misbehaviour", () => {
  test("429 as Discord says it becomes a RateLimitError", async () => {
    await using discord = await DiscordServer.start({
      rateLimit: { limit: 2, windowMs: 60_000, path: /messages$/ },
    });
    const { ann } = scene(discord);
    await using bot = await TestClient.start(discord, {
      rest: { rejectOnRateLimit: () => true },
    });
    for (const content of ["one", "two"]) await bot.client.users.send(ann.id, content);
    await expect(bot.client.users.send(ann.id, "three")).rejects.toBeInstanceOf(RateLimitError);

    const injected = discord.inject({
      method: "GET",
      path: /^\/users\/@me$/,
      times: 1,
      kind: { type: "status", code: 429, retryAfterSeconds: 7, global: true },
    });
    const error: unknown = await bot.client.rest
      .get("/users/@me")
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ global: true });
    expect((error as RateLimitError).retryAfter).toBeGreaterThan(6_000);
    expect(injected.used).toBe(1);
  });

  test("an enforced bucket answers 429 to a client that does not wait", async () => {
    await using discord = await DiscordServer.start({
      rateLimit: { limit: 1, windowMs: 60_000 },
    });
    const ask = () =>
      fetch(`${discord.apiRoot}/v10/users/@me`, {
        headers: {
          authorization: `Bot ${discord.token}`,
          "user-agent": "DiscordBot (test, 1)",
        },
      });
    const first = await ask();
    const second = await ask();
    expect([first.status, first.headers.get("x-ratelimit-remaining")]).toEqual([200, "0"]);
    expect(second.status).toBe(429);
    expect(await second.json()).toMatchObject({
      global: false,
      retry_after: expect.closeTo(60, 0),
    });
  });

  test("hang-up after, hang-up before, hang, garbage, 503 and delay", async () => {
    await using discord = await DiscordServer.start();
    const { ann, direct } = scene(discord);
    await using bot = await TestClient.start(discord, {
      rest: { timeout: 300 },
    });
    const send = (content: string) => bot.client.users.send(ann.id, content);
    await send("before");
    const path = /\/messages$/;
    const after = (kind: Parameters<typeof discord.inject>[0]["kind"]) =>
      discord.inject({ path, times: 1, kind });
    after({ type: "hang-up-after" });
    await expect(send("carried out")).rejects.toThrow();
    for (const type of ["hang-up-before", "hang", "garbage"] as const) {
      after({ type });
      await expect(send(type)).rejects.toThrow();
    }
    after({ type: "status", code: 503, body: "upstream connect error" });
    await expect(send("unavailable")).rejects.toMatchObject({ status: 503 });
    after({ type: "delay", ms: 20 });
    await send("delayed");
    expect(discord.messages(direct).map((message) => message.content)).toEqual([
      "before",
      "carried out",
      "delayed",
    ]);
    expect(
      discord.calls.filter((call) => call.fault).map((call) => [call.fault, call.status]),
    ).toEqual([
      ["hang-up-after", 0],
      ["hang-up-before", 0],
      ["hang", 0],
      ["garbage", 200],
      ["status", 503],
      ["delay", 200],
    ]);
  });

  test("a wait that fails says what there was", async () => {
    await using discord = await DiscordServer.start();
    const { ann, direct } = scene(discord);
    ann.send(direct, "anybody there?");
    const waiting = discord.waitForMessage(direct, "yes", { timeoutMs: 50 });
    await expect(waiting).rejects.toThrow(
      /No message of the bot that matches yes within 50 ms[^]*anybody there/,
    );
  });
});
