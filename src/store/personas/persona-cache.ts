import {
  personaRefText,
  type Persona,
  type PersonaOwner,
  type PersonaRef,
} from "../../core/persona.ts";
import type { TurnPersona } from "../../core/turn-persona.ts";
import { unlessUnreadable, type ReportProblem } from "../unreadable.ts";
import type { PersonaStore } from "./personas.ts";

/** Changes by other processes apply after this. Milliseconds. */
const cacheMs = 1_000;
/** The same where the process that made them died before it could count them. Milliseconds. */
const maxAgeMs = 10_000;
const maxCached = 1_000;

/**
 * The personas that a worker's turns use, in memory. Reads one number per second at most, and the
 * personas again when that number has changed.
 */
export class PersonaCache {
  readonly usual: string | undefined;
  readonly #store: Pick<PersonaStore, "find" | "content" | "version">;
  readonly #options: { readonly now: () => number; readonly report: ReportProblem };
  readonly #found = new Map<string, TurnPersona>();
  readonly #contents = new Map<string, Persona>();
  #version: string | undefined;
  #freshUntilMs = -Infinity;
  #emptyAtMs = -Infinity;

  /** @param options.now milliseconds, never going back. */
  constructor(
    store: Pick<PersonaStore, "find" | "content" | "version">,
    options: {
      readonly usual: string | undefined;
      readonly now: () => number;
      readonly report: ReportProblem;
    },
  ) {
    this.#store = store;
    this.usual = options.usual;
    this.#options = options;
  }

  /** @throws what the store throws; what is remembered then remains valid. */
  async refresh(): Promise<void> {
    const nowMs = this.#options.now();
    if (nowMs < this.#freshUntilMs) return;
    const version = await this.#store.version();
    if (version !== this.#version || nowMs >= this.#emptyAtMs) {
      this.#found.clear();
      this.#contents.clear();
      this.#version = version;
      this.#emptyAtMs = nowMs + maxAgeMs;
    }
    this.#freshUntilMs = nowMs + cacheMs;
  }

  async find(ref: PersonaRef): Promise<TurnPersona | undefined> {
    const absent = { is: false };
    const persona = await this.#remembered(this.#found, personaRefText(ref), async () => {
      const found = await this.#store.find(ref);
      absent.is = found === undefined;
      if (found === undefined) return undefined;
      const persona = { ...ref, hash: found.revision.hash };
      keep(this.#contents, contentName(persona), found.persona);
      return persona;
    });
    // What can't be read has no content, and so permits no tool: without it more would be permitted.
    return persona ?? (absent.is ? undefined : { ...ref, hash: "" });
  }

  content(of: TurnPersona): Promise<Persona | undefined> {
    return this.#remembered(this.#contents, contentName(of), () =>
      this.#store.content(of.owner as PersonaOwner, of.hash),
    );
  }

  /** What is not there is asked for again: another process may be about to write it. */
  async #remembered<Value>(
    cache: Map<string, Value>,
    name: string,
    read: () => Promise<Value | undefined>,
  ): Promise<Value | undefined> {
    const known = cache.get(name);
    if (known !== undefined) return known;
    const version = this.#version;
    const value = await unlessUnreadable(this.#options.report, name, read);
    if (value !== undefined && version === this.#version) keep(cache, name, value);
    return value;
  }
}

const contentName = ({ owner, hash }: Pick<TurnPersona, "owner" | "hash">): string =>
  `${owner} ${hash}`;

function keep<Value>(cache: Map<string, Value>, name: string, value: Value): void {
  if (cache.size >= maxCached) cache.clear();
  cache.set(name, value);
}
