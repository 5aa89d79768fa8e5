import { markdownOf } from "./entities-markdown.ts";
import { entitiesSchema } from "./update.ts";

/** A value of any shape: what it lacks is empty. */
export class Fields {
  readonly #fields: Readonly<Record<string, unknown>>;

  constructor(value: unknown) {
    this.#fields = Object(value) as Readonly<Record<string, unknown>>;
  }

  text(name: string): string {
    const value = this.#fields[name];
    return typeof value === "string" ? value.trim() : "";
  }

  /** With the formatting of its entities. */
  formatted(name: string): string {
    const value = this.#fields[name];
    const entities = entitiesSchema.parse(this.#fields[`${name}_entities`]) ?? [];
    return typeof value === "string" ? markdownOf({ text: value, entities }).trim() : "";
  }

  number(name: string): number | undefined {
    const value = this.#fields[name];
    return typeof value === "number" ? value : undefined;
  }

  has(name: string): boolean {
    return Boolean(this.#fields[name]);
  }

  of(name: string): Fields {
    return new Fields(this.#fields[name]);
  }

  values(name: string): readonly unknown[] {
    const value = this.#fields[name];
    return Array.isArray(value) ? value : [];
  }

  list(name: string): readonly Fields[] {
    return this.values(name).map((each) => new Fields(each));
  }
}
