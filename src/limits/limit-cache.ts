import type { Logger } from "pino";
import type { LimitRule } from "../core/limits.ts";
import type { LimitRules, RuleChange } from "../store/limits/limit-rules.ts";
import { EffectiveLimits } from "./effective-limits.ts";

/** Cached limits are read again after this; a change made here applies at once. Milliseconds. */
const cacheMs = 1_000;

/**
 * Cache of the effective limits. They are read again when they are a second old, or when a script
 * has reported a newer version.
 */
export class LimitCache {
  readonly #rules: LimitRules;
  readonly #file: readonly LimitRule[];
  readonly #now: () => number;
  readonly #log: Logger;
  #book: EffectiveLimits | undefined;
  #readAtMs = -Infinity;
  /** Number of changes made here: data read before the newest one may be stale. */
  #changes = 0;
  /** A read in progress that began after the newest change. */
  #reading: Promise<EffectiveLimits> | undefined;

  /** @param now milliseconds, never going back. */
  constructor({
    rules,
    file,
    now,
    log,
  }: {
    readonly rules: LimitRules;
    readonly file: readonly LimitRule[];
    readonly now: () => number;
    readonly log: Logger;
  }) {
    this.#rules = rules;
    this.#file = file;
    this.#now = now;
    this.#log = log;
  }

  async current(): Promise<EffectiveLimits> {
    const isFresh = this.#now() - this.#readAtMs < cacheMs;
    return this.#book && isFresh ? this.#book : await this.#read();
  }

  /**
   * Checks whether the rules changed and rereads them if so; later calls see
   * the current rules.
   */
  async refresh(): Promise<void> {
    const askedAtMs = this.#now();
    const changes = this.#changes;
    const version = await this.#rules.version();
    if (this.#book?.version === version) {
      if (changes === this.#changes) this.#readAtMs = askedAtMs;
      return;
    }
    const book = await this.#read();
    // A reading that was under way already may have come too early.
    if (book.version !== version) await this.#read();
  }

  /** Rereads the rules if a script has seen another version of them. */
  async onVersion(version: string): Promise<void> {
    const book = await this.current();
    if (book.version !== version) await this.after(book);
  }

  /** For who knows that a book is out of date. */
  async after(book: EffectiveLimits): Promise<EffectiveLimits> {
    const current = await this.current();
    return current === book ? await this.#read() : current;
  }

  /** The earlier limits of these scopes, from a chat or from the file; undefined: none was set. */
  async change(
    eventId: string,
    changes: readonly RuleChange[],
  ): Promise<readonly (number | undefined)[]> {
    const before = await this.#rules.change(eventId, changes);
    this.#changes += 1;
    this.#reading = undefined;
    this.#readAtMs = -Infinity;
    return before;
  }

  #read(): Promise<EffectiveLimits> {
    if (this.#reading === undefined) {
      const reading = this.#fetch(this.#changes).finally(() => {
        if (this.#reading === reading) this.#reading = undefined;
      });
      this.#reading = reading;
    }
    return this.#reading;
  }

  async #fetch(changes: number): Promise<EffectiveLimits> {
    const askedAtMs = this.#now();
    const { version, rules, unreadable } = await this.#rules.read();
    const isSame = this.#book?.version === version;
    const book =
      this.#book && isSame
        ? this.#book
        : new EffectiveLimits(version, { file: this.#file, set: rules });
    if (!isSame && unreadable.length > 0) this.#log.warn({ unreadable }, "unreadable limits");
    if (changes === this.#changes) {
      this.#book = book;
      this.#readAtMs = askedAtMs;
    }
    return book;
  }
}
