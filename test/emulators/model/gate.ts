import type { ModelRequest } from "./model-request.ts";

export type Matcher = string | RegExp | ((request: ModelRequest) => boolean);

/**
 * Text and expressions look at the last user text and match only while that message is the last
 * one: an answer to tool results is matched by a function.
 */
export function matches(matcher: Matcher, request: ModelRequest): boolean {
  if (typeof matcher === "function") return matcher(request);
  if (request.lastRole !== "user") return false;
  return typeof matcher === "string"
    ? request.lastUserText.includes(matcher)
    : request.lastUserText.search(matcher) >= 0;
}

/**
 * Where a stream stops: before its status line, or after so many chunks with text, reasoning or
 * calls.
 */
export type GatePoint = "headers" | number;

/** closed → open (`release`). An open gate stops no one any more. */
export class Gate {
  readonly matcher: Matcher;
  readonly at: GatePoint;
  readonly released: Promise<void>;
  readonly #open: () => void;
  readonly #whenHeld: (timeoutMs: number) => Promise<void>;

  constructor(options: {
    matcher: Matcher;
    at: GatePoint;
    whenHeld: (gate: Gate, timeoutMs: number) => Promise<void>;
    onRelease: (gate: Gate) => void;
  }) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.matcher = options.matcher;
    this.at = options.at;
    this.released = promise;
    this.#whenHeld = (timeoutMs) => options.whenHeld(this, timeoutMs);
    this.#open = () => {
      options.onRelease(this);
      resolve();
    };
  }

  /** Resolves when a request stands at the gate. */
  waitUntilHeld({ timeoutMs = 20_000 } = {}): Promise<void> {
    return this.#whenHeld(timeoutMs);
  }

  release(): void {
    this.#open();
  }

  [Symbol.dispose](): void {
    this.release();
  }
}
