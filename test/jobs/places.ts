import pino from "pino";
import { Access } from "../../src/access/access.ts";
import { chatKey, parseChatKey, type ChatKey, type Person } from "../../src/core/chat.ts";
import type { Schedule } from "../../src/core/schedule.ts";
import { fireSchedules, type FiringDeps } from "../../src/jobs/fire-schedules.ts";
import { createLimits } from "../../src/limits/create-limits.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { createConnectedBots } from "../../src/store/operations/connected-bots.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import { createDeadChats } from "../../src/store/turns/dead-chats.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { createSchedules, dueSchedule } from "../../src/store/turns/schedules.ts";
import { newChat, retentionMs, scheduleIn, storeOn } from "../store/support.ts";
import type { TestRedis } from "../support/redis/test-redis.ts";

export const bot = "telegram:77";
export const hourMs = 3_600_000;
const hourly = { type: "every", everyMs: hourMs, fromMs: 0 } as const;
export const owner = chatKey(parseChatKey(`${bot}:900`));

/** Chats, people and schedules of a deployment in which telegram:900 is the owner. */
export async function openPlaces(server: Pick<TestRedis, "url">) {
  const store = storeOn(server);
  const { redis } = store;
  const people = createPeopleStore(store);
  const inbox = createInbox(store, { whileBusy: "followup" });
  const deadChats = createDeadChats(store);
  const schedules = createSchedules(store, { retentionMs, report: () => undefined });
  const connectedBots = createConnectedBots(store);
  const log = pino({ level: "silent" });
  await connectedBots.note([bot, "discord:9"]);
  /** Ahead of Redis, by what a test adds. */
  const clock = { aheadMs: 1_000 };
  const now = () => Date.now() + clock.aheadMs;
  const access = new Access(
    people,
    { mode: "open", admins: ["telegram:900"], allow: [], ban: [] },
    () => performance.now(),
  );
  const post: FiringDeps["post"] = async (chat, entry) => void (await inbox.post(chat, entry));
  const deps: FiringDeps = {
    store,
    access,
    people,
    schedules,
    deadChats,
    connectedBots,
    limits: createLimits({
      store,
      file: [],
      access,
      people,
      log,
      roleOf: ({ person }) => access.roleOf(person),
      connectedBots,
      post: () => Promise.resolve(),
      now,
      monotonic: () => performance.now(),
    }),
    post,
    waker: { wake: () => Promise.resolve() },
    log,
    now,
  };
  let persons = 1_000;
  return {
    store,
    redis,
    people,
    inbox,
    deadChats,
    schedules,
    access,
    deps,
    clock,
    now,
    /** The texts in a chat's outbox. */
    told: async (chat: ChatKey) =>
      (await redis.lrange(chatKeys(chat).outbox, 0, -1)).map(
        (each) => (JSON.parse(each.slice(each.indexOf(" ") + 1)) as { text: string }).text,
      ),
    /** As the sweeper takes them. @returns how many were due */
    pass: async (chat: ChatKey, given = deps): Promise<number> => {
      const nowMs = now();
      const flat = await redis.zrangebyscore(chatKeys(chat).wake, "-inf", nowMs, "WITHSCORES");
      const due = flat.flatMap((member, index) =>
        member.startsWith(`plan:${chat}/`)
          ? [dueSchedule(member.slice("plan:".length), nowMs - Number(flat[index + 1]), nowMs)]
          : [],
      );
      await fireSchedules(given, due);
      return due.length;
    },
    /** Someone who has written to the bot in private, unless they aren't known. */
    someone: async ({ isKnown = true } = {}): Promise<{ by: Person; own: ChatKey }> => {
      persons += 1;
      const own = chatKey(parseChatKey(`${bot}:${persons}`));
      const by = { id: `telegram:${persons}`, name: `Ann${persons}` };
      if (isKnown) await people.setDirectChat(bot, by.id, own);
      return { by, own };
    },
    newGroup: (): ChatKey => newChat({ bot: "77", chat: `-100${(persons += 1)}` }),
    planned: async (chat: ChatKey, given: Partial<Schedule>): Promise<void> => {
      const nextMs = now() + hourMs;
      const usual = { direct: false, timing: hourly, nextMs };
      await schedules.save(chat, scheduleIn(chat, { ...usual, ...given }));
    },
  };
}
