import { Client, GatewayIntentBits, Partials, type ClientOptions } from "discord.js";
import { requestWithBytes } from "../../../src/bots/discord/rest.ts";
import type { DiscordServer } from "./discord-server.ts";

/**
 * The unmodified discord.js Client against the emulator, with the intents that an intent-free bot
 * asks for.
 */
export class TestClient {
  readonly client: Client;

  constructor(discord: DiscordServer, options: Partial<ClientOptions> = {}) {
    this.client = new Client({
      intents: [
        GatewayIntentBits.Guilds,
        GatewayIntentBits.GuildMessages,
        GatewayIntentBits.DirectMessages,
        GatewayIntentBits.GuildMessageReactions,
      ],
      partials: [Partials.Channel],
      allowedMentions: { parse: [] },
      ...options,
      rest: {
        api: discord.apiRoot,
        retries: 0,
        makeRequest: requestWithBytes,
        ...options.rest,
      },
    });
  }

  /** Logged in and ready. */
  static async start(
    discord: DiscordServer,
    options: Partial<ClientOptions> = {},
  ): Promise<TestClient> {
    const started = new TestClient(discord, options);
    const ready = new Promise((resolve) => started.client.once("clientReady", resolve));
    await started.client.login(discord.token);
    await ready;
    return started;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.destroy();
  }
}
