import type { Update } from "@grammyjs/types";
import { ApiError } from "./api-error.ts";
import type { MethodContext } from "./method-context.ts";
import { integerField, jsonField } from "./parameters.ts";
import type { World } from "./world.ts";

const clamp = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value));

/**
 * `getUpdates`. At most one call waits; a second that has to wait ends the first with 409, as in
 * `Client::do_get_updates`. A caller that is gone stops waiting, and what it was not given stays
 * pending.
 */
export class Poller {
  readonly #world: World;
  #endWaiting: ((outcome: readonly Update[] | ApiError) => void) | undefined;

  constructor(world: World) {
    this.#world = world;
  }

  get isWaiting(): boolean {
    return this.#endWaiting !== undefined;
  }

  async getUpdates(
    { call }: MethodContext,
    webhookIsSet: boolean,
    gone: AbortSignal,
  ): Promise<readonly Update[]> {
    if (webhookIsSet)
      throw new ApiError(
        409,
        "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
      );
    const { payload } = call;
    const { queue } = this.#world;
    queue.allow(jsonField(payload, "allowed_updates", "allowed_updates"));
    const offset = integerField(payload, "offset") ?? 0;
    const limit = clamp(integerField(payload, "limit") ?? 100, 1, 100);
    const timeoutSeconds = clamp(integerField(payload, "timeout") ?? 0, 0, 50);
    const updates = queue.take(offset, limit);
    this.#world.changed();
    if (updates.length > 0 || timeoutSeconds === 0) return updates;
    this.conflict(
      "terminated by other getUpdates request; make sure that only one bot instance is running",
    );
    return await this.#wait(() => queue.take(offset, limit), timeoutSeconds * 1000, gone);
  }

  /** Ends the waiting call, if there is one, with 409. */
  conflict(reason: string): void {
    this.#endWaiting?.(new ApiError(409, `Conflict: ${reason}`));
  }

  #wait(
    take: () => readonly Update[],
    timeoutMs: number,
    gone: AbortSignal,
  ): Promise<readonly Update[]> {
    const { promise, resolve, reject } = Promise.withResolvers<readonly Update[]>();
    const { changes } = this.#world;
    const end = (outcome: readonly Update[] | ApiError): void => {
      clearTimeout(timer);
      changes.off("update", wake);
      gone.removeEventListener("abort", giveUp);
      if (this.#endWaiting === end) this.#endWaiting = undefined;
      if (outcome instanceof ApiError) reject(outcome);
      else resolve(outcome);
      this.#world.changed();
    };
    const giveUp = (): void => end([]);
    // A short delay lets updates of one moment travel together, like the server's
    // LONG_POLL_MAX_DELAY.
    const wake = (): void => {
      setImmediate(() => {
        if (this.#endWaiting !== end) return;
        const updates = take();
        if (updates.length > 0) end(updates);
      });
    };
    const timer = setTimeout(() => end([]), timeoutMs);
    changes.on("update", wake);
    gone.addEventListener("abort", giveUp);
    this.#endWaiting = end;
    this.#world.changed();
    return promise;
  }
}
