import { parseChatKey, type ChatKey, type Person } from "../core/chat.ts";
import { placesOf, type Place } from "../core/places.ts";
import type { PlaceRules } from "../store/people/place-rules.ts";
import type { Access } from "./access.ts";

/** What was banned elsewhere is known after this. Milliseconds. */
const cacheMs = 1_000;

/**
 * Who and which chats are shut out now: for what was accepted before a ban and is only worked on behind it. Reads one
 * number a second at most, and the bans themselves only when that has changed.
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
   * @param from `cache`: what was read within the last second will do.
   * @throws what the store throws; then what was known before still holds.
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
    // In the order of `Access`. Admins who ban a place can still talk there.
    if (isListed(id)) return true;
    if (this.#access.isListedOwner(id)) return false;
    if (this.#people.has(id)) return true;
    if (this.#admins.has(id)) return false;
    // A direct chat has its person's number, and is no place: none of those is ever banned.
    const places = placesOf({ address: parseChatKey(chat), direct: false });
    return places.some((place) => this.#places.has(place) || isListed(place));
  }
}
