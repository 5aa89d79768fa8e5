import { pino } from "pino";
import { expect } from "vitest";
import { createDiscordBot } from "../../../src/bots/discord/create-discord-bot.ts";
import type { DiscordBotDeps } from "../../../src/bots/discord/create-discord-bot.ts";
import type { Accept, Acceptance, Inbound } from "../../../src/core/inbound.ts";
import type { Button } from "../../../src/core/outbox.ts";
import type { Bot, CommandSpec, Completion } from "../../../src/core/ports.ts";
import { createUserInstalls } from "../../../src/store/people/user-installs.ts";
import { createGatewaySessions } from "../../../src/store/operations/gateway-sessions.ts";
import { createLeases } from "../../../src/store/operations/leases.ts";
import { storeOn } from "../../store/support.ts";
import { DiscordServer } from "../../emulators/discord/discord-server.ts";
import type { DiscordServerOptions } from "../../emulators/discord/options.ts";
import { scene } from "../../emulators/discord/scene.ts";
import { unwatched } from "../unwatched.ts";
import { testDatabase } from "../../support/redis/test-redis.ts";

export const redis = await testDatabase();
export const store = storeOn(redis);

export const commands: readonly CommandSpec[] = [
  { name: "status", description: "How I am" },
  {
    name: "stop",
    description: "Stop the current answer",
    arguments: [{ name: "reason", description: "Why", required: false }],
  },
  { name: "pause", description: "Rest", adminOnly: true },
  {
    name: "tier",
    description: "Choose a tier",
    arguments: [
      {
        name: "tier",
        description: "Which",
        required: false,
        choices: ["fast", "smart"],
      },
      {
        name: "for",
        description: "Whose",
        required: false,
        choices: ["me", "chat"],
      },
    ],
  },
  { name: "retry", description: "Answer anew", startsTurn: true },
  {
    name: "model",
    description: "Choose a model",
    descriptions: { de: "Ein Modell wählen", es: "Elegir un modelo" },
    arguments: [
      {
        name: "model",
        description: "Which",
        descriptions: { zh: "哪个" },
        required: false,
      },
    ],
  },
];

/** Suggests models for `/model`, and nothing else. */
export const models: Completion = {
  offers: (command, argument) => `${command} ${argument}` === "model model",
  complete: ({ typed }) =>
    Promise.resolve(
      Array.from({ length: 60 }, (_, index) => `some/model-${index}`).filter((key) =>
        key.includes(typed),
      ),
    ),
};

/** A registration that lasts as long as the test, like the one in Redis. */
export function memoryRegistration() {
  let hash: string | undefined;
  return {
    reads: 0,
    async read() {
      this.reads += 1;
      return hash;
    },
    async write(next: string) {
      hash = next;
    },
  };
}

/** An ingress that writes down what arrives, and answers as told. */
export class TestIngress {
  readonly arrived: Inbound[] = [];
  /** What `accept` does; it may throw or hang. */
  answer: (inbound: Inbound) => Acceptance | Promise<Acceptance> = () => ({
    type: "queued",
  });

  readonly accept: Accept = async (inbound) => {
    this.arrived.push(inbound);
    return this.answer(inbound);
  };

  texts(): string[] {
    return this.arrived.map((inbound) =>
      inbound.type === "message" ? inbound.text : inbound.type,
    );
  }
}

export interface Started extends AsyncDisposable, ReturnType<typeof scene> {
  readonly discord: DiscordServer;
  readonly bot: Bot;
  readonly ingress: TestIngress;
  readonly logged: () => string;
  readonly registration: ReturnType<typeof memoryRegistration>;
}

interface Options {
  readonly server?: DiscordServerOptions;
  readonly deps?: Partial<DiscordBotDeps>;
}

/** A bot for this server, not started. */
export function botFor(
  discord: DiscordServer,
  ingress: TestIngress,
  deps: Partial<DiscordBotDeps> = {},
): { readonly bot: Bot; readonly logged: () => string } {
  let lines = "";
  const log = pino({ level: "trace" }, { write: (line) => void (lines += line) });
  const bot = createDiscordBot({
    token: discord.token,
    apiRoot: discord.apiRoot,
    accept: ingress.accept,
    noteReach: () => Promise.resolve(),
    watchOf: () => unwatched,
    now: Date.now,
    commands,
    log,
    signal: new AbortController().signal,
    settings: { messageContent: false, shards: "auto" },
    registration: memoryRegistration(),
    leases: createLeases(store),
    memory: createGatewaySessions(store, discord.botUserId),
    userInstalls: createUserInstalls(store, discord.botUserId),
    mayAsk: () => Promise.resolve(true),
    hasSeen: () => Promise.resolve(false),
    completion: models,
    ...deps,
  });
  return { bot, logged: () => lines };
}

/** Ann, Ben, a server with a channel, and the bot among them, its commands registered. */
export async function started({ server, deps }: Options = {}): Promise<Started> {
  const discord = await DiscordServer.start(server);
  const people = scene(discord);
  const ingress = new TestIngress();
  const registration = memoryRegistration();
  const { bot, logged } = botFor(discord, ingress, { registration, ...deps });
  await bot.start();
  await discord.waitFor(() => discord.commands().length > 0, {
    what: "registered commands",
  });
  return {
    ...people,
    discord,
    bot,
    ingress,
    logged,
    registration,
    async [Symbol.asyncDispose]() {
      await bot[Symbol.asyncDispose]();
      await discord[Symbol.asyncDispose]();
    },
  };
}

/** The bot says something in the place's channel. @throws when that is not sent */
export async function botSays(
  { bot, channel, discord }: Started,
  text: string,
  buttons: readonly Button[] = [],
) {
  const sent = await bot.sender.send(
    { platform: "discord", bot: discord.botUserId, chat: channel.id },
    { text },
    { nonce: text, final: true, buttons },
  );
  if (sent.type !== "sent") throw new Error(sent.type);
  return sent;
}

/** Settings for so many shards. */
export const shards = (count: number | "auto") => ({
  settings: { messageContent: false, shards: count },
});

/** As `<shard>/<how many>`. */
export const connectedShards = (discord: DiscordServer): string[] =>
  discord.gateway.connectedShards.map(([shard, count]) => `${shard}/${count}`);

/** Looks again until it holds; what arrives at ingress is no change of the emulator's. */
export const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 20_000 });
