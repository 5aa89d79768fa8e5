import type { ChatKey } from "../../core/chat.ts";
import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";

/** The counts of a day and of a month expire some time after its end. Seconds. */
const dayTtl = 3 * 86_400;
const monthTtl = 63 * 86_400;
/** Chats of today that a process remembers to have counted. */
const maxRemembered = 20_000;

/** How many chats spoke to Parley, to about one per cent; which ones is written nowhere. */
export interface ChatCount {
  /** Written once a day per chat and process. */
  note(chat: ChatKey): Promise<void>;
  read(): Promise<{ readonly today: number; readonly thisMonth: number }>;
}

const keyOf = (span: string): string => configKey(`chats:${span}`);

/** @param now milliseconds since the epoch; days and months are UTC's. */
export function createChatCount(
  { redis, clock }: Store,
  now: () => number = () => clock.now(),
): ChatCount {
  const noted = new Set<ChatKey>();
  let notedOn = "";
  const names = () => {
    const day = new Date(now()).toISOString().slice(0, 10);
    return { day, dayKey: keyOf(day), monthKey: keyOf(day.slice(0, 7)) };
  };
  return {
    async note(chat) {
      const { day, dayKey, monthKey } = names();
      if (day !== notedOn || noted.size >= maxRemembered) noted.clear();
      notedOn = day;
      if (noted.has(chat)) return;
      noted.add(chat);
      await Promise.all([
        redis.pfadd(dayKey, chat),
        redis.expire(dayKey, dayTtl),
        redis.pfadd(monthKey, chat),
        redis.expire(monthKey, monthTtl),
      ]);
    },
    async read() {
      const { dayKey, monthKey } = names();
      const [today, thisMonth] = await Promise.all([
        redis.pfcount(dayKey),
        redis.pfcount(monthKey),
      ]);
      return { today, thisMonth };
    },
  };
}
