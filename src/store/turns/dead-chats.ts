import { chatKey, parseChatKey, type ChatKey } from "../../core/chat.ts";
import type { ReachChange } from "../../core/ports.ts";
import { chatKeys, chatOfKey } from "../keys.ts";
import { list, number, text, type Store } from "../redis/redis.ts";
import { scanKeys } from "../redis/scan-keys.ts";
import { packFields } from "../redis/script-fields.ts";
import { deadTtlMs } from "./dead-letter.ts";
import { stopChannel } from "./inbox.ts";

/** A chat is dead after so many refused deliveries in a row. */
export const maxRefused = 3;

/**
 * Chats in which nothing can be sent any more: `alive → dead → alive`. A chat is dead at a sure sign
 * of its platform, or after `maxRefused` refusals in a row, which `receipt` counts; it is alive when a
 * delivery arrives again, or the platform says so. Each change has its schedules looked at.
 */
export interface DeadChats {
  /** Since when it is dead, in ms since the epoch; undefined: it is alive. */
  since(chat: ChatKey): Promise<number | undefined>;
  /**
   * Idempotent. @param change.stops ends the turn that runs there, and what waits: the platform is
   * sure of it. @param change.isNews a receipt has marked it just now.
   */
  mark(
    chat: ChatKey,
    change: { readonly isDead: boolean; readonly stops?: boolean; readonly isNews?: boolean },
  ): Promise<void>;
  /** What a platform reports, of all chats that it is about. Looks at every key's name. */
  note(change: ReachChange): Promise<void>;
}

/** @param died a living chat was marked dead */
export function createDeadChats(
  store: Store,
  died: (chat: ChatKey) => void = () => undefined,
): DeadChats {
  const { redis } = store;
  const mark: DeadChats["mark"] = async (chat, { isDead, stops = false, isNews = false }) => {
    if (isNews) died(chat);
    const { state, inbox, plans, wake } = chatKeys(chat);
    const reply = list(
      await store.run(
        "dead-chat",
        [state, inbox, plans, wake],
        packFields({
          chat,
          inMember: `in:${chat}`,
          isDead: isDead || undefined,
          stops: stops || undefined,
          ttlMs: deadTtlMs,
        }),
      ),
    );
    if (isDead && text(reply[0]) === "changed") died(chat);
    if (number(reply[1]) === 1) await redis.publish(stopChannel, chat);
  };
  return {
    async since(chat) {
      const atMs = await redis.hget(chatKeys(chat).state, "out:dead");
      return atMs === null ? undefined : Number(atMs);
    },
    mark,
    async note(change) {
      const isDead = !change.isReachable;
      for await (const chat of chatsOf(store, change)) await mark(chat, { isDead, stops: isDead });
    },
  };
}

/** The chats with a state or schedules that a change is about. */
async function* chatsOf(
  store: Store,
  { bot, chats, thread, guild }: ReachChange,
): AsyncGenerator<ChatKey, void, undefined> {
  const [only] = chats;
  if (thread !== undefined && only !== undefined) {
    yield chatKey({ ...parseChatKey(`${bot}:${only}`), thread });
    return;
  }
  const wanted = new Set(chats);
  const isOfGuild = async (key: string): Promise<boolean> =>
    guild !== undefined &&
    (await store.redis.hvals(key)).some((json) => json.includes(`"guild":"${guild}"`));
  for (const kind of ["st", "plans"] as const)
    for await (const key of scanKeys(store, `parley:{s*}:${kind}:${bot}:*`)) {
      const chat = chatOfKey(key, kind);
      if (chat === undefined) continue;
      const isWanted = wanted.has(parseChatKey(chat).chat);
      if (isWanted || (kind === "plans" && (await isOfGuild(key)))) yield chat;
    }
}
