import { parsePlace, type Place } from "../../core/places.ts";
import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import type { Part, PartOfAll } from "./part.ts";

/** `allow`: everyone there may talk to the bot. `ban`: the bot is silent there. */
const placeRules = ["allow", "ban"] as const;
export type PlaceRule = (typeof placeRules)[number];

/** Admins' rules for whole groups, servers and channels. */
export interface PlaceRules {
  /** In the order of the places; undefined: no rule. */
  rulesOf(places: readonly Place[]): Promise<readonly (PlaceRule | undefined)[]>;
  /** A part of the places with a rule, in no order, for lists that people page through. */
  somePlaces(part: PartOfAll): Promise<Part<Place>>;
  /** @param rule undefined: removes it. */
  setRule(place: Place, rule: PlaceRule | undefined): Promise<void>;
  /** The personas that admins have chosen for places, as references; in the order of the places. */
  placePersonas(places: readonly Place[]): Promise<readonly (string | undefined)[]>;
  /** @param ref undefined: none is chosen any more. */
  setPlacePersona(place: Place, ref: string | undefined): Promise<void>;
  /** Changes with every ban and every role. */
  bansVersion(): Promise<string>;
  /**
   * Everybody and every place that admins have banned, and the admins, who are heard in such
   * places.
   */
  bans(): Promise<{
    readonly people: readonly string[];
    readonly places: readonly Place[];
    readonly admins: readonly string[];
  }>;
}

const key = configKey("places");
/** No place has such a name. */
const personaField = (place: Place): string => `persona:${place}`;
/** Counts changes of roles and of place rules. */
export const bansKey = configKey("bans");

const readRules = async (redis: Store["redis"]): Promise<ReadonlyMap<Place, PlaceRule>> =>
  new Map(
    Object.entries(await redis.hgetall(key)).flatMap(([name, stored]) => {
      const place = parsePlace(name);
      const rule = placeRules.find((each) => each === stored);
      return place === undefined || rule === undefined ? [] : [[place, rule] as const];
    }),
  );

export const createPlaceRules = (redis: Store["redis"]): PlaceRules => ({
  async somePlaces({ cursor, count }) {
    const [next, flat] = await redis.hscan(key, cursor, "COUNT", count);
    return {
      found: flat.flatMap((name, index) => (index % 2 ? [] : (parsePlace(name) ?? []))),
      next,
    };
  },
  async rulesOf(places) {
    if (places.length === 0) return [];
    const found = await redis.hmget(key, ...places);
    return found.map((rule) => placeRules.find((each) => each === rule));
  },
  async setRule(place, rule) {
    const change = redis.multi().incr(bansKey);
    if (rule === undefined) change.hdel(key, place);
    else change.hset(key, place, rule);
    await change.exec();
  },
  async placePersonas(places) {
    if (places.length === 0) return [];
    const found = await redis.hmget(key, ...places.map(personaField));
    return found.map((ref) => ref ?? undefined);
  },
  async setPlacePersona(place, ref) {
    if (ref === undefined) await redis.hdel(key, personaField(place));
    else await redis.hset(key, personaField(place), ref);
  },
  bansVersion: async () => (await redis.get(bansKey)) ?? "0",
  async bans() {
    const [people, admins, rules] = await Promise.all([
      redis.smembers(configKey("role:banned")),
      redis.smembers(configKey("role:admin")),
      readRules(redis),
    ]);
    const places = [...rules].flatMap(([place, rule]) => (rule === "ban" ? [place] : []));
    return { people, places, admins };
  },
});
