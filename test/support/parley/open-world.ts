import { GatewayIntentBits } from "discord.js";
import { afterAll, afterEach, expect, vi } from "vitest";
import { OpenAiServer } from "../../emulators/model/openai-server.ts";
import { ScriptedModel } from "../../emulators/model/scripted-model.ts";
import type { Transcriber } from "../../emulators/model/transcriptions.ts";
import type { Connection } from "../../../src/store/redis/connection.ts";
import { keysLike, openClient } from "../redis/test-client.ts";
import { testDatabase, type TestRedis } from "../redis/test-redis.ts";
import type { TestRedisOptions } from "../redis/test-redis.ts";
import { DiscordStage } from "./discord-stage.ts";
import { ParleyProcess, type ParleyOptions } from "./parley-process.ts";
import { timeoutMs, type Stage } from "./stage.ts";
import { TelegramStage } from "./telegram-stage.ts";

const modelName = "gpt-4o-mini";
const apiKey = "sk-test-planted-0123456789abcdef";

/**
 * What one test file plays with: a Redis, a model, both platforms, and the processes between them.
 */
export interface World {
  readonly redis: TestRedis;
  readonly openai: OpenAiServer;
  readonly model: ScriptedModel;
  readonly telegram: TelegramStage;
  readonly discord: DiscordStage;
  /** For `describe.each`. */
  readonly stages: readonly Stage[];
  /** Redis and the model, open to everybody; no platform. */
  readonly services: Readonly<Record<string, string>>;
  /** All of it. */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Fulfils when everything that was to be sent has been, and is written down as sent: no outbox
   * holds anything, and no one sends.
   */
  delivered(redisUrl?: string): Promise<void>;
  /** How many chats' turns some process works on, or did when it died. */
  owned(): Promise<number>;
  /** Starts a process; it is looked at after each test and ended after the last. */
  start(options: ParleyOptions): ParleyProcess;
}

/**
 * Call it once, at the top of a test file. After each test nothing may be wrong with any process,
 * platform or request.
 */
export async function openWorld(
  options: {
    readonly redis?: TestRedisOptions;
    /** Of the test's own; the default is what this run asks for. */
    readonly server?: TestRedis;
    /** Who hears voice notes behind the model's address. */
    readonly transcriber?: Transcriber;
    /** The bot is sent all that people write in groups and on servers. */
    readonly readsGroups?: boolean;
  } = {},
): Promise<World> {
  vi.setConfig({ testTimeout: 3 * timeoutMs, hookTimeout: 3 * timeoutMs });
  const redis = options.server ?? (await testDatabase(options.redis));
  const parts = new AsyncDisposableStack();
  const openai = parts.use(
    await OpenAiServer.start({
      model: ScriptedModel.textDriven(),
      apiKey,
      ...(options.transcriber === undefined ? {} : { transcriber: options.transcriber }),
    }),
  );
  const telegram = parts.use(
    await TelegramStage.start({ privacyMode: options.readsGroups !== true }),
  );
  const discord = parts.use(
    await DiscordStage.start(
      options.readsGroups ? { privilegedIntents: [GatewayIntentBits.MessageContent] } : {},
    ),
  );
  const processes: ParleyProcess[] = [];
  const services = {
    REDIS_URL: redis.url,
    OPENAI_BASE_URL: openai.baseUrl,
    OPENAI_API_KEY: apiKey,
    OPENAI_MODEL: modelName,
    PARLEY_ACCESS: "open",
  };
  // Every problem is held against one test only: the one after which it is found.
  const known = new Set<string>();
  const isNew = (problem: string): boolean =>
    !known.has(problem) && known.add(problem) !== undefined;
  afterEach(() => {
    const said = [...telegram.said, ...discord.said];
    const problems = [
      ...processes.flatMap((each) =>
        each.problems(said).map((problem) => `${each.pid}: ${problem}`),
      ),
      ...Object.entries({ telegram, discord, openai }).flatMap(([name, { violations }]) =>
        violations.map((each, index) => `${name} ${index}: ${JSON.stringify(each)}`),
      ),
    ].filter(isNew);
    expect(problems.map((each) => each.slice(0, 1_000))).toEqual([]);
  });
  afterAll(async () => {
    await Promise.all(processes.map((each) => each[Symbol.asyncDispose]()));
    await parts.disposeAsync();
  });
  return {
    redis,
    openai,
    model: openai.model,
    telegram,
    discord,
    stages: [telegram, discord],
    services,
    environment: {
      ...services,
      ...telegram.environment,
      ...discord.environment,
    },
    delivered: (redisUrl = redis.url) =>
      asking(redisUrl, async (client) => {
        await expect
          .poll(
            async () => [
              ...(await keysLike(client, "parley:*:out:*")),
              ...(await owners(client, "out:owner")),
            ],
            { timeout: timeoutMs },
          )
          .toEqual([]);
      }),
    owned: () => asking(redis.url, async (client) => (await owners(client, "owner")).length),
    start(given) {
      const parley = new ParleyProcess(given);
      processes.push(parley);
      return parley;
    },
  };
}

async function owners(client: Connection, field: string): Promise<string[]> {
  const chats = await keysLike(client, "parley:*:st:*");
  const found = await Promise.all(chats.map((chat) => client.hget(chat, field)));
  return found.filter((owner) => owner !== null);
}

async function asking<T>(url: string, ask: (client: Connection) => Promise<T>): Promise<T> {
  const client = openClient(url);
  try {
    return await ask(client);
  } finally {
    client.disconnect();
  }
}
