import { performance } from "node:perf_hooks";
import type { Figures } from "../commands/stats.ts";
import { deliveryQueueName, turnQueueName } from "../queue/names.ts";
import { countDeadLetters } from "../store/dead-letters.ts";
import type { Services } from "./services.ts";
import { ownVersion } from "./version.ts";

/** What `/stats` shows. @param bots `platform:bot` of those that this process is connected as. */
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
  const [used, counted, turns, deliveries, deadLetters, paused] =
    await Promise.all([
      limits.desk.usage("everybody"),
      chats.read(),
      waker.depth(turnQueueName),
      Promise.all(bots.map((bot) => waker.depth(deliveryQueueName(bot)))),
      countDeadLetters(store),
      pauses.read(),
    ]);
  const sumOf = (state: "waiting" | "active"): number =>
    deliveries.reduce((sum, depth) => sum + depth[state], 0);
  return {
    version: ownVersion(),
    uptimeMs: performance.now(),
    chats: counted,
    spent: { today: used.day, thisMonth: used.month },
    turns,
    deliveries: { waiting: sumOf("waiting"), active: sumOf("active") },
    deadLetters,
    pauses: paused,
  };
}
