import { chatKey, parseChatKey } from "../../core/chat.ts";
import type { ChatMoves } from "../../core/ports.ts";
import { chatKeys, configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";

/**
 * That a chat has not moved is asked again after this time: another process may have learned that
 * it has. Milliseconds.
 */
const rememberedMs = 60_000;
const maxRemembered = 10_000;

/**
 * One bot's moves: a hash with `to:<first id>` and `from:<new id>` for each, kept as long as the
 * bot's chats are.
 * @param bot `platform:bot`. @param now by a clock that never goes back, milliseconds.
 */
export function createChatMoves(
  { redis }: Pick<Store, "redis">,
  bot: string,
  now: () => number = () => performance.now(),
): ChatMoves {
  const key = configKey(`moved:${bot}`);
  const known = new Remembered(now);
  const lookUp = async (field: string): Promise<string | undefined> => {
    const remembered = known.get(field);
    if (remembered !== undefined) return remembered.other;
    const other = (await redis.hget(key, field)) ?? undefined;
    known.set(field, other);
    return other;
  };
  return {
    async record(from, to) {
      const isKnown = (await redis.hget(key, `from:${to}`)) === from;
      const isOneChat = isKnown || !(await hasLife(redis, bot, to));
      await redis.hset(key, {
        [`to:${from}`]: to,
        ...(isOneChat ? { [`from:${to}`]: from } : {}),
      });
      known.set(`to:${from}`, to);
      if (isOneChat) known.set(`from:${to}`, from);
    },
    idOf: async (chat) => (await lookUp(`to:${chat}`)) ?? chat,
    nameOf: async (id) => (await lookUp(`from:${id}`)) ?? id,
  };
}

/** The General topic of a forum. */
const generalThread = "1";

/**
 * Whether people have talked to the bot under this id: an ongoing conversation
 * must not be replaced by an older one when the move is noticed late.
 */
async function hasLife(redis: Store["redis"], bot: string, chat: string): Promise<boolean> {
  const address = parseChatKey(`${bot}:${chat}`);
  const places = [address, { ...address, thread: generalThread }];
  for (const place of places) {
    const { log, inbox, settings, plans, facts } = chatKeys(chatKey(place));
    for (const each of [log, inbox, settings, plans, facts])
      if ((await redis.exists(each)) > 0) return true;
  }
  return false;
}

/**
 * The last look-ups, the oldest first: a move is permanent, but a chat without one may move later.
 */
class Remembered {
  readonly #found = new Map<
    string,
    { readonly other: string | undefined; readonly atMs: number }
  >();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  get(field: string): { readonly other: string | undefined } | undefined {
    const found = this.#found.get(field);
    const isOver =
      found !== undefined && found.other === undefined && this.#now() - found.atMs >= rememberedMs;
    return isOver ? undefined : found;
  }

  set(field: string, other: string | undefined): void {
    this.#found.delete(field);
    this.#found.set(field, { other, atMs: this.#now() });
    const [oldest] = this.#found.keys();
    if (this.#found.size > maxRemembered && oldest !== undefined) this.#found.delete(oldest);
  }
}
