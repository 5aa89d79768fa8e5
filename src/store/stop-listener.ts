import type { Redis } from "ioredis";
import { stopChannel } from "./inbox.ts";

/**
 * Hears that somebody stopped a chat, or wrote into one whose running turn may want to know at once. Only quickens what
 * the next heartbeat tells: a message that is lost costs no more.
 */
export interface StopListener extends Disposable {
  readonly onStop: (chat: string, listener: () => void) => Disposable;
}

/** @param redis a connection of its own: a subscribed one takes no other commands. */
export async function listenForStops(redis: Redis): Promise<StopListener> {
  const listeners = new Map<string, () => void>();
  redis.on("message", (_channel, chat) => listeners.get(chat)?.());
  await redis.subscribe(stopChannel);
  return {
    onStop(chat, listener) {
      listeners.set(chat, listener);
      return {
        [Symbol.dispose]: () => {
          if (listeners.get(chat) === listener) listeners.delete(chat);
        },
      };
    },
    [Symbol.dispose]() {
      listeners.clear();
      redis.disconnect();
    },
  };
}
