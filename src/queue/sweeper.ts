import type { Logger } from "pino";
import { chatKey, parseChatKey, type ChatKey } from "../core/chat.ts";
import { messageOf, PermanentError } from "../core/errors.ts";
import type { HeldLease } from "../core/ports.ts";
import { createLeases } from "../store/operations/leases.ts";
import { sweep } from "../store/turns/sweep.ts";
import type { Store } from "../store/redis/redis.ts";
import type { Waker } from "./waker.ts";

const intervalMs = 500;
/**
 * How long a dead sweeper's lease keeps the others waiting, and how often each of them asks for it.
 * Milliseconds.
 */
const leaseMs = 2_000;
const standByMs = 800;
/**
 * Entries of a newer version are left to a process of that version, which may be the sweeper for a
 * while.
 */
const kinds: ReadonlySet<string> = new Set(["in", "out", "appr", "plan", "mem"]);
const restMs = 5_000;
/**
 * The writer of an entry wakes its chat at once; only older entries were
 * forgotten.
 */
const overdueMs = 1_000;

export interface SweeperDeps {
  readonly store: Store;
  readonly waker: Pick<Waker, "wakeAgain">;
  /** An approval's time may be over. */
  readonly expire: (approvalId: string) => Promise<void>;
  /** A message waits though its chat should long have been taken. */
  readonly onForgotten: (chat: ChatKey) => Promise<void>;
  /** Schedules are due, by `<chat>/<id>`. */
  readonly fire: (names: readonly string[]) => Promise<void>;
  /** The histories of these chats have more than their indexes. */
  readonly index: (chats: readonly string[]) => Promise<void>;
  readonly log: Logger;
}

/**
 * Finds entries whose writer died before waking their chat, and wakes it. One
 * process at a time does: `stand-by → sweeping → stand-by`. A dead process is
 * replaced within three seconds, a disposed one within one.
 */
export function startSweeper(deps: SweeperDeps): AsyncDisposable {
  const leases = createLeases(deps.store, leaseMs);
  let held: HeldLease | undefined;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let isStopped = false;
  let isFailing = false;
  let restUntilMs = 0;
  const log = (what: string) => (error: unknown) =>
    deps.log.warn({ error: messageOf(error) }, what);
  const fire = aside(deps.fire, log("schedules could not be fired"));
  const index = aside(deps.index, log("histories could not be indexed"));

  const step = async (): Promise<void> => {
    if (held?.lost.aborted) held = undefined;
    if (performance.now() < restUntilMs) return;
    held ??= await leases.take("sweeper");
    if (held !== undefined && (await pass(deps, { fire, index })) === "others know more") {
      await held[Symbol.asyncDispose]();
      held = undefined;
      restUntilMs = performance.now() + restMs;
    }
    isFailing = false;
  };
  const schedule = (waitMs: number): void => {
    if (isStopped) return;
    timer = setTimeout(() => {
      running = step()
        .catch((error: unknown) => {
          if (!isFailing) deps.log.warn({ error: messageOf(error) }, "sweeping failed");
          isFailing = true;
        })
        .finally(() => schedule(held === undefined ? standByMs : intervalMs));
    }, waitMs);
  };
  schedule(intervalMs);

  return {
    async [Symbol.asyncDispose]() {
      isStopped = true;
      clearTimeout(timer);
      await running;
      await Promise.all([fire.ended(), index.ended()]);
      await held?.[Symbol.asyncDispose]();
    },
  };
}

/** Runs next to the passes, one at a time. What comes while it runs is due again soon. */
function aside<Given>(
  work: (all: readonly Given[]) => Promise<void>,
  onError: (error: unknown) => void,
) {
  let running: Promise<void> | undefined;
  return {
    start(all: readonly Given[]): void {
      if (all.length === 0) return;
      running ??= work(all)
        .catch(onError)
        .finally(() => {
          running = undefined;
        });
    },
    ended: () => running,
  };
}
interface Aside {
  readonly fire: { start(names: readonly string[]): void };
  readonly index: { start(chats: readonly string[]): void };
}

/**
 * Wakes all that is due. A member that cannot be dealt with is due again later, and keeps no other
 * one waiting.
 */
async function pass(
  deps: SweeperDeps,
  { fire, index }: Aside,
): Promise<"done" | "others know more"> {
  const due = await sweep(deps.store, overdueMs);
  const known = due.filter(({ member }) => kinds.has(split(member)[0]));
  const named = (kind: string) =>
    known.flatMap(({ member }) => {
      const [each, name] = split(member);
      return each === kind ? [name] : [];
    });
  fire.start(named("plan"));
  index.start(named("mem"));
  await Promise.all(
    known.map(({ member }) =>
      wakeMember(deps, member).catch((error: unknown) =>
        deps.log.warn(
          { member, error: messageOf(error) },
          "a member of the wake index could not be woken",
        ),
      ),
    ),
  );
  if (known.length === due.length) return "done";
  const members = due.filter((each) => !known.includes(each));
  deps.log.warn(
    { member: members[0]?.member, count: members.length },
    "the wake index has members of an unknown kind: another version may handle them",
  );
  return "others know more";
}

async function wakeMember(deps: SweeperDeps, member: string): Promise<void> {
  const [kind, name] = split(member);
  switch (kind) {
    case "in": {
      const chat = chatKey(parseChatKey(name));
      await deps.waker.wakeAgain("turn", chat);
      await deps.onForgotten(chat);
      break;
    }
    case "out":
      await deps.waker.wakeAgain("delivery", chatKey(parseChatKey(name)));
      break;
    case "appr":
      await deps.expire(name);
      break;
    case "plan":
    case "mem":
      // Worked on together.
      break;
    default:
      throw new PermanentError(`nobody here knows the kind "${kind}"`);
  }
}

function split(member: string): [string, string] {
  const at = member.indexOf(":");
  return [member.slice(0, at), member.slice(at + 1)];
}
