import { setTimeout as sleep } from "node:timers/promises";
import { writeTogether } from "../../src/store/redis/write-together.ts";
import { readyKey, type Store } from "./store.ts";
import { openTelegram, type Update } from "./telegram.ts";
import { wakeTurn, type TurnQueue } from "./turn-queue.ts";

/** Chats that are taken from the ready ones at once, beside the one that is waited for. */
const mostTaken = 100;
/** How long Redis waits for a ready chat, in seconds. */
const waitSeconds = 5;

/** Receives updates and sends answers, until the process ends. */
export function startBots({
  store,
  queue,
  telegramUrl,
}: {
  readonly store: Store;
  readonly queue: TurnQueue;
  readonly telegramUrl: string;
}): void {
  const telegram = openTelegram(telegramUrl);

  /** Accepted, then woken: both in one write. */
  const accept = async ({ update_id: update, message: { chat, text } }: Update): Promise<void> => {
    const message = JSON.stringify({ role: "user", content: text });
    await Promise.all([store.accept(chat.id, update, message), wakeTurn(queue, chat.id)]);
  };
  /** The platform keeps an update until the next call names an offset after it. */
  const receive = async (): Promise<never> => {
    for (let offset = 0; ;) {
      const updates = await telegram.updates(offset);
      await Promise.all(updates.map(accept));
      offset = (updates.at(-1)?.update_id ?? offset - 1) + 1;
    }
  };

  /** Sends what a chat's outbox holds. */
  const deliver = async (chat: number): Promise<void> => {
    for (;;) {
      const opened = await store.open(chat);
      if (opened.type === "nothing") return;
      if (opened.type === "later") {
        await sleep(opened.inMs);
        continue;
      }
      const messageId = opened.mayHaveBeenSent ? "unknown" : await telegram.send(chat, opened.text);
      if ((await store.receipt(chat, opened, messageId)) === 0) return;
    }
  };
  const deliverReady = async (): Promise<never> => {
    // A connection that blocks.
    const taking = store.redis.duplicate();
    writeTogether(taking);
    for (;;) {
      const others = taking.zpopmin(readyKey, mostTaken);
      const first = taking.bzpopmin(readyKey, waitSeconds);
      for (const [index, chat] of (await others).entries())
        if (index % 2 === 0) void deliver(Number(chat));
      const [, chat] = (await first) ?? [];
      if (chat !== undefined) void deliver(Number(chat));
    }
  };

  void receive();
  void deliverReady();
}
