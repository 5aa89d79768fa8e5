import { GatewayDispatchEvents, type GatewayDispatchPayload } from "discord.js";
import { z } from "zod";
import type { NoteReach, ReachChange } from "../../../core/ports.ts";
import type { Channels } from "../gateway/channels.ts";
import { idSchema } from "./payloads.ts";
import type { ReceiveDeps } from "./deps.ts";
import { retryUntilAccepted } from "./retry-until-accepted.ts";

/** GUILD_DELETE; `unavailable`: Discord has an outage, and the bot is still there. */
const guildSchema = z.object({ id: idSchema, unavailable: z.boolean().optional() });
const channelSchema = z.object({ id: idSchema });
const threadSchema = z.object({ id: idSchema, parent_id: idSchema });

type LeaveDeps = Pick<ReceiveDeps, "botId" | "held" | "queue" | "now" | "log" | "signal"> & {
  readonly channels: Pick<Channels, "inGuild">;
  readonly noteReach: NoteReach;
};

/** Notices when the bot is removed from a server, or a channel or thread is deleted. */
export class Leaves {
  readonly #deps: LeaveDeps;

  constructor(deps: LeaveDeps) {
    this.#deps = deps;
  }

  /** Undefined: nothing has to be kept. Never throws. */
  take(event: GatewayDispatchPayload): Promise<boolean> | undefined {
    const left = this.#translate(event);
    if (left === undefined) return undefined;
    const change = { bot: `discord:${this.#deps.botId}`, isReachable: false, ...left };
    return this.#note(change);
  }

  #translate({ t: name, d: payload }: GatewayDispatchPayload) {
    switch (name) {
      case GatewayDispatchEvents.GuildDelete: {
        const guild = guildSchema.safeParse(payload).data;
        if (guild === undefined || guild.unavailable) return undefined;
        return { guild: guild.id, chats: this.#deps.channels.inGuild(guild.id) };
      }
      case GatewayDispatchEvents.ChannelDelete: {
        const channel = channelSchema.safeParse(payload).data;
        return channel && { chats: [channel.id] };
      }
      case GatewayDispatchEvents.ThreadDelete: {
        const thread = threadSchema.safeParse(payload).data;
        return thread && { chats: [thread.parent_id], thread: thread.id };
      }
      default:
        return undefined;
    }
  }

  async #note(change: ReachChange): Promise<boolean> {
    const { held, queue, now, noteReach } = this.#deps;
    const name = change.guild ?? change.thread ?? change.chats[0] ?? "";
    const event = { ...held.hold(), message: { id: `left ${name}` }, atMs: now() };
    const noted = await queue.run(name, () =>
      retryUntilAccepted(this.#deps, event, {
        waits: "leaving a place waits for the store",
        work: () => noteReach(change),
      }),
    );
    event.release();
    return typeof noted === "boolean" ? noted : true;
  }
}
