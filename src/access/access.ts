import type { Person } from "../core/chat.ts";
import type { PeopleStore, StoredRole } from "../store/people.ts";

/** What somebody may do: admins decide and configure, members talk, strangers may only ask to come in. */
export type Role = "admin" | "member" | "stranger" | "banned";

export interface AccessSettings {
  readonly mode: "open" | "pairing" | "allowlist";
  /** Person ids, e.g. `telegram:1`. */
  readonly admins: readonly string[];
  readonly allow: readonly string[];
  readonly ban: readonly string[];
}

/** Stored roles are asked again after this; a change made here holds at once. Milliseconds. */
const cacheMs = 1_000;
const maxCached = 10_000;

/** Knows everybody's role: the operator's settings first, then what admins decided in the chat. */
export class Access {
  readonly #people: PeopleStore;
  readonly #settings: AccessSettings;
  readonly #now: () => number;
  readonly #cache = new Map<
    string,
    { role: StoredRole | undefined; untilMs: number }
  >();
  /** Roles set here so far: one that was read before the newest may be an old one. */
  #changes = 0;

  /** @param now milliseconds, never going back. */
  constructor(
    people: PeopleStore,
    settings: AccessSettings,
    now: () => number,
  ) {
    this.#people = people;
    this.#settings = settings;
    this.#now = now;
  }

  get mode(): AccessSettings["mode"] {
    return this.#settings.mode;
  }

  async roleOf(person: Person): Promise<Role> {
    const { admins, allow, ban, mode } = this.#settings;
    // Whoever sits at the operator's own terminal owns the bot.
    if (person.id.startsWith("console:")) return "admin";
    if (ban.includes(person.id)) return "banned";
    // A stand-in speaks for many: no role was ever given to it.
    if (person.anonymous) return mode === "open" ? "member" : "stranger";
    if (admins.includes(person.id)) return "admin";
    const stored = await this.#stored(person.id);
    if (stored !== undefined) return stored;
    return mode === "open" || allow.includes(person.id) ? "member" : "stranger";
  }

  async setRole(
    person: Pick<Person, "id" | "name">,
    role: StoredRole,
  ): Promise<void> {
    await this.#people.setRole(person, role);
    this.#changes += 1;
    this.#cache.delete(person.id);
  }

  /** Ids of all admins, from the settings and from the chat. */
  async admins(): Promise<readonly string[]> {
    return [
      ...new Set([
        ...this.#settings.admins,
        ...(await this.#people.withRole("admin")),
      ]),
    ];
  }

  async #stored(id: string): Promise<StoredRole | undefined> {
    const known = this.#cache.get(id);
    if (known && known.untilMs > this.#now()) return known.role;
    const changes = this.#changes;
    const role = await this.#people.role(id);
    if (changes !== this.#changes) return role;
    if (this.#cache.size >= maxCached) this.#cache.clear();
    this.#cache.set(id, { role, untilMs: this.#now() + cacheMs });
    return role;
  }
}
