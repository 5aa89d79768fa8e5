import { z } from "zod";
import { personSchema, type Person } from "../../core/chat.ts";
import { parsePlace, type Place } from "../../core/places.ts";
import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { parseStored, readable } from "../stored.ts";

/** Of more requests than this the oldest are no longer listed. */
const maxListed = 50;
const listedMs = 24 * 3_600_000;
/** A card whose update failed keeps its buttons. */
const decidedMs = 30 * 86_400_000;

/** The bot was added to a group or server that no one has let in. */
export interface PlaceRequest {
  /** Of the event; a place that the bot is added to again makes another request. */
  readonly id: string;
  readonly place: Place;
  readonly title: string;
  /** The bot that was added, e.g. `telegram:77`. */
  readonly bot: string;
  /** Who added it, where the platform says so. */
  readonly person?: Person | undefined;
  /** Where the bot said hello; earlier versions stored none. */
  readonly chat?: string | undefined;
}

/** `quiet`: the bot stays there and says nothing. */
const placeDecisions = ["allow", "leave", "quiet"] as const;

export interface PlaceDecision {
  readonly kind: (typeof placeDecisions)[number];
  /** The admin's id. */
  readonly by: string;
  /** It has taken effect. */
  readonly isDone?: true;
}

export interface PlaceRequests {
  keepPlaceRequest(request: PlaceRequest): Promise<void>;
  /** Those that no one has decided, the newest first; none when the last is a day old. */
  openPlaceRequests(): Promise<readonly PlaceRequest[]>;
  /** @returns the first decision of all that were given, which is the one that counts. */
  decidePlaceRequest(
    request: Pick<PlaceRequest, "id" | "place">,
    decision: PlaceDecision,
  ): Promise<PlaceDecision>;
  /** The decision that counts has taken effect. */
  finishPlaceRequest(
    request: Pick<PlaceRequest, "id" | "place">,
    decision: PlaceDecision,
  ): Promise<void>;
}

const storedRequest = z.object({
  v: z.literal(1),
  id: z.string(),
  place: z.string(),
  title: z.string(),
  bot: z.string(),
  person: personSchema.optional(),
  chat: z.string().optional(),
});
const storedDecision = z.object({
  v: z.literal(1),
  kind: z.enum(placeDecisions),
  by: z.string(),
  /** Versions before this wrote none. */
  isDone: z.literal(true).exactOptional(),
});

export const placeRequestsKey = configKey("place-requests");
const decidedKey = ({ id, place }: Pick<PlaceRequest, "id" | "place">): string =>
  configKey(`place-decided:${id}:${place}`);

export const createPlaceRequests = (redis: Store["redis"]): PlaceRequests => ({
  async keepPlaceRequest(request) {
    const stored = JSON.stringify({ v: 1, ...request });
    await redis
      .multi()
      // The same event may be delivered again.
      .lrem(placeRequestsKey, 0, stored)
      .lpush(placeRequestsKey, stored)
      .ltrim(placeRequestsKey, 0, maxListed - 1)
      .pexpire(placeRequestsKey, listedMs)
      .exec();
  },
  async openPlaceRequests() {
    const requests = (await redis.lrange(placeRequestsKey, 0, -1)).flatMap((stored) => {
      const read = readable(storedRequest, stored);
      if (read === undefined) return [];
      const { v: _, ...request } = read;
      const place = parsePlace(request.place);
      return place === undefined ? [] : [{ ...request, place }];
    });
    if (requests.length === 0) return [];
    const decided = await redis.mget(requests.map(decidedKey));
    return requests.filter((_, index) => decided[index] === null);
  },
  async decidePlaceRequest(request, decision) {
    const key = decidedKey(request);
    const stored = JSON.stringify({ v: 1, ...decision });
    await redis.set(key, stored, "PX", decidedMs, "NX");
    return parseStored(storedDecision, key, (await redis.get(key)) ?? stored);
  },
  async finishPlaceRequest(request, decision) {
    const stored = JSON.stringify({ v: 1, ...decision, isDone: true });
    await redis.set(decidedKey(request), stored, "PX", decidedMs);
  },
});
