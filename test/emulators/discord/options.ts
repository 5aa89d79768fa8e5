import type { GatewayIntentBits } from "discord-api-types/v10";

interface RateLimitOptions {
  /** Requests per window, for each route and major parameter. */
  readonly limit: number;
  readonly windowMs: number;
  /** Only paths (behind `/api/v10`) that match are limited; without it, all. */
  readonly path?: RegExp;
}

export interface DiscordServerOptions {
  readonly token?: string;
  /**
   * Privileged intents enabled in the developer portal; IDENTIFY with another one closes with 4014.
   * Default none.
   */
  readonly privilegedIntents?: readonly GatewayIntentBits[];
  /** Default 3,000 (docs: Receiving and Responding to Interactions). */
  readonly interactionDeadlineMs?: number;
  /** Default 15 min (same page). */
  readonly interactionTokenMs?: number;
  /** Default 41,250, as the real gateway says today. */
  readonly heartbeatIntervalMs?: number;
  /**
   * How long a disconnected session can still be resumed. Default 180,000; the real figure is not
   * published.
   */
  readonly sessionLifetimeMs?: number;
  /**
   * Another IDENTIFY within this time of the last (per bucket) gets op 9. Default 0: off; the real
   * figure is 5,000.
   */
  readonly identifyIntervalMs?: number;
  /** Default 1,000 a day; what is left is shown in `session_start_limit`. */
  readonly identifyLimit?: number;
  /**
   * Shards that may IDENTIFY at the same time. Default 1; it can be changed with `allowIdentifies`.
   */
  readonly maxConcurrency?: number;
  /** What `GET /gateway/bot` recommends. */
  readonly shards?: number;
  /** IDENTIFY with fewer shards closes with 4011, as for a bot that has outgrown them. */
  readonly minShards?: number;
  /** Without it the headers are sent and nothing is refused. */
  readonly rateLimit?: RateLimitOptions;
  /**
   * Without it there is no global limit; the real figure is 50. Interaction callbacks and webhooks
   * don't count.
   */
  readonly globalRequestsPerSecond?: number;
  /**
   * How long a nonce is remembered. Default 180,000 ("the past few minutes", docs: Create Message).
   */
  readonly nonceWindowMs?: number;
  /** How far the clock that makes the ids is ahead of this machine's. Default 0. */
  readonly clockOffMs?: number;
}

/** Every option with its default. */
export function withDefaults(options: DiscordServerOptions) {
  return {
    privilegedIntents: (options.privilegedIntents ?? []).reduce((bits, intent) => bits | intent, 0),
    interactionDeadlineMs: options.interactionDeadlineMs ?? 3_000,
    interactionTokenMs: options.interactionTokenMs ?? 15 * 60_000,
    heartbeatIntervalMs: options.heartbeatIntervalMs ?? 41_250,
    sessionLifetimeMs: options.sessionLifetimeMs ?? 180_000,
    identifyIntervalMs: options.identifyIntervalMs ?? 0,
    identifyLimit: options.identifyLimit ?? 1_000,
    maxConcurrency: options.maxConcurrency ?? 1,
    shards: options.shards ?? 1,
    minShards: options.minShards ?? 1,
    rateLimit: options.rateLimit,
    globalRequestsPerSecond: options.globalRequestsPerSecond,
    nonceWindowMs: options.nonceWindowMs ?? 180_000,
    clockOffMs: options.clockOffMs ?? 0,
  };
}

export type Options = ReturnType<typeof withDefaults>;
