import { Queue } from "bullmq";
import type { Redis } from "ioredis";

export const queueName = "{turns}";
export const queuePrefix = "floor";

/** A chat's job; the work itself is in the chat's inbox. */
export interface TurnJob {
  readonly chat: number;
}

export type TurnQueue = Queue<TurnJob>;

/** As Parley's: at most one job per chat active and one waiting. */
export const openTurnQueue = (connection: Redis): TurnQueue =>
  new Queue<TurnJob>(queueName, {
    connection,
    prefix: queuePrefix,
    streams: { events: { maxLen: 100 } },
    defaultJobOptions: { attempts: 1, removeOnComplete: true, removeOnFail: true },
  });

export async function wakeTurn(queue: TurnQueue, chat: number): Promise<void> {
  const deduplication = { id: String(chat), keepLastIfActive: true };
  await queue.add("turn", { chat }, { deduplication });
}
