import { once } from "node:events";
import pino from "pino";
import { Access } from "../../src/access/access.ts";
import type { ChatKey } from "../../src/core/chat.ts";
import { fireSchedules, spreadCrowds } from "../../src/jobs/fire-schedules.ts";
import { createLimits } from "../../src/limits/create-limits.ts";
import { startSweeper } from "../../src/queue/sweeper.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { createConnectedBots } from "../../src/store/operations/connected-bots.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import { openStore } from "../../src/store/redis/redis.ts";
import { createDeadChats } from "../../src/store/turns/dead-chats.ts";
import { createSchedules } from "../../src/store/turns/schedules.ts";

/** Fires the schedules in the Redis at `REDIS_URL`, until SIGTERM. */
const monotonic = (): number => performance.now();
const store = openStore(process.env["REDIS_URL"] ?? "", (error) => console.error(error.message));
const log = pino({ level: "error" }, pino.destination(2));
const people = createPeopleStore(store);
const now = () => store.clock.now();
const access = new Access(people, { mode: "open", admins: [], allow: [], ban: [] }, monotonic);
const limits = createLimits({
  store,
  file: [],
  access,
  people,
  log,
  now,
  monotonic,
  roleOf: ({ person }) => access.roleOf(person),
  connectedBots: createConnectedBots(store),
  post: () => Promise.resolve(),
});
const schedules = createSchedules(store, {
  retentionMs: 90 * 86_400_000,
  report: (what) => console.error(what),
});
// A worker takes each message at once, so that none of them is overdue.
const waker = {
  wake: async (_: string, chat: ChatKey) =>
    void (await store.redis.zrem(chatKeys(chat).wake, `in:${chat}`)),
};
const deps = {
  store,
  access,
  limits,
  schedules,
  people,
  connectedBots: createConnectedBots(store),
  deadChats: createDeadChats(store),
  post: () => Promise.resolve(),
  log,
  now,
  waker,
};
await store.clock.read();
{
  await using _ = startSweeper({
    store,
    log,
    waker: { wakeAgain: () => Promise.resolve() },
    expire: () => Promise.resolve(),
    onForgotten: () => Promise.resolve(),
    spread: (due) => spreadCrowds(deps, due),
    fire: (due) => fireSchedules(deps, due),
    index: () => Promise.resolve([]),
    embed: () => Promise.resolve(),
  });
  await once(process, "SIGTERM");
}
store.redis.disconnect();
