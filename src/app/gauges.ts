import { pauseScopes } from "../core/pause.ts";
import type { GaugeSource } from "../http/gauges.ts";
import { deliveryQueueName, turnQueueName } from "../queue/names.ts";
import { countDeadLetters } from "../store/dead-letters.ts";
import type { Services } from "./services.ts";

/**
 * What `/metrics` says beside the process' own figures; nothing before there are services. `bots` are those that this
 * process is connected as.
 */
export const gaugesOf = (
  services: () => Pick<Services, "waker" | "store" | "pauses"> | undefined,
  bots: () => readonly string[],
): readonly GaugeSource[] => [
  {
    name: "parley_queue_jobs",
    help: "Chats that wait for a process or are worked on",
    labels: ["queue", "state"],
    async read() {
      const waker = services()?.waker;
      if (waker === undefined) return [];
      const queues = [
        ["turns", turnQueueName] as const,
        ...bots().map((bot) => [bot, deliveryQueueName(bot)] as const),
      ];
      const depths = await Promise.all(
        queues.map(async ([queue, name]) => {
          const { waiting, active } = await waker.depth(name);
          return [
            { labels: { queue, state: "waiting" }, value: waiting },
            { labels: { queue, state: "active" }, value: active },
          ];
        }),
      );
      return depths.flat();
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
