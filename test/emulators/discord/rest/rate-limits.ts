import { createHash } from "node:crypto";
import type { Options } from "../options.ts";
import type { Route } from "./route.ts";

/** Advertised where nothing is enforced: high enough that a client never waits for it. */
const freeLimit = 1_000;
const freeWindowMs = 1_000;

export interface RateLimitVerdict {
  readonly headers: Record<string, string>;
  /** Set: answer 429. */
  readonly refusal?: {
    readonly retryAfterSeconds: number;
    readonly global: boolean;
  };
}

interface Window {
  used: number;
  endsAtMs: number;
}

/**
 * Fixed windows for each route and major parameter (docs: Rate Limits), and the global one of a
 * second.
 */
export class RateLimits {
  readonly #options: Options;
  readonly #windows = new Map<string, Window>();

  constructor(options: Options) {
    this.#options = options;
  }

  count(route: Route, path: string): RateLimitVerdict {
    const { rateLimit, globalRequestsPerSecond } = this.#options;
    if (globalRequestsPerSecond !== undefined && route.credential === "bot") {
      const { left, waitMs } = this.#take("global", globalRequestsPerSecond, 1_000);
      if (left < 0) return refuse(waitMs, true, {});
    }
    const enforced = rateLimit && (rateLimit.path?.test(path) ?? true) ? rateLimit : undefined;
    const limit = enforced?.limit ?? freeLimit;
    const bucket = createHash("sha256")
      .update(`${route.method} ${route.pattern}`)
      .digest("hex")
      .slice(0, 32);
    const windowMs = enforced?.windowMs ?? freeWindowMs;
    const { left, waitMs } = this.#take(`${bucket}:${majorParameter(path)}`, limit, windowMs);
    const headers = {
      "x-ratelimit-bucket": bucket,
      "x-ratelimit-limit": String(limit),
      "x-ratelimit-remaining": String(enforced ? Math.max(0, left) : Math.max(1, left)),
      "x-ratelimit-reset": ((Date.now() + waitMs) / 1_000).toFixed(3),
      "x-ratelimit-reset-after": (waitMs / 1_000).toFixed(3),
    };
    return enforced && left < 0 ? refuse(waitMs, false, headers) : { headers };
  }

  #take(key: string, limit: number, windowMs: number): { left: number; waitMs: number } {
    const now = Date.now();
    let window = this.#windows.get(key);
    if (!window || window.endsAtMs <= now) window = { used: 0, endsAtMs: now + windowMs };
    window.used += 1;
    this.#windows.set(key, window);
    return { left: limit - window.used, waitMs: window.endsAtMs - now };
  }
}

function refuse(
  waitMs: number,
  global: boolean,
  headers: Record<string, string>,
): RateLimitVerdict {
  const retryAfterSeconds = waitMs / 1_000;
  return {
    headers: { ...headers, ...refusalHeaders(retryAfterSeconds, global) },
    refusal: { retryAfterSeconds, global },
  };
}

/** `Retry-After` is in whole seconds, rounded up; the body's `retry_after` is exact. */
export function refusalHeaders(retryAfterSeconds: number, global: boolean): Record<string, string> {
  return {
    "retry-after": String(Math.ceil(retryAfterSeconds)),
    "x-ratelimit-scope": global ? "global" : "user",
    ...(global ? { "x-ratelimit-global": "true" } : {}),
  };
}

export function refusalBody(retryAfterSeconds: number, global: boolean): unknown {
  return {
    message: "You are being rate limited.",
    retry_after: retryAfterSeconds,
    global,
  };
}

/** Channel, guild, or webhook with its token (docs: Rate Limits, top-level resources). */
function majorParameter(path: string): string {
  return /^\/(?:channels|guilds|webhooks)\/\d+(?:\/[^/]{60,})?/.exec(path)?.[0] ?? "";
}
