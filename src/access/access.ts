import type { Person } from "../core/chat.ts";
import type { Preference } from "../core/history.ts";
import type {
  PeopleStore,
  PreferenceChange,
  Profile,
  StoredRole,
} from "../store/people.ts";

/** What somebody may do: admins decide and configure, members talk, strangers may only ask to come in. */
export type Role = "admin" | "member" | "stranger" | "banned";

export interface AccessSettings {
  readonly mode: "open" | "pairing" | "allowlist";
  /** Person ids, e.g. `telegram:1`. */
  readonly admins: readonly string[];
  readonly allow: readonly string[];
  readonly ban: readonly string[];
}

/** What one person may do, and what they have chosen for themselves. */
export interface PersonProfile {
  readonly role: Role;
  readonly preference: Preference;
  /** The language that they have chosen, by its ISO 639-1 code. */
  readonly language?: string;
  /** BCP 47: what the platform reported of them last, where that is kept. */
  readonly reportedLanguage?: string;
}

/** What is stored of a person is asked again after this; a change made here holds at once. Milliseconds. */
const cacheMs = 1_000;
const maxCached = 10_000;

/**
 * Knows everybody's role: the operator's settings first, then what admins decided in the chat. Knows what they have chosen
 * for themselves too, since it is stored beside the role.
 */
export class Access {
  readonly #people: PeopleStore;
  readonly #settings: AccessSettings;
  readonly #now: () => number;
  readonly #cache = new Map<string, { profile: Profile; untilMs: number }>();
  /** Profiles changed here so far: one that was read before the newest may be an old one. */
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
    return (await this.profileOf(person)).role;
  }

  async profileOf(person: Person): Promise<PersonProfile> {
    const { admins, allow, ban, mode } = this.#settings;
    if (ban.includes(person.id)) return { role: "banned", preference: {} };
    // A stand-in speaks for many: no role was ever given to it, and it chooses nothing.
    if (person.anonymous)
      return { role: mode === "open" ? "member" : "stranger", preference: {} };
    const { role: stored, ...chosen } = await this.#stored(person.id);
    // Whoever sits at the operator's own terminal owns the bot.
    const isOwner = person.id.startsWith("console:");
    if (isOwner || admins.includes(person.id))
      return { role: "admin", ...chosen };
    if (stored !== undefined) return { role: stored, ...chosen };
    const isMember = mode === "open" || allow.includes(person.id);
    return { role: isMember ? "member" : "stranger", ...chosen };
  }

  async setRole(
    person: Pick<Person, "id" | "name">,
    role: StoredRole,
  ): Promise<void> {
    await this.#people.setRole(person, role);
    this.#forget(person.id);
  }

  async setPreference(
    person: Pick<Person, "id">,
    change: PreferenceChange,
  ): Promise<void> {
    await this.#people.setPreference(person.id, change);
    this.#forget(person.id);
  }

  /** @param language undefined: none is chosen any more. */
  async setLanguage(
    person: Pick<Person, "id">,
    language: string | undefined,
  ): Promise<void> {
    await this.#people.setLanguage(person.id, language);
    this.#forget(person.id);
  }

  /** What a platform tells of somebody now and then, for when it does not. */
  async reportLanguage({ id }: Person, language: string): Promise<void> {
    await this.#people.setReportedLanguage(id, language);
    this.#forget(id);
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

  #forget(id: string): void {
    this.#changes += 1;
    this.#cache.delete(id);
  }

  async #stored(id: string): Promise<Profile> {
    const known = this.#cache.get(id);
    if (known && known.untilMs > this.#now()) return known.profile;
    const changes = this.#changes;
    const profile = await this.#people.profile(id);
    if (changes !== this.#changes) return profile;
    if (this.#cache.size >= maxCached) this.#cache.clear();
    this.#cache.set(id, { profile, untilMs: this.#now() + cacheMs });
    return profile;
  }
}
