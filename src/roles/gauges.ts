import { pauseScopes } from "../core/pause.ts";
import type { GaugeSource } from "../http/gauges.ts";
import { answers } from "../store/redis/answers.ts";
import { countApprovals, oldestInboxMs } from "../store/operations/backlog.ts";
import { countOverdueSchedules } from "../store/turns/overdue.ts";
import { countDeadLetters } from "../store/turns/dead-letters.ts";
import type { Services } from "../services.ts";
import type { Settings } from "../config/settings.ts";
import { ownVersion } from "../util/version.ts";

/** How long Redis may take to answer a probe. Milliseconds. */
export const redisAnswerLimitMs = 1_500;

interface GaugeDeps {
  readonly services: () => Services | undefined;
  readonly bots: () => readonly string[];
  readonly role: Settings["role"];
}

/**
 * What `/metrics` reports besides what this process has counted; of Redis nothing until the services
 * exist. `bots` are those that this process is connected as.
 */
export const gaugesOf = (deps: GaugeDeps): readonly GaugeSource[] => [
  ...processGauges(deps),
  ...waitingGauges(deps),
];

const processGauges = ({ services, role }: GaugeDeps): readonly GaugeSource[] => [
  {
    name: "parley_build_info",
    help: "1; which version this process runs, in which role",
    labels: ["version", "role"],
    read: () => Promise.resolve([{ labels: { version: ownVersion(), role }, value: 1 }]),
  },
  {
    name: "parley_redis_up",
    help: "1 where Redis answers this process, else 0",
    labels: [],
    async read() {
      const redis = services()?.store.redis;
      const isUp = redis !== undefined && (await answers(redis, redisAnswerLimitMs));
      return [{ labels: {}, value: isUp ? 1 : 0 }];
    },
  },
];

const waitingGauges = ({ services, bots }: GaugeDeps): readonly GaugeSource[] => [
  {
    name: "parley_inbox_oldest_seconds",
    help: "How long the oldest message has been waiting for a worker",
    labels: [],
    async read() {
      const store = services()?.store;
      return store ? [{ labels: {}, value: (await oldestInboxMs(store)) / 1_000 }] : [];
    },
  },
  {
    name: "parley_approvals",
    help: "Approvals that wait for a person, and those whose time is up and that no process has closed",
    labels: ["state"],
    async read() {
      const store = services()?.store;
      if (store === undefined) return [];
      const counts = await countApprovals(store);
      return Object.entries(counts).map(([state, value]) => ({ labels: { state }, value }));
    },
  },
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
    name: "parley_schedules_overdue",
    help: "Schedules that should have been fired two minutes ago or more, and were not",
    labels: [],
    async read() {
      const store = services()?.store;
      return store ? [{ labels: {}, value: await countOverdueSchedules(store) }] : [];
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
