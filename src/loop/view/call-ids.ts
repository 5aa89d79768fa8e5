/** Leaves room for the number of a copy within 40 characters. */
const maxKeyLength = 24;

/** A model may invent any name; providers accept only these characters, 1 to 64 of them. */
export const validName = (name: string): string =>
  name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "unnamed";

/**
 * Gives every call of one request an id that every provider takes: 1 to 40 of `[A-Za-z0-9_-]`, none
 * of them twice.
 */
export class CallIds {
  readonly #used = new Set<string>();
  readonly #copies = new Map<string, number>();

  /** The key itself, or the first of `<key>_2`, `<key>_3` … that no call has. */
  take(key: string): string {
    const base = key.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, maxKeyLength);
    let copy = this.#copies.get(base) ?? 0;
    let id: string;
    do {
      copy += 1;
      id = copy === 1 ? base : `${base}_${copy}`;
    } while (this.#used.has(id));
    this.#copies.set(base, copy);
    this.#used.add(id);
    return id;
  }
}
