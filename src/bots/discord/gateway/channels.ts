import { GatewayDispatchEvents } from "discord.js";
import type { GatewayDispatchPayload } from "discord.js";
import { z } from "zod";

/** The channel types of threads. */
export interface KnownChannel {
  readonly id: string;
  readonly type: number;
  readonly parentId?: string;
  /** Who opened the thread. */
  readonly ownerId?: string;
}

/** Beyond it the oldest are forgotten; who needs them asks Discord. */
const remembered = 100_000;

const channelSchema = z.object({
  id: z.string(),
  type: z.number(),
  parent_id: z.string().nullish(),
  owner_id: z.string().nullish(),
});
const channelsSchema = z.object({
  channels: z.array(channelSchema).default([]),
  threads: z.array(channelSchema).default([]),
});

/**
 * The channels and threads that the gateway has reported. Ids are never reused, so none has to be
 * deleted.
 */
export class Channels {
  readonly #known = new Map<string, KnownChannel>();

  get(id: string): KnownChannel | undefined {
    return this.#known.get(id);
  }

  /** @throws ZodError for a payload that cannot be read. */
  learn({ t: name, d: payload }: GatewayDispatchPayload): void {
    switch (name) {
      case GatewayDispatchEvents.GuildCreate:
      case GatewayDispatchEvents.ThreadListSync: {
        const { channels, threads } = channelsSchema.parse(payload);
        for (const channel of [...channels, ...threads]) this.#add(channel);
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

  #add({ id, type, parent_id: parentId, owner_id: ownerId }: z.infer<typeof channelSchema>): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= remembered && oldest !== undefined) this.#known.delete(oldest);
    const parent = typeof parentId === "string" ? { parentId } : {};
    const owner = typeof ownerId === "string" ? { ownerId } : {};
    this.#known.set(id, { id, type, ...parent, ...owner });
  }
}
