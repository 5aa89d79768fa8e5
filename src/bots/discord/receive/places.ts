import { DiscordAPIError, Routes } from "discord.js";
import type { REST } from "discord.js";
import { z } from "zod";
import { placeOf } from "./place.ts";
import type { Place } from "./place.ts";

/** Threads that the gateway has not reported: archived ones, mostly. */
const remembered = 10_000;

const channelSchema = z.object({
  id: z.string(),
  type: z.number(),
  parent_id: z.string().nullish(),
  owner_id: z.string().nullish(),
});

interface Located {
  readonly channel_id: string;
  readonly guild_id?: string | undefined;
}

interface Channel {
  readonly id: string;
  readonly type: number;
  readonly parentId?: string | undefined;
  readonly ownerId?: string | undefined;
}

/** Where a message is, and what kind of place that is. */
export interface Where {
  readonly place: Place;
  /** Undefined: a direct message, or a channel that we may not see. */
  readonly type?: number;
  /** Who opened the thread. */
  readonly ownerId?: string | undefined;
}

interface PlacesDeps {
  readonly known: (id: string) => Channel | undefined;
  readonly rest: Pick<REST, "get">;
}

/**
 * Knows which channel ids are threads, and of what. A message names only the id of the channel it
 * is in.
 */
export class Places {
  readonly #deps: PlacesDeps;
  readonly #fetched = new Map<string, Where>();

  constructor(deps: PlacesDeps) {
    this.#deps = deps;
  }

  /** The result without a request, if it is known. */
  known({ channel_id: id, guild_id: guildId }: Located): Where | undefined {
    if (guildId === undefined) return { place: { chat: id } };
    const known = this.#deps.known(id);
    return known ? whereIs(known) : this.#fetched.get(id);
  }

  /** @throws what REST throws while Discord cannot be asked. */
  async of(message: Located): Promise<Where> {
    return this.known(message) ?? (await this.#fetch(message.channel_id));
  }

  async #fetch(id: string): Promise<Where> {
    const where = await this.#ask(id);
    const [oldest] = this.#fetched.keys();
    if (this.#fetched.size >= remembered && oldest !== undefined) this.#fetched.delete(oldest);
    this.#fetched.set(id, where);
    return where;
  }

  /** A channel that we may not see (403) or that is gone (404) is taken as it stands. */
  async #ask(id: string): Promise<Where> {
    try {
      const {
        parent_id: parentId,
        owner_id: ownerId,
        ...channel
      } = channelSchema.parse(await this.#deps.rest.get(Routes.channel(id)));
      return whereIs({
        ...channel,
        parentId: parentId ?? undefined,
        ownerId: ownerId ?? undefined,
      });
    } catch (failure) {
      const isRefusal =
        failure instanceof DiscordAPIError && (failure.status === 403 || failure.status === 404);
      if (isRefusal || failure instanceof z.ZodError) return { place: { chat: id } };
      throw failure;
    }
  }
}

const whereIs = (channel: Channel): Where => ({
  place: placeOf(channel),
  type: channel.type,
  ownerId: channel.ownerId,
});
