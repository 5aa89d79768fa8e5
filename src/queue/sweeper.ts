import type { Logger } from "pino";
import { chatKey, parseChatKey, type ChatKey } from "../core/chat.ts";
import { messageOf, PermanentError } from "../core/errors.ts";
import type { HeldLease } from "../core/ports.ts";
import { createLeases } from "../store/operations/leases.ts";
import { dueSchedule, type DueSchedule } from "../store/turns/schedules.ts";
import { sweep } from "../store/turns/sweep.ts";
import type { Store } from "../store/redis/redis.ts";
import type { Waker } from "./waker.ts";

const intervalMs = 500;
/** After a pass that took as many of a shard as it may. Milliseconds. */
const fullIntervalMs = 50;
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
 * forgotten. A schedule has no such writer, and is due at its time.
 */
const overdueMs = 1_000;

export interface SweeperDeps {
  readonly store: Store;
  readonly waker: Pick<Waker, "wakeAgain">;
  /** An approval's time may be over. */
  readonly expire: (approvalId: string) => Promise<void>;
  /** A message waits though its chat should long have been taken. */
  readonly onForgotten: (chat: ChatKey) => Promise<void>;
  /** Puts off schedules of which too many are due at once. Fulfils with the others. */
  readonly spread: (due: readonly DueSchedule[]) => Promise<readonly DueSchedule[]>;
  readonly fire: (due: readonly DueSchedule[]) => Promise<void>;
  /**
   * The histories of these chats have more than their indexes. Fulfils with those that may lack
   * vectors. The signal: the sweeper ends.
   */
  readonly index: (chats: readonly string[], ending: AbortSignal) => Promise<readonly string[]>;
  /** Makes vectors of these chats, next to `index`: the endpoint may be slow. */
  readonly embed: (chats: readonly string[], ending: AbortSignal) => Promise<void>;
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
  let isFull = false;
  const log = (what: string) => (error: unknown) =>
    deps.log.warn({ error: messageOf(error) }, what);
  const fire = new Aside(deps.fire, log("schedules could not be fired"));
  const embed = new Aside(deps.embed, log("vectors could not be made"));
  const index = new Aside<string>(async (chats, ending) => {
    for (const chat of await deps.index(chats, ending)) embed.add(chat, chat);
  }, log("histories could not be indexed"));

  const step = async (): Promise<void> => {
    isFull = false;
    if (held?.lost.aborted) held = undefined;
    if (performance.now() < restUntilMs) return;
    held ??= await leases.take("sweeper");
    const passed = held && (await pass(deps, { fire, index }));
    isFull = passed === "full";
    if (held !== undefined && passed === "others know more") {
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
        .finally(() => {
          if (held === undefined) schedule(standByMs);
          else schedule(isFull ? fullIntervalMs : intervalMs);
        });
    }, waitMs);
  };
  schedule(intervalMs);

  return {
    async [Symbol.asyncDispose]() {
      isStopped = true;
      clearTimeout(timer);
      await running;
      await Promise.all([fire.ended(), index.ended(), embed.ended()]);
      await held?.[Symbol.asyncDispose]();
    },
  };
}

/**
 * Work next to the passes, one piece at a time. What is taken while one runs is the next one, each
 * once however often it is taken.
 */
class Aside<Given> {
  readonly #work: (all: readonly Given[], ending: AbortSignal) => Promise<void>;
  readonly #onError: (error: unknown) => void;
  readonly #next = new Map<string, Given>();
  readonly #ending = new AbortController();
  #running: Promise<void> | undefined;

  constructor(
    work: (all: readonly Given[], ending: AbortSignal) => Promise<void>,
    onError: (error: unknown) => void,
  ) {
    this.#work = work;
    this.#onError = onError;
  }

  add(name: string, given: Given): void {
    if (this.#ending.signal.aborted) return;
    // Taken again, it has lost what the first taking knew of it.
    if (!this.#next.has(name)) this.#next.set(name, given);
    this.#running ??= this.#run();
  }

  /** What has not begun is left: it is due again soon, for the next sweeper. */
  async ended(): Promise<void> {
    this.#next.clear();
    this.#ending.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    // The whole pass is added before.
    await Promise.resolve();
    while (this.#next.size > 0) {
      const all = [...this.#next.values()];
      this.#next.clear();
      await this.#work(all, this.#ending.signal).catch(this.#onError);
    }
    this.#running = undefined;
  }
}

interface Asides {
  readonly fire: Aside<DueSchedule>;
  readonly index: Aside<string>;
}

/**
 * Wakes all that is due. A member that cannot be dealt with is due again later, and keeps no other
 * one waiting.
 */
async function pass(
  deps: SweeperDeps,
  { fire, index }: Asides,
): Promise<"done" | "full" | "others know more"> {
  const { due, isFull } = await sweep(deps.store, overdueMs);
  const known = due.filter(({ member }) => kinds.has(split(member)[0]));
  const nowMs = deps.store.clock.now();
  const schedules: DueSchedule[] = [];
  for (const { member, overdueMs: byMs } of known) {
    const [kind, name] = split(member);
    if (kind === "plan") schedules.push(dueSchedule(name, byMs, nowMs));
    if (kind === "mem") index.add(name, name);
  }
  const fireOthers = async (): Promise<void> => {
    for (const each of await deps.spread(schedules)) fire.add(each.name, each);
  };
  await Promise.all([
    fireOthers(),
    ...known.map(({ member }) =>
      wakeMember(deps, member).catch((error: unknown) =>
        deps.log.warn(
          { member, error: messageOf(error) },
          "a member of the wake index could not be woken",
        ),
      ),
    ),
  ]);
  if (known.length === due.length) return isFull ? "full" : "done";
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
