import type { Logger } from "pino";
import { chatKey, parseChatKey, type ChatKey } from "../core/chat.ts";
import { messageOf, PermanentError } from "../core/errors.ts";
import { sweep } from "../store/sweep.ts";
import type { Store } from "../store/redis.ts";
import type { Waker } from "./waker.ts";

const intervalMs = 500;
/** Whoever wrote an entry wakes its chat at once; only what is older has been forgotten. */
const overdueMs = 1_000;

export interface SweeperDeps {
  readonly store: Store;
  readonly waker: Waker;
  /** An approval's time may be over. */
  readonly expire: (approvalId: string) => Promise<void>;
  /** A message waits though its chat should long have been taken. */
  readonly onForgotten: (chat: ChatKey) => Promise<void>;
  readonly log: Logger;
}

/**
 * Finds what was written and never woken, because whoever wrote it died, and wakes it. Any number of sweepers may run:
 * what one takes, the others do not see for a while.
 */
export function startSweeper(deps: SweeperDeps): AsyncDisposable {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;

  const schedule = (): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = pass(deps)
        .catch((error: unknown) =>
          deps.log.warn({ error: messageOf(error) }, "sweeping failed"),
        )
        .finally(schedule);
    }, intervalMs);
  };
  schedule();

  return {
    async [Symbol.asyncDispose]() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Wakes all that is due. A member that cannot be dealt with is due again later, and keeps no other one waiting. */
async function pass(deps: SweeperDeps): Promise<void> {
  const due = await sweep(deps.store, overdueMs);
  await Promise.all(
    due.map(({ member }) =>
      wakeMember(deps, member).catch((error: unknown) =>
        deps.log.warn(
          { member, error: messageOf(error) },
          "a member of the wake index could not be woken",
        ),
      ),
    ),
  );
}

async function wakeMember(deps: SweeperDeps, member: string): Promise<void> {
  const [kind, name] = split(member);
  switch (kind) {
    case "in": {
      const chat = chatKey(parseChatKey(name));
      await deps.waker.wake("turn", chat);
      await deps.onForgotten(chat);
      break;
    }
    case "out":
      await deps.waker.wake("delivery", chatKey(parseChatKey(name)));
      break;
    case "appr":
      await deps.expire(name);
      break;
    default:
      // Perhaps a newer version's: it must stay for those who know it.
      throw new PermanentError(`nobody here knows the kind "${kind}"`);
  }
}

function split(member: string): [string, string] {
  const at = member.indexOf(":");
  return [member.slice(0, at), member.slice(at + 1)];
}
