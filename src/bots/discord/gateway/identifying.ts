import { performance } from "node:perf_hooks";
import type { APIGatewaySessionStartLimit } from "discord.js";
import type { Logger } from "pino";
import { messageOf } from "../../../core/errors.ts";
import { unlessAborted } from "../../../util/abort.ts";
import { sleep } from "../../../util/sleep.ts";
import type { GatewayMemory } from "./memory.ts";

/**
 * Below this many session starts, or two for each shard, they are spread over the time that is
 * left.
 */
const fewStarts = 20;
const longestPauseMs = 10 * 60_000;
/** Between two looks for a free slot, with up to as much again by chance. */
const slotLookMs = 250;
const askAgainMs = 5_000;

interface IdentifyingDeps {
  readonly limit: () => Promise<APIGatewaySessionStartLimit>;
  readonly memory: Pick<GatewayMemory, "takeIdentifySlot">;
  readonly log: Logger;
}

/**
 * Says when an IDENTIFY may be sent: one in 5 s per bucket over all processes (`shard %
 * max_concurrency`), and never the last ones of a day at once: Discord resets the token of a bot
 * that has used them up.
 */
export class Identifying {
  readonly #deps: IdentifyingDeps;
  /** By `performance.now()`; kept when a connection breaks while it waits. */
  #notBefore: number | undefined;

  constructor(deps: IdentifyingDeps) {
    this.#deps = deps;
  }

  /** @throws the signal's reason once it is aborted, and nothing else. */
  async wait(
    { shard, shardCount }: { shard: number; shardCount: number },
    signal: AbortSignal,
  ): Promise<void> {
    const limit = await this.#retryUntilAccepted(() => this.#deps.limit(), signal);
    await this.#spare(limit, { shardCount, signal });
    const bucket = shard % Math.max(1, limit.max_concurrency);
    const take = () => this.#deps.memory.takeIdentifySlot(bucket);
    while (!(await this.#retryUntilAccepted(take, signal)))
      await sleep(slotLookMs * (1 + Math.random()), signal);
  }

  async #spare(
    { remaining, reset_after: resetAfterMs }: APIGatewaySessionStartLimit,
    { shardCount, signal }: { shardCount: number; signal: AbortSignal },
  ): Promise<void> {
    if (remaining >= Math.max(fewStarts, 2 * shardCount)) return;
    const pauseMs =
      remaining > 0 ? Math.min(longestPauseMs, resetAfterMs / (remaining + 1)) : resetAfterMs;
    const now = performance.now();
    if (this.#notBefore === undefined)
      this.#deps.log.warn(
        { remaining, resetAfterMs, pauseMs: Math.round(pauseMs) },
        "few of Discord's session starts are left: the next one waits",
      );
    this.#notBefore ??= now + pauseMs;
    const leftMs = Math.max(0, this.#notBefore - now);
    await sleep(leftMs, signal);
    this.#notBefore = undefined;
  }

  async #retryUntilAccepted<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
    for (;;)
      try {
        signal.throwIfAborted();
        return await unlessAborted(ask(), signal);
      } catch (failure) {
        signal.throwIfAborted();
        const cause = messageOf(failure);
        this.#deps.log.warn({ cause }, "a session start has to wait");
        await sleep(askAgainMs, signal);
      }
  }
}
