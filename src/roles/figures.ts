import { performance } from "node:perf_hooks";
import type { Figures } from "../commands/ports.ts";
import { countDeadLetters } from "../store/turns/dead-letters.ts";
import { readOngoing } from "../store/turns/ongoing.ts";
import type { Services } from "../services.ts";
import { ownVersion } from "../util/version.ts";

/** Answers whose state is read; of the others it is known whether a worker has them. */
const mostRead = 100;

/**
 * The figures of `/stats`. @param bots `platform:bot` of the bots that this process is connected
 * as.
 */
export async function readFigures(
  {
    store,
    waker,
    chats,
    pauses,
    limits,
  }: Pick<Services, "store" | "waker" | "chats" | "pauses" | "limits">,
  bots: readonly string[],
): Promise<Figures> {
  const [used, counted, turns, deliveries, deadLetters, paused] = await Promise.all([
    limits.limitService.usage("everybody"),
    chats.read(),
    readOngoing(store, mostRead),
    Promise.all(bots.map((bot) => waker.deliveries(bot))),
    countDeadLetters(store),
    pauses.read(),
  ]);
  return {
    version: ownVersion(),
    uptimeMs: performance.now(),
    chats: counted,
    spent: { today: used.day, thisMonth: used.month },
    turns: { active: turns.total - turns.queued, waiting: turns.queued },
    deliveries: deliveries.reduce((sum, waiting) => sum + waiting, 0),
    deadLetters,
    pauses: paused,
  };
}
