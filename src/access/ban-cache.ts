import { parseChatKey, type ChatKey, type Person } from "../core/chat.ts";
import { placesOf, type Place } from "../core/places.ts";
import type { PlaceRules } from "../store/people/place-rules.ts";
import type { Access } from "./access.ts";

/** Bans by other processes apply after this. Milliseconds. */
const cacheMs = 1_000;

/**
 * The people and chats that are banned now, for work that was accepted before a ban. Reads one
 * number per second at most, and the bans themselves only when that number has changed.
 */
export class BanCache {
  readonly #rules: Pick<PlaceRules, "bansVersion" | "bans">;
  readonly #access: Pick<Access, "listed" | "isListedOwner">;
  readonly #now: () => number;
  #people: ReadonlySet<string> = new Set();
  #admins: ReadonlySet<string> = new Set();
  #places: ReadonlySet<Place> = new Set();
  #version: string | undefined;
  #freshUntilMs = -Infinity;

  /** @param now milliseconds, never going back. */
  constructor(
    rules: Pick<PlaceRules, "bansVersion" | "bans">,
    access: Pick<Access, "listed" | "isListedOwner">,
    now: () => number,
  ) {
    this.#rules = rules;
    this.#access = access;
    this.#now = now;
  }

  /**
   * @param from `cache`: data of the last second is enough.
   * @throws what the store throws; the cached data then remains valid.
   */
  async refresh(from: "cache" | "store" = "cache"): Promise<void> {
    const nowMs = this.#now();
    if (from === "cache" && nowMs < this.#freshUntilMs) return;
    const version = await this.#rules.bansVersion();
    if (version !== this.#version) {
      const { people, places, admins } = await this.#rules.bans();
      this.#admins = new Set(admins);
      this.#people = new Set(people);
      this.#places = new Set(places);
      this.#version = version;
    }
    this.#freshUntilMs = nowMs + cacheMs;
  }

  has(person: Pick<Person, "id">, chat: ChatKey): boolean {
    const isListed = (what: string) => this.#access.listed(what) === "ban";
    const { id } = person;
    // In the same order as `Access`. Admins can still use the bot in a place that they banned.
    if (isListed(id)) return true;
    if (this.#access.isListedOwner(id)) return false;
    if (this.#people.has(id)) return true;
    if (this.#admins.has(id)) return false;
    // A direct chat has its person's id and is no place, so it is never banned.
    const places = placesOf({ address: parseChatKey(chat), direct: false });
    return places.some((place) => this.#places.has(place) || isListed(place));
  }
}
