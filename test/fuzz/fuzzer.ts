import type { Random } from "../chaos/storm/random.ts";

/** What came of one input. */
export interface FuzzResult {
  /** It was not thrown out by the first schema that outside input meets. */
  readonly passed: boolean;
  /** What it led to, e.g. `queued`; counted and printed. */
  readonly outcome: string;
}

/** One kind of outside input, and all of the real code that it runs through. */
export interface Fuzzer extends AsyncDisposable {
  readonly name: string;
  /** What its inputs run through, and what must hold, in words. */
  readonly covers: string;
  /**
   * Outcomes that a run of some thousands must have had: a fuzzer that never gets so far shows
   * nothing.
   */
  readonly mustReach: readonly string[];
  /** An input, as text; a pure function of the random numbers. */
  make(random: Random): string;
  /** @throws whatever breaks a property. */
  run(input: string): Promise<FuzzResult>;
  /** What can only be looked at for many inputs together. @throws whatever breaks a property. */
  check?(): Promise<void>;
}

/** Thrown by a fuzzer where the code did what it never may. */
export class PropertyBroken extends Error {
  override readonly name = "PropertyBroken";
}

export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new PropertyBroken(what);
}
