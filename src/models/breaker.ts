/** Failures within the window that open the breaker. */
const maxFailures = 5;
const windowMs = 60_000;
/**
 * How long a model isn't asked after that, and how long a trial request keeps
 * others away.
 */
const restMs = 30_000;

interface State {
  failuresAtMs: number[];
  /** Set while open. */
  openUntilMs?: number;
}

/**
 * One breaker per model: `closed → open` (5 failures within 60 s) `→ trial`
 * (after 30 s, one request) `→ closed | open`. cockatiel's breaker wraps a call
 * that settles once, uses its own clock and makes others wait for the trial; a
 * stream that may run for minutes needs none of that.
 */
export class Breakers {
  readonly #now: () => number;
  readonly #states = new Map<string, State>();

  constructor(deps: { readonly now: () => number }) {
    this.#now = deps.now;
  }

  /**
   * Whether a request may be made. When it is the trial, the next one may be made only after
   * another rest.
   */
  admit(model: string): boolean {
    const state = this.#state(model);
    if (state.openUntilMs === undefined) return true;
    if (this.#now() < state.openUntilMs) return false;
    state.openUntilMs = this.#now() + restMs;
    return true;
  }

  isOpen(model: string): boolean {
    return this.#state(model).openUntilMs !== undefined;
  }

  succeeded(model: string): void {
    this.#states.delete(model);
  }

  /** The beginning of an attempt, for `failed`. */
  now(): number {
    return this.#now();
  }

  /**
   * Attempts that were already running when the last failure was counted report
   * the same outage: a process that was paused finds all its connections closed
   * at once.
   */
  failed(model: string, beganAtMs = this.#now()): void {
    const state = this.#state(model);
    const nowMs = this.#now();
    const lastAtMs = state.failuresAtMs.at(-1);
    if (lastAtMs !== undefined && beganAtMs < lastAtMs) return;
    state.failuresAtMs = state.failuresAtMs.filter((atMs) => nowMs - atMs < windowMs);
    state.failuresAtMs.push(nowMs);
    if (state.failuresAtMs.length >= maxFailures || state.openUntilMs !== undefined)
      state.openUntilMs = nowMs + restMs;
  }

  #state(model: string): State {
    const found = this.#states.get(model);
    if (found) return found;
    const state: State = { failuresAtMs: [] };
    this.#states.set(model, state);
    return state;
  }
}
