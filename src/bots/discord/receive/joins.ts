import { ChannelType, GatewayDispatchEvents, type GatewayDispatchPayload } from "discord.js";
import { z } from "zod";
import type { InboundJoin } from "../../../core/inbound.ts";
import type { NoteReach } from "../../../core/ports.ts";
import { queueEntryOf } from "../../keyed-queue/priority.ts";
import { idSchema } from "./payloads.ts";
import type { ReceiveDeps } from "./deps.ts";
import { retryUntilAccepted } from "./retry-until-accepted.ts";

/** A server that only became available was joined longer ago. Milliseconds. */
const joinedWithinMs = 3_600_000;

const textChannels: ReadonlySet<number> = new Set([ChannelType.GuildText]);

/** GUILD_CREATE, of which only what we read is checked. */
const guildSchema = z.object({
  id: idSchema,
  name: z.string(),
  owner_id: idSchema,
  joined_at: z.string(),
  preferred_locale: z.string().optional(),
  system_channel_id: idSchema.nullish(),
  channels: z.array(z.object({ id: idSchema, type: z.number(), position: z.number().optional() })),
});
type GuildPayload = z.infer<typeof guildSchema>;

type JoinDeps = ReceiveDeps & { readonly noteReach: NoteReach };

/**
 * Notices when the bot is added to a server, also shortly before it connected. A server that becomes
 * available again makes the same event.
 */
export class Joins {
  readonly #deps: JoinDeps;

  constructor(deps: JoinDeps) {
    this.#deps = deps;
  }

  /** Undefined: nothing has to be kept. Never throws. */
  take({ t: name, d: payload }: GatewayDispatchPayload): Promise<boolean> | undefined {
    if (name !== GatewayDispatchEvents.GuildCreate) return undefined;
    const guild = guildSchema.safeParse(payload).data;
    const inbound = guild && this.#translate(guild);
    return guild && inbound && this.#accept(inbound, guild);
  }

  #translate(guild: GuildPayload): InboundJoin | undefined {
    const { botId, now } = this.#deps;
    const joinedAtMs = Date.parse(guild.joined_at);
    const chat = guild.system_channel_id ?? firstChannel(guild);
    if (!(now() - joinedAtMs < joinedWithinMs) || chat === undefined) return undefined;
    const language = guild.preferred_locale;
    return {
      type: "join",
      id: `j${joinedAtMs}`,
      address: { platform: "discord", bot: botId, chat },
      guild: guild.id,
      // Discord doesn't say who it was.
      person: {
        id: `discord:${guild.owner_id}`,
        name: guild.name,
        anonymous: true,
        ...(language === undefined ? {} : { language }),
      },
      direct: false,
      atMs: now(),
      title: guild.name,
    };
  }

  async #accept(inbound: InboundJoin, guild: GuildPayload): Promise<boolean> {
    const { accept, noteReach, botId, commands, held, queue } = this.#deps;
    const chats = guild.channels.map(({ id }) => id);
    const reach = { bot: `discord:${botId}`, guild: guild.id, chats, isReachable: true };
    const event = { ...held.hold(), message: { id: inbound.id }, atMs: inbound.atMs };
    const accepted = await queue.run(
      inbound.address.chat,
      () =>
        retryUntilAccepted(this.#deps, event, {
          waits: "joining a server waits for the store",
          work: async () => {
            await noteReach(reach);
            return await accept(inbound);
          },
        }),
      queueEntryOf(inbound, commands),
    );
    event.release();
    return typeof accepted === "boolean" ? accepted : true;
  }
}

const firstChannel = ({ channels }: GuildPayload): string | undefined =>
  channels
    .filter(({ type }) => textChannels.has(type))
    .toSorted((one, other) => (one.position ?? 0) - (other.position ?? 0))[0]?.id;
