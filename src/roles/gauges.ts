import { pauseScopes } from "../core/pause.ts";
import type { GaugeSource } from "../http/gauges.ts";
import { countDeadLetters } from "../store/turns/dead-letters.ts";
import type { Services } from "../services.ts";

/**
 * What `/metrics` reports besides the process's own metrics; nothing until the
 * services exist. `bots` are those that this process is connected as.
 */
export const gaugesOf = (
  services: () => Pick<Services, "waker" | "store" | "pauses"> | undefined,
  bots: () => readonly string[],
): readonly GaugeSource[] => [
  {
    name: "parley_queue_jobs",
    help: "Jobs of one to eight chats whose turns wait for a worker or are worked on, and chats that wait to be sent to, by bot",
    labels: ["queue", "state"],
    async read() {
      const waker = services()?.waker;
      if (waker === undefined) return [];
      const [turns, ...deliveries] = await Promise.all([
        waker.turns(),
        ...bots().map(async (bot) => ({
          labels: { queue: bot, state: "waiting" },
          value: await waker.deliveries(bot),
        })),
      ]);
      const of = (state: "waiting" | "active") => ({
        labels: { queue: "turns", state },
        value: turns[state],
      });
      return [of("waiting"), of("active"), ...deliveries];
    },
  },
  {
    name: "parley_dead_letters",
    help: "Messages that were given up and can be replayed",
    labels: [],
    async read() {
      const store = services()?.store;
      if (store === undefined) return [];
      return [{ labels: {}, value: await countDeadLetters(store) }];
    },
  },
  {
    name: "parley_paused",
    help: "1 where no turn is opened, since an admin or the operator has paused it",
    labels: ["scope"],
    async read() {
      const pauses = await services()?.pauses.read();
      if (pauses === undefined) return [];
      return pauseScopes.map((scope) => ({
        labels: { scope },
        value: pauses[scope] === undefined ? 0 : 1,
      }));
    },
  },
];
