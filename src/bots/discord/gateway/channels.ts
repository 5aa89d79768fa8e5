import { GatewayDispatchEvents } from "discord.js";
import type { GatewayDispatchPayload } from "discord.js";
import { z } from "zod";
import { channelSchema, type Channel } from "../receive/places.ts";

/** Beyond it the oldest are forgotten; who needs them asks Discord. */
const remembered = 100_000;

const channelsSchema = z.object({
  /** Of GUILD_CREATE, the server's, which its channels don't name. */
  id: z.string().optional(),
  channels: z.array(channelSchema).default([]),
  threads: z.array(channelSchema).default([]),
});

/**
 * The channels and threads that the gateway has reported. Ids are never reused, so none has to be
 * deleted.
 */
export class Channels {
  readonly #known = new Map<string, Channel>();

  get(id: string): Channel | undefined {
    return this.#known.get(id);
  }

  /** The ids of a server's channels and threads, as far as they are known. */
  inGuild(guildId: string): readonly string[] {
    return [...this.#known.values()].flatMap((each) => (each.guildId === guildId ? [each.id] : []));
  }

  /** @throws ZodError for a payload that cannot be read. */
  learn({ t: name, d: payload }: GatewayDispatchPayload): void {
    switch (name) {
      case GatewayDispatchEvents.GuildCreate:
      case GatewayDispatchEvents.ThreadListSync: {
        const { id, channels, threads } = channelsSchema.parse(payload);
        for (const channel of [...channels, ...threads])
          this.#add({ ...channel, guildId: channel.guildId ?? id });
        return;
      }
      case GatewayDispatchEvents.ChannelCreate:
      case GatewayDispatchEvents.ChannelUpdate:
      case GatewayDispatchEvents.ThreadCreate:
      case GatewayDispatchEvents.ThreadUpdate:
        this.#add(channelSchema.parse(payload));
        return;
      default:
    }
  }

  #add(channel: Channel): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= remembered && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(channel.id, channel);
  }
}
