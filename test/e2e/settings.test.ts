import { createServer, type Server } from "node:net";
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { DiscordServer } from "../emulators/discord/discord-server.ts";
import { openWorld } from "../support/parley/open-world.ts";
import type { ParleyOptions } from "../support/parley/parley-process.ts";
import { startTestRedis } from "../support/redis/test-redis.ts";

const world = await openWorld();
const badToken = "123456789:AAplantedplantedplantedplantedplanted";

/** Starts a process that ends by itself; returns its code and the sentence. */
async function refusal(
  options: ParleyOptions,
): Promise<{ readonly code: number | null; readonly text: string }> {
  await using parley = world.start({ mayFail: true, ...options });
  await parley.waitFor(() => !parley.isRunning, "end of the process");
  const { code } = await parley.exited;
  return { code, text: `${parley.stderr}${parley.stdout}` };
}

const settings: Record<string, ParleyOptions & { readonly sentence: RegExp }> = {
  "no token, no terminal and no pipe": {
    environment: {},
    sentence: /No one to talk to.*TELEGRAM_BOT_TOKEN.*DISCORD_TOKEN/,
  },
  "a data folder that cannot be one": {
    environment: { PARLEY_DATA: "/dev/null/data" },
    input: "pipe",
    sentence: /PARLEY_DATA is \/dev\/null\/data: expected a folder/,
  },
  "role bots without a bot": {
    environment: { PARLEY_ROLE: "bots", REDIS_URL: world.redis.url },
    sentence: /PARLEY_ROLE.*TELEGRAM_BOT_TOKEN or DISCORD_TOKEN/,
  },
  "role worker without a Redis": {
    environment: { PARLEY_ROLE: "worker" },
    sentence: /REDIS_URL/,
  },
  "a malformed Telegram token": {
    environment: { TELEGRAM_BOT_TOKEN: "planted-secret" },
    sentence: /TELEGRAM_BOT_TOKEN.*BotFather/,
  },
  "an unknown name": {
    environment: { ...world.services, PARLEY_ACESS: "open" },
    sentence: /PARLEY_ACESS.*PARLEY_ACCESS/,
  },
  "an unknown key in the file": {
    environment: world.services,
    config: "aprovals: { expiresAfter: 2s }\n",
    sentence: /aprovals.*approvals/,
  },
  "a wrong type in the file": {
    environment: world.services,
    config: "turn:\n  maxModelCalls: lots\n",
    sentence: /turn\.maxModelCalls \(parley\.yaml\) is "lots": .*whole number/,
  },
  "an unknown sub-command": {
    environment: world.services,
    arguments: ["dance"],
    sentence: /"dance"/,
  },
};

describe("the settings", () => {
  it.concurrent.each(Object.entries(settings))(
    "refuse %s",
    async (_name, { sentence, ...options }) => {
      const { code, text } = await refusal(options);
      expect(text).toMatch(sentence);
      expect(text).not.toMatch(/^\s+at .*:\d+:\d+/m);
      expect(text).not.toContain("planted");
      expect(code).toBe(2);
    },
  );
});

describe("--help and --version", () => {
  const usage = {
    "--help": /npm start[^]*npm run admin[^]*npm run trace/,
    "-h": /npm run admin/,
    "--version": /^\d+\.\d+\.\d+\n$/,
    "admin --help": /admin -- chats[^]*admin -- resume/,
    "admin --version": /^\d+\.\d+\.\d+\n$/,
    "admin import-chat --help": /--as/,
    "admin export-chat --all -h": /export-chat/,
    "trace telegram:1:2 --help": /--export <folder>/,
    "trace --version": /^\d+\.\d+\.\d+\n$/,
  };

  it.concurrent.each(Object.entries(usage))(
    "%s needs no settings and no Redis",
    async (line, shown) => {
      const parley = world.start({
        environment: { REDIS_URL: "redis://127.0.0.1:1", PARLEY_ACESS: "x" },
        config: "aprovals: {}\n",
        arguments: line.split(" "),
      });
      expect(await parley.exited).toEqual({ code: 0, signal: null });
      expect(parley.stdout).toMatch(shown);
      expect(parley.stderr).toBe("");
    },
  );

  it.concurrent("help with what does not exist is refused", async () => {
    const { code, text } = await refusal({
      environment: world.services,
      arguments: ["admin", "chatz", "--help"],
    });
    expect(text).toContain('no admin command "chatz"');
    expect(code).toBe(2);
  });
});

describe("a token that the platform refuses", () => {
  it.concurrent("is named, for Telegram", async () => {
    const { code, text } = await refusal({
      environment: {
        ...world.services,
        ...world.telegram.environment,
        TELEGRAM_BOT_TOKEN: badToken,
      },
    });
    expect(text).toMatch(/TELEGRAM_BOT_TOKEN is not accepted by Telegram/);
    expect(text).not.toMatch(/^\s+at .*:\d+:\d+/m);
    expect(code).toBe(2);
  });

  it.concurrent("is named, for Discord", async () => {
    await using other = await DiscordServer.start();
    const { code, text } = await refusal({
      environment: {
        ...world.services,
        ...world.discord.environment,
        DISCORD_TOKEN: other.token,
      },
    });
    expect(text).toMatch(/DISCORD_TOKEN is not accepted by Discord/);
    expect(text).not.toMatch(/^\s+at .*:\d+:\d+/m);
    expect(code).toBe(2);
  });
});

describe("a Redis", () => {
  it.concurrent("that does not listen yet is waited for", async () => {
    await using redis = await startTestRedis();
    await redis.kill();
    await using parley = world.start({
      environment: {
        ...world.environment,
        REDIS_URL: redis.url,
        PARLEY_ROLE: "worker",
      },
    });
    const { msg } = await parley.waitForLog(/nothing is listening there/);
    expect(msg).toContain(`127.0.0.1:${redis.port}`);
    expect(msg).toContain("Trying again");
    await redis.restart();
    await parley.ready();
    await parley.kill();
  });

  it.concurrent("that is waited for does not hold up SIGTERM", async () => {
    await using redis = await startTestRedis();
    await redis.kill();
    await using parley = world.start({
      environment: {
        ...world.environment,
        REDIS_URL: redis.url,
        PARLEY_ROLE: "worker",
      },
    });
    await parley.waitForLog(/nothing is listening there/);
    expect(await parley.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  });

  it.concurrent("that needs a password is refused without one, and with a wrong one", async () => {
    await using redis = await startTestRedis({ password: "plantedpassword" });
    const { port } = redis;
    const start = (credentials: string) =>
      refusal({
        environment: {
          ...world.environment,
          REDIS_URL: `redis://${credentials}127.0.0.1:${port}`,
        },
      });
    const [without, wrong] = await Promise.all([start(""), start(":plantedmistake@")]);
    expect(without.text).toMatch(/needs a password.*redis:\/\/:password@host/);
    expect(wrong.text).toMatch(/doesn't accept this user and password/);
    expect(`${without.text}${wrong.text}`).not.toContain("planted");
    expect([without.code, wrong.code]).toEqual([2, 2]);
  });

  it.concurrent("that evicts is refused", async () => {
    await using redis = await startTestRedis({
      args: ["--maxmemory-policy", "allkeys-lru"],
    });
    const { code, text } = await refusal({
      environment: { ...world.environment, REDIS_URL: redis.url },
    });
    expect(text).toMatch(/maxmemory-policy is allkeys-lru.*noeviction/);
    expect(text).not.toMatch(/^\s+at .*:\d+:\d+/m);
    expect(code).toBe(2);
  });

  it.concurrent("that is too old is refused", async () => {
    const server = await oldRedis("5.0.14");
    const { port } = server.address() as AddressInfo;
    const { code, text } = await refusal({
      environment: {
        ...world.environment,
        REDIS_URL: `redis://127.0.0.1:${port}`,
      },
    });
    server.close();
    expect(text).toMatch(/version 5\.0\.14, but Parley needs Redis 6\.2/);
    expect(code).toBe(2);
  });
});

describe("the port of the probes", () => {
  it.concurrent("is named when someone else has it", async () => {
    const other = createHttpServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { code, text } = await refusal({
      environment: {
        ...world.services,
        PARLEY_ROLE: "worker",
        PARLEY_HTTP_PORT: String(port),
      },
    });
    other.close();
    expect(text).toMatch(new RegExp(`PARLEY_HTTP_PORT.*${port}.*in use`));
    expect(text).not.toMatch(/^\s+at .*:\d+:\d+/m);
    expect(code).toBe(2);
  });
});

/** Says of every command that it is fine, and of itself that it is of this version. */
async function oldRedis(version: string): Promise<Server> {
  const info = `redis_version:${version}\r\nrole:master\r\nloading:0\r\n`;
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.setEncoding("utf8").on("data", (text: string) => {
      for (const command of text.split(/\*\d+\r\n/).slice(1)) {
        const name = command.split("\r\n")[1]?.toUpperCase();
        if (name === "INFO") socket.write(`$${Buffer.byteLength(info)}\r\n${info}\r\n`);
        else if (name === "HELLO")
          socket.write(`-ERR unknown command \`HELLO\`, with args: \`3\`\r\n`);
        else socket.write("+OK\r\n");
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  return server;
}
