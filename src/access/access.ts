import type { Person } from "../core/chat.ts";
import type { Preference } from "../core/history.ts";
import { parsePlace, placesOf, type Place, type Whereabouts } from "../core/places.ts";
import { isAtLeast, type GivenRole, type Role } from "../core/roles.ts";
import type { Drafting } from "../store/personas/persona-drafts.ts";
import type { PlaceRule } from "../store/people/place-rules.ts";
import type { PeopleStore, PreferenceChange, Profile } from "../store/people/people.ts";

export interface AccessSettings {
  readonly mode: "open" | "pairing" | "allowlist";
  /** Person ids, e.g. `telegram:1`. */
  readonly admins: readonly string[];
  /** Persons, and places such as `telegram:chat:-100123`. */
  readonly allow: readonly string[];
  readonly ban: readonly string[];
  /** Administrators of a group, as the platform reports them, are admins in its chats. */
  readonly trustGroupAdmins?: boolean;
}

/** A person's role and choices. */
export interface PersonProfile {
  readonly role: Role;
  /**
   * The place is banned: nothing is sent there, not even a refusal. Then `role` is `banned` for all
   * but admins.
   */
  readonly isSilent?: true;
  readonly preference: Preference;
  /** The persona that was chosen for the place, as `personaRefText` writes it. */
  readonly placePersona?: string;
  /** The chosen language, by its ISO 639-1 code. */
  readonly language?: string;
  /** BCP 47: the language that the platform reported last, if stored. */
  readonly reportedLanguage?: string;
  readonly drafting?: Drafting;
}

/**
 * Cached data about a person is read again after this; changes by this process apply at once.
 * Milliseconds.
 */
const cacheMs = 1_000;
const maxCached = 10_000;

/**
 * `telegram:-100123` is a group, or a sender that speaks in the name of a group
 * or channel.
 */
const bothNames = (entry: string): readonly string[] => [entry, parsePlace(entry) ?? entry];

interface Cached<Value> {
  readonly value: Value;
  readonly untilMs: number;
}

/**
 * Resolves everyone's role: first from the operator's settings, then from what
 * admins set in chats, persons before places. Also reads what people chose for
 * themselves, since it is stored next to the role.
 */
export class Access {
  readonly #people: PeopleStore;
  readonly #settings: AccessSettings;
  readonly #lists: Record<"admins" | "allow" | "ban", ReadonlySet<string>>;
  readonly #now: () => number;
  readonly #profiles = new Map<string, Cached<Profile>>();
  readonly #rules = new Map<Place, Cached<PlaceRule | undefined>>();
  /** By the names of the places. */
  readonly #placePersonas = new Map<string, Cached<string | undefined>>();
  /** Number of changes made here: data read before the newest one may be stale. */
  #changes = 0;

  /** @param now milliseconds, never going back. */
  constructor(people: PeopleStore, settings: AccessSettings, now: () => number) {
    this.#people = people;
    this.#settings = settings;
    this.#lists = {
      admins: new Set(settings.admins),
      allow: new Set(settings.allow.flatMap(bothNames)),
      ban: new Set(settings.ban.flatMap(bothNames)),
    };
    this.#now = now;
  }

  get mode(): AccessSettings["mode"] {
    return this.#settings.mode;
  }

  /** Whether the bot waits for its first owner: there is no admin yet, and the code makes one. */
  async isUnclaimed(): Promise<boolean> {
    return this.mode === "pairing" && (await this.admins()).length === 0;
  }

  get trustsGroupAdmins(): boolean {
    return this.#settings.trustGroupAdmins === true;
  }

  /** Whether the operator's own list admits or bans a person or a place. A ban takes precedence. */
  listed(what: string): PlaceRule | undefined {
    if (this.#lists.ban.has(what)) return "ban";
    return this.#lists.allow.has(what) ? "allow" : undefined;
  }

  /** Whether the operator's own list makes them an owner. */
  isListedOwner(personId: string): boolean {
    return this.#lists.admins.has(personId);
  }

  async roleOf(person: Person, where?: Whereabouts): Promise<Role> {
    return (await this.profileOf(person, where)).role;
  }

  /**
   * The role as stored now, for callers about to change it: includes what
   * another process just wrote.
   */
  async roleNow(person: Person): Promise<Role> {
    this.#profiles.delete(person.id);
    return await this.roleOf(person);
  }

  /** @param where absent: the role regardless of place. */
  async profileOf(person: Person, where?: Whereabouts): Promise<PersonProfile> {
    const places = where === undefined ? [] : placesOf(where);
    const [{ role, ...own }, rule, placePersona] = await Promise.all([
      this.#personally(person),
      this.#ruleOf(places),
      this.#placePersona(places),
    ]);
    const chosen = { ...own, ...(placePersona === undefined ? {} : { placePersona }) };
    if (rule === "ban" && !isAtLeast(role, "admin"))
      return { role: "banned", isSilent: true, ...chosen };
    if (rule === "allow" && role === "stranger") return { role: "guest", ...chosen };
    return { role, ...chosen };
  }

  /** The role regardless of place. */
  async #personally(person: Person): Promise<PersonProfile> {
    const { mode } = this.#settings;
    const { admins, allow, ban } = this.#lists;
    if (ban.has(person.id)) return { role: "banned", preference: {} };
    const { role, isClaimer, ...chosen } = await this.#stored(person.id);
    // An anonymous sender speaks for many people: it can be banned, but it has
    // no rights of its own and no preferences.
    if (person.anonymous) {
      if (role === "banned") return { role, preference: {} };
      return { role: mode === "open" ? "member" : "stranger", preference: {} };
    }
    // The user of the operator's own terminal owns the bot.
    const isOperator = person.id.startsWith("console:");
    if (isOperator || isClaimer || admins.has(person.id)) return { role: "owner", ...chosen };
    if (role !== undefined) return { role, ...chosen };
    const isMember = mode === "open" || allow.has(person.id);
    return { role: isMember ? "member" : "stranger", ...chosen };
  }

  /** A ban of any of the places overrides every admission. */
  async #ruleOf(places: readonly Place[]): Promise<PlaceRule | undefined> {
    if (places.length === 0) return undefined;
    const said = await this.#storedRules(places);
    const all = new Set([...places.map((place) => this.listed(place)), ...said]);
    if (all.has("ban")) return "ban";
    return all.has("allow") ? "allow" : undefined;
  }

  /**
   * Whether a person with the right to do so allowed this place, so that it
   * isn't just anyone's group.
   */
  async isLetIn(where: Whereabouts): Promise<boolean> {
    return (await this.#ruleOf(placesOf(where))) === "allow";
  }

  /** The rule that admins have set for a place from a chat. */
  async ruleOf(place: Place): Promise<PlaceRule | undefined> {
    return (await this.#storedRules([place]))[0];
  }

  /** @param rule undefined: removes it. */
  async setRule(place: Place, rule: PlaceRule | undefined): Promise<void> {
    await this.#people.setRule(place, rule);
    this.#changes += 1;
    this.#rules.delete(place);
  }

  placePersonas(places: readonly Place[]): Promise<readonly (string | undefined)[]> {
    return this.#people.placePersonas(places);
  }

  /** @param ref undefined: none is chosen any more. */
  async setPlacePersona(place: Place, ref: string | undefined): Promise<void> {
    await this.#people.setPlacePersona(place, ref);
    this.#changes += 1;
    this.#placePersonas.clear();
  }

  async setRole(person: Pick<Person, "id" | "name">, role: GivenRole | undefined): Promise<void> {
    await this.#people.setRole(person, role);
    this.#forget(person.id);
  }

  async setPreference(person: Pick<Person, "id">, change: PreferenceChange): Promise<void> {
    await this.#people.setPreference(person.id, change);
    this.#forget(person.id);
  }

  /** Sets the time zone of a person who has none; whether it did. */
  async keepZone(person: Person, zone: string): Promise<boolean> {
    if (person.anonymous) return false;
    const isKept = await this.#people.keepZone(person.id, zone);
    this.#forget(person.id);
    return isKept;
  }

  /** @param language undefined: removes the choice. */
  async setLanguage(person: Pick<Person, "id">, language: string | undefined): Promise<void> {
    await this.#people.setLanguage(person.id, language);
    this.#forget(person.id);
  }

  /** Remembers a language that the platform reports only sometimes. */
  async reportLanguage({ id }: Person, language: string): Promise<void> {
    await this.#people.setReportedLanguage(id, language);
    this.#forget(id);
  }

  /** @param drafting as `PersonaDrafts.write` returns it. */
  async setDrafting(person: Pick<Person, "id">, drafting: string | undefined): Promise<void> {
    await this.#people.setDrafting(person.id, drafting);
    this.#forget(person.id);
  }

  /** Ids of all admins, from the settings and from the chat. */
  async admins(): Promise<readonly string[]> {
    const stored = await this.#people.withRole("admin");
    return this.#unlessBanned([...this.#settings.admins, ...stored]);
  }

  /** Ids of all owners known by name, including the user of the terminal. */
  async owners(): Promise<readonly string[]> {
    const claimers = await Promise.all(
      (await this.#people.withRole("admin")).map(async (id) =>
        (await this.#stored(id)).isClaimer ? [id] : [],
      ),
    );
    return this.#unlessBanned([...this.#settings.admins, ...claimers.flat()]);
  }

  /**
   * People on the operator's ban list have no other role, whatever is stored
   * about them.
   */
  #unlessBanned(ids: readonly string[]): readonly string[] {
    return [...new Set(ids)].filter((id) => !this.#lists.ban.has(id));
  }

  #forget(id: string): void {
    this.#changes += 1;
    this.#profiles.delete(id);
  }

  async #stored(id: string): Promise<Profile> {
    const known = this.#profiles.get(id);
    if (known && known.untilMs > this.#now()) return known.value;
    const changes = this.#changes;
    const profile = await this.#people.profile(id);
    if (changes === this.#changes) this.#keep(this.#profiles, id, profile);
    return profile;
  }

  async #storedRules(places: readonly Place[]): Promise<readonly (PlaceRule | undefined)[]> {
    const known = places.map((place) => this.#rules.get(place));
    const nowMs = this.#now();
    if (known.every((each) => each !== undefined && each.untilMs > nowMs))
      return known.map((each) => each?.value);
    const changes = this.#changes;
    const rules = await this.#people.rulesOf(places);
    if (changes === this.#changes)
      for (const [index, place] of places.entries()) this.#keep(this.#rules, place, rules[index]);
    return rules;
  }

  /** Of the narrowest place that has one. Read in the same round trip as the rules. */
  async #placePersona(places: readonly Place[]): Promise<string | undefined> {
    const name = places.join(" ");
    if (name === "") return undefined;
    const known = this.#placePersonas.get(name);
    if (known !== undefined && known.untilMs > this.#now()) return known.value;
    const changes = this.#changes;
    const found = (await this.placePersonas(places)).find((ref) => ref !== undefined);
    if (changes === this.#changes) this.#keep(this.#placePersonas, name, found);
    return found;
  }

  #keep<Name, Value>(cache: Map<Name, Cached<Value>>, name: Name, value: Value): void {
    if (cache.size >= maxCached) cache.clear();
    cache.set(name, { value, untilMs: this.#now() + cacheMs });
  }
}
