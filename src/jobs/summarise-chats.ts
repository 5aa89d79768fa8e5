import { messageOf } from "../core/errors.ts";
import type { Leases } from "../core/ports.ts";
import { summariseIdle, type SummariseIdleDeps } from "../loop/summaries/summarise-idle.ts";
import { idleChats, lookAgain, type IdleChat } from "../store/memory/idle-chats.ts";
import type { DeadChats } from "../store/turns/dead-chats.ts";
import type { Store } from "../store/redis/redis.ts";
import { sleep } from "../util/sleep.ts";

export interface SummaryJobDeps extends SummariseIdleDeps {
  readonly store: Store;
  readonly leases: Leases;
  readonly deadChats: Pick<DeadChats, "since">;
}

/** How often it is looked for conversations that are over. Milliseconds. */
const intervalMs = 15_000;
/**
 * A chat that is worked on is due again after this: its process may die. Longer than models take.
 * Milliseconds.
 */
const retryMs = 10 * 60_000;

/**
 * Summarises conversations that are over, in one worker at a time and one after the other: no one
 * waits for them. A worker that dies leaves the chat due.
 */
export function startSummaries(deps: SummaryJobDeps): AsyncDisposable {
  const ending = new AbortController();
  const running = run(deps, ending.signal);
  return {
    async [Symbol.asyncDispose]() {
      ending.abort();
      await running;
    },
  };
}

async function run(deps: SummaryJobDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await sleep(intervalMs, signal).catch(() => undefined);
    if (signal.aborted) return;
    try {
      await using lease = await deps.leases.take("summaries");
      if (lease !== undefined) await summariseDue(deps, AbortSignal.any([signal, lease.lost]));
    } catch (error) {
      if (!signal.aborted)
        deps.log.warn({ error: messageOf(error) }, "conversations could not be summarised");
    }
  }
}

/** One pass over the chats that are due. */
export async function summariseDue(deps: SummaryJobDeps, signal: AbortSignal): Promise<void> {
  await deps.budget.refresh();
  for (const idle of await idleChats(deps.store)) {
    if (signal.aborted) return;
    await summariseOne(deps, idle, signal);
  }
}

async function summariseOne(
  deps: SummaryJobDeps,
  idle: IdleChat,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock, log } = deps;
  const { chat } = idle;
  const score = await lookAgain(store, idle, clock.wall() + retryMs);
  if (score === undefined) return;
  try {
    // After its next turn.
    if ((await deps.deadChats.since(chat)) !== undefined) {
      await lookAgain(store, { chat, score }, undefined);
      return;
    }
    const { againAtMs } = await summariseIdle(deps, chat, signal);
    await lookAgain(store, { chat, score }, againAtMs);
  } catch (error) {
    if (!signal.aborted)
      log.warn({ chat, error: messageOf(error) }, "a conversation could not be summarised");
  }
}
