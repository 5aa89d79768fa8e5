import { chatKey } from "../../src/core/chat.ts";
import type { LogEntry } from "../../src/core/history.ts";
import { openTurn } from "../../src/loop/machine/open-turn.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { openStore, type Store } from "../../src/store/redis/redis.ts";
import { createTurnStore } from "../../src/store/turns/turn-store.ts";

/** As the product has them by default, in ms. */
const leaseMs = 6_000;
const retentionMs = 90 * 86_400_000;

const filler = "the quick brown fox jumps over the lazy dog while the bot answers ";
const botId = "100000001";

/**
 * Gives every chat a past of `history` messages, by the store's own functions: what people and the
 * model said in turns.
 */
export async function seedParley({
  redisUrl,
  chats,
  history,
}: {
  readonly redisUrl: string;
  readonly chats: readonly number[];
  readonly history: number;
}): Promise<void> {
  const store = openStore(redisUrl, () => undefined);
  try {
    for (const chat of chats) await seedChat(store, chat, history);
  } finally {
    store.redis.disconnect();
  }
}

async function seedChat(store: Store, number: number, history: number): Promise<void> {
  const chat = chatKey({
    platform: "telegram",
    bot: botId,
    chat: String(number),
  });
  const person = { id: `telegram:${number}`, name: `Person ${number}` };
  const asked = (id: string, text: string) =>
    ({ kind: "message", v: 1, id, person, text, atMs: Date.now() }) as const;
  await createInbox(store).append(chat, asked("seed", `message 0: ${filler}`));
  const turns = createTurnStore({ store, leaseMs, retentionMs, openTurn });
  const begun = await turns.begin(chat);
  if (begun.type !== "begun" || begun.state === undefined)
    throw new Error(`${chat}: expected a turn, found ${begun.type}`);
  const { turn } = begun.state;
  const entries = Array.from({ length: history - 1 }, (_, index): LogEntry => {
    const text = `message ${index + 1}: ${filler}`;
    return index % 2 === 0
      ? {
          kind: "assistant",
          v: 1,
          turn,
          round: 1,
          model: "openai/stub",
          text,
          calls: [],
        }
      : asked(`seed-${index}`, text);
  });
  const committed = await turns.commit(begun.session, begun.revision, {
    state: undefined,
    turn,
    append: entries,
    release: {},
  });
  if (committed.type !== "committed") throw new Error(committed.type);
}
