import { Client, GatewayIntentBits, Options, Partials } from "discord.js";
import type { ClientOptions, GuildMember, User } from "discord.js";
import { restOptions } from "../rest.ts";

export interface ClientSettings {
  readonly apiRoot: string;
  readonly messageContent: boolean;
  readonly buildStrategy: NonNullable<
    NonNullable<ClientOptions["ws"]>["buildStrategy"]
  >;
}

/** Keeps the bot itself, which discord.js looks up; of everybody else it needs nothing. */
const onlyTheBot = {
  maxSize: 0,
  keepOverLimit: (entry: GuildMember | User) =>
    entry.id === entry.client.user?.id,
};

/** A discord.js client that keeps the connection and knows guilds, channels and threads, and nothing else. */
export function createClient({
  apiRoot,
  messageContent,
  buildStrategy,
}: ClientSettings): Client {
  return new Client({
    intents: [
      GatewayIntentBits.Guilds,
      GatewayIntentBits.GuildMessages,
      GatewayIntentBits.DirectMessages,
      ...(messageContent ? [GatewayIntentBits.MessageContent] : []),
    ],
    partials: [Partials.Channel],
    allowedMentions: { parse: [] },
    shards: "auto",
    rest: restOptions(apiRoot),
    ws: { buildStrategy },
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      MessageManager: 0,
      GuildMemberManager: onlyTheBot,
      UserManager: onlyTheBot,
      ReactionManager: 0,
      GuildEmojiManager: 0,
      GuildStickerManager: 0,
      GuildInviteManager: 0,
      GuildScheduledEventManager: 0,
      StageInstanceManager: 0,
      ThreadMemberManager: 0,
      VoiceStateManager: 0,
      PresenceManager: 0,
    }),
  });
}
