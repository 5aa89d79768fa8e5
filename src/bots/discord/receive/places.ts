import { DiscordAPIError, Routes } from "discord.js";
import type { REST } from "discord.js";
import { z } from "zod";
import { listOf, optional } from "./content.ts";
import { placeOf } from "./place.ts";
import type { Place } from "./place.ts";

/** Threads that the gateway has not reported: archived ones, mostly. */
const remembered = 10_000;

/** A channel or thread, as the gateway and REST report it. */
export const channelSchema = z
  .object({
    id: z.string(),
    type: z.number(),
    name: optional(z.string()),
    parent_id: optional(z.string()),
    owner_id: optional(z.string()),
    guild_id: optional(z.string()),
    applied_tags: optional(z.array(z.string())),
    available_tags: optional(listOf(z.object({ id: z.string(), name: z.string() }))),
  })
  .transform(
    ({ id, type, name, parent_id, owner_id, guild_id, applied_tags, available_tags }): Channel => ({
      id,
      type,
      parentId: parent_id,
      guildId: guild_id,
      ownerId: owner_id,
      // Of all channels only threads are named to a model.
      name: parent_id !== undefined && owner_id !== undefined ? name : undefined,
      tagIds: applied_tags?.length ? applied_tags : undefined,
      tags: available_tags?.length ? available_tags : undefined,
    }),
  );

interface Located {
  readonly channel_id: string;
  readonly guild_id?: string | undefined;
}

export interface Channel {
  readonly id: string;
  readonly type: number;
  readonly parentId?: string | undefined;
  /** Who opened the thread. */
  readonly ownerId?: string | undefined;
  readonly guildId?: string | undefined;
  /** A thread's title. */
  readonly name?: string | undefined;
  /** Of a forum's post. */
  readonly tagIds?: readonly string[] | undefined;
  /** Of a forum. */
  readonly tags?: readonly { readonly id: string; readonly name: string }[] | undefined;
}

/** Where a message is, and what kind of place that is. */
export interface Where extends Pick<Channel, "ownerId" | "name" | "tagIds" | "tags"> {
  readonly place: Place;
  /** Undefined: a direct message, or a channel that we may not see. */
  readonly type?: number;
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
      return whereIs(channelSchema.parse(await this.#deps.rest.get(Routes.channel(id))));
    } catch (failure) {
      const isRefusal =
        failure instanceof DiscordAPIError && (failure.status === 403 || failure.status === 404);
      if (isRefusal || failure instanceof z.ZodError) return { place: { chat: id } };
      throw failure;
    }
  }
}

const whereIs = (channel: Channel): Where => {
  const { type, ownerId, name, tagIds, tags } = channel;
  return { place: placeOf(channel), type, ownerId, name, tagIds, tags };
};
