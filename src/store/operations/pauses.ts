import { z } from "zod";
import type { ChatKey } from "../../core/chat.ts";
import type { OutboxEntry } from "../../core/outbox.ts";
import { pauseScopes, type Pause, type PauseScope, type Pauses } from "../../core/pause.ts";
import { sleep } from "../../util/sleep.ts";
import { serialiseOut, stopChannel } from "../turns/inbox.ts";
import { chatKeys, configKey } from "../keys.ts";
import { number, type Store } from "../redis/redis.ts";

const key = configKey("pause");

const pauseSchema = z.object({
  v: z.literal(1),
  // The range of a JavaScript Date.
  sinceMs: z.number().min(0).max(8.64e15),
  isNow: z.boolean(),
});

/**
 * A value that this version can't read pauses, too: for a kill switch that is
 * the safe side.
 */
function pauseOf(json: string): Pause {
  try {
    const { v: _, ...pause } = pauseSchema.parse(JSON.parse(json));
    return pause;
  } catch {
    return { sinceMs: 0, isNow: false };
  }
}

/** The kill switch, one for all processes; it outlives them. */
export interface PauseStore {
  read(): Promise<Pauses>;
  /**
   * Durable and effective when it fulfils: no worker opens a turn from then on. An active pause
   * keeps its beginning, and is never made milder.
   */
  pause(scope: PauseScope, pause: { readonly isNow: boolean }): Promise<void>;
  /** Of `all`: every one. Whether anything was paused so. */
  resume(scope: PauseScope): Promise<boolean>;
  /**
   * Stops the running turn of a chat, but nothing in its inbox, unless it was
   * stopped before; `notice` goes to its outbox with the turn's end, if that is
   * still to come.
   */
  halt(chat: ChatKey, notice: OutboxEntry): Promise<void>;
}

/** Cached pauses are read again after this. Milliseconds. */
export const pausesCountForMs = 1_000;

export interface PauseOptions {
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** How long it takes until every process knows. Milliseconds. */
  readonly knownAfterMs?: number;
}

export function createPauses(
  store: Store,
  { now = () => store.clock.now(), knownAfterMs = pausesCountForMs }: PauseOptions = {},
): PauseStore {
  const { redis } = store;
  const read = async (): Promise<Pauses> => {
    const stored = await redis.hgetall(key);
    return Object.fromEntries(
      pauseScopes.flatMap((scope) => {
        const json = stored[scope];
        if (json === undefined) return [];
        return [[scope, pauseOf(json)]];
      }),
    );
  };
  return {
    read,
    async pause(scope, { isNow }) {
      for (;;) {
        const known = (await redis.hget(key, scope)) ?? "";
        const before = known === "" ? undefined : pauseOf(known);
        const json = JSON.stringify({
          v: 1,
          sinceMs: before?.sinceMs ?? now(),
          isNow: isNow || before?.isNow === true,
        });
        // Two admins at once: the milder one never takes the stricter one's place.
        if (number(await store.run("pause", [key], [scope, known, json])) === 1) break;
      }
      await sleep(knownAfterMs);
    },
    async resume(scope) {
      const gone = scope === "all" ? await redis.del(key) : await redis.hdel(key, scope);
      return gone > 0;
    },
    async halt(chat, notice) {
      const { state } = chatKeys(chat);
      const isHalted = number(await store.run("halt", [state], [serialiseOut(notice)])) === 1;
      if (isHalted) await redis.publish(stopChannel, chat);
    },
  };
}
