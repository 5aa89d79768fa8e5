import { keysOf, openStore } from "./store.ts";

const filler = "the quick brown fox jumps over the lazy dog while the bot answers ";

/** Gives every chat a past of `history` messages, as the other systems have it. */
export async function seedFloor({
  redisUrl,
  chats,
  history,
}: {
  readonly redisUrl: string;
  readonly chats: readonly number[];
  readonly history: number;
}): Promise<void> {
  const { redis } = openStore(redisUrl);
  try {
    const messages = Array.from({ length: history }, (_, index) =>
      JSON.stringify({
        role: index % 2 === 0 ? "user" : "assistant",
        content: `message ${index}: ${filler}`,
      }),
    );
    for (const chat of chats) {
      const keys = keysOf(chat);
      await redis.hset(keys.state, "epoch", "seed");
      await redis.rpush(keys.history, ...messages);
    }
  } finally {
    redis.disconnect();
  }
}
