import { DiscordAPIError, Routes } from "discord.js";
import type { REST } from "discord.js";
import { z } from "zod";
import { placeOf } from "./place.ts";
import type { Place } from "./place.ts";

/** Threads that the gateway has not told of: archived ones, mostly. */
const remembered = 10_000;

const channelSchema = z.object({
  id: z.string(),
  type: z.number(),
  parent_id: z.string().nullish(),
});

interface Located {
  readonly channel_id: string;
  readonly guild_id?: string | undefined;
}

interface PlacesDeps {
  readonly known: (
    id: string,
  ) =>
    | { readonly id: string; readonly type: number; readonly parentId?: string }
    | undefined;
  readonly rest: Pick<REST, "get">;
}

/** Knows which channel ids are threads, and of what. A message names only the id of the channel it is in. */
export class Places {
  readonly #deps: PlacesDeps;
  readonly #fetched = new Map<string, Place>();

  constructor(deps: PlacesDeps) {
    this.#deps = deps;
  }

  /** What needs no request. */
  known({ channel_id: id, guild_id: guildId }: Located): Place | undefined {
    if (guildId === undefined) return { chat: id };
    const known = this.#deps.known(id);
    return known ? placeOf(known) : this.#fetched.get(id);
  }

  /** @throws what REST throws while Discord cannot be asked. */
  async of(message: Located): Promise<Place> {
    return this.known(message) ?? (await this.#fetch(message.channel_id));
  }

  async #fetch(id: string): Promise<Place> {
    const place = await this.#ask(id);
    const [oldest] = this.#fetched.keys();
    if (this.#fetched.size >= remembered && oldest !== undefined)
      this.#fetched.delete(oldest);
    this.#fetched.set(id, place);
    return place;
  }

  /** A channel that we may not see (403) or that is gone (404) is taken as it stands. */
  async #ask(id: string): Promise<Place> {
    try {
      const channel = channelSchema.parse(
        await this.#deps.rest.get(Routes.channel(id)),
      );
      return placeOf({ ...channel, parentId: channel.parent_id });
    } catch (failure) {
      const isRefusal =
        failure instanceof DiscordAPIError &&
        (failure.status === 403 || failure.status === 404);
      if (isRefusal || failure instanceof z.ZodError) return { chat: id };
      throw failure;
    }
  }
}
