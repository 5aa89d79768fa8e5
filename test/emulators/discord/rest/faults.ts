import { objectOf, type JsonObject } from "../json.ts";

/**
 * How a request goes wrong. `status`, `hang`, `hang-up-before` and `garbage` do not carry it out;
 * `hang-up-after` does, and then cuts the line instead of answering; `delay` carries it out late.
 */
export type Fault =
  | {
      readonly type: "status";
      readonly code: number;
      readonly body?: unknown;
      readonly retryAfterSeconds?: number;
      readonly global?: boolean;
    }
  | { readonly type: "hang" }
  | { readonly type: "hang-up-before" }
  | { readonly type: "hang-up-after" }
  | { readonly type: "delay"; readonly ms: number }
  | { readonly type: "garbage" };

export interface Injection {
  readonly method?: string;
  /** Tested against the decoded path behind `/api/v10`. Without it every path matches. */
  readonly path?: RegExp;
  /** Tested against the message in the body. Without it every body matches. */
  readonly match?: (body: JsonObject) => boolean;
  readonly times: number;
  readonly kind: Fault;
}

/** An injection that was made; `used` grows up to `times`. */
export interface ActiveInjection extends Injection {
  used: number;
}

/** Faults on command, in the order in which they were injected. */
export class Faults {
  readonly #active: ActiveInjection[] = [];

  inject(injection: Injection): ActiveInjection {
    const active = { ...injection, used: 0 };
    this.#active.push(active);
    return active;
  }

  take(method: string, path: string, body?: unknown): Fault | undefined {
    const active = this.#active.find(
      (injection) =>
        injection.used < injection.times &&
        (injection.method === undefined || injection.method.toUpperCase() === method) &&
        (injection.path === undefined || injection.path.test(path)) &&
        (injection.match === undefined || injection.match(objectOf(body))),
    );
    if (!active) return undefined;
    active.used += 1;
    return active.kind;
  }

  clear(): void {
    this.#active.length = 0;
  }
}
