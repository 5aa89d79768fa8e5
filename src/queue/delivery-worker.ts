import type { Logger } from "pino";
import { botOf, chatKey, parseChatKey, type ChatKey } from "../core/chat.ts";
import { messageOf } from "../core/errors.ts";
import type { Connection } from "../store/redis/connection.ts";
import { ReadyTaker } from "../store/turns/ready-chats.ts";
import { sleep, sleepUnref } from "../util/sleep.ts";
import { drainSafely, type Drain } from "./drain.ts";
import { retryAfterErrorMs } from "./names.ts";
import { queueErrorLog } from "./queue-error-log.ts";
import type { Waker } from "./waker.ts";

/**
 * How long a stopping process wakes chats again that reached it in the
 * meantime. Milliseconds.
 */
const wakeLimitMs = 500;

export interface DeliveryWorkerDeps {
  readonly connection: Connection;
  /** `platform:bot`, whose chats are sent to here. */
  readonly bot: string;
  /** Chats that are sent to at the same time. */
  readonly concurrency: number;
  readonly drain: Drain;
  readonly waker: Waker;
  /**
   * Aborts when the process is stopping: running work is released at once,
   * before anything is disposed.
   */
  readonly signal: AbortSignal;
  readonly log: Logger;
}

/**
 * Takes the ready chats of one bot and drains each, never one twice at once.
 * Other processes may do the same: the lease decides who owns the outbox.
 * Disposing stops taking, aborts running work, and waits until it has ended.
 */
export function createDeliveryWorker(deps: DeliveryWorkerDeps): AsyncDisposable {
  const { bot, concurrency, waker, log } = deps;
  const logError = queueErrorLog(log, `deliveries of ${bot}`);
  const stopping = new AbortController();
  const { signal } = stopping;
  /** For each chat being drained, whether it was woken since. */
  const active = new Map<ChatKey, "drained" | "woken">();
  const running = new Set<Promise<unknown>>();
  const waking = new Set<Promise<unknown>>();
  let onFree: (() => void) | undefined;

  /** Only awaited at shutdown, and only briefly: the wake index knows the chat, too. */
  const wake = (chat: ChatKey): void => {
    const woken = waker
      .wake("delivery", chat)
      .catch((error: unknown) =>
        log.warn({ chat, error: messageOf(error) }, "could not wake a chat; the sweeper will"),
      )
      .finally(() => waking.delete(woken));
    waking.add(woken);
  };
  const drainOne = async (chat: ChatKey): Promise<void> => {
    active.set(chat, "drained");
    const result = await drainSafely(deps, chat, signal);
    const isWoken = active.get(chat) === "woken";
    active.delete(chat);
    onFree?.();
    if (result.type === "later") waker.wakeIn("delivery", chat, result.inMs);
    if (result.type === "again" || isWoken) wake(chat);
  };
  const start = (chat: ChatKey): void => {
    if (active.has(chat)) {
      active.set(chat, "woken");
      return;
    }
    if (signal.aborted) {
      // A chat that arrived while this process was stopping is for another one.
      wake(chat);
      return;
    }
    const run = drainOne(chat).finally(() => running.delete(run));
    running.add(run);
  };
  const onTaken = (members: readonly string[]): void => {
    for (const member of members) {
      const chat = readyChat(member, deps);
      if (chat) start(chat);
    }
  };

  /** Chats of this bot that this process itself has something for. */
  const offered = waker.offer("delivery", (chat) => {
    if (botOf(chat) !== bot || signal.aborted) return false;
    if (active.size >= concurrency && !active.has(chat)) return false;
    start(chat);
    return true;
  });
  const taker = new ReadyTaker(deps.connection, bot, (error) =>
    logError(error, "delivery worker error"),
  );
  const listen = async (): Promise<void> => {
    while (!signal.aborted) {
      const free = concurrency - active.size;
      if (free > 0)
        await taker.take(free, onTaken).catch(async (error: unknown) => {
          if (signal.aborted) return;
          logError(asError(error), "delivery worker error");
          await sleep(retryAfterErrorMs, signal).catch(() => undefined);
        });
      else
        await new Promise<void>((resolve) => {
          onFree = resolve;
        });
    }
  };
  void listen();

  let ending: Promise<void> | undefined;
  const stop = (): void => {
    offered[Symbol.dispose]();
    stopping.abort("shutdown");
    ending ??= taker.end();
  };
  deps.signal.addEventListener("abort", stop, { once: true });
  if (deps.signal.aborted) stop();
  return {
    async [Symbol.asyncDispose]() {
      deps.signal.removeEventListener("abort", stop);
      stop();
      // If Redis is away, the blocking read learns of the lost connection
      // later; don't wait for it.
      await ending;
      await Promise.all(running);
      await Promise.race([Promise.all(waking), sleepUnref(wakeLimitMs)]);
    },
  };
}

function readyChat(member: string, { bot, log }: DeliveryWorkerDeps): ChatKey | undefined {
  try {
    return chatKey(parseChatKey(member));
  } catch (error) {
    const cause = messageOf(error);
    log.error({ bot, cause }, "an entry of the ready chats is not a chat");
    return undefined;
  }
}

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(messageOf(error));
