import { BanCache } from "../access/ban-cache.ts";
import { botOf, chatKey, isUserInstall, parseChatKey, type ChatKey } from "../core/chat.ts";
import { messageOf, unreachable } from "../core/errors.ts";
import { spokenIn } from "../core/outbox.ts";
import type { Broadcast } from "../store/operations/broadcasts.ts";
import { directPerson } from "../store/people/chat-people.ts";
import { knownChats } from "../store/turns/known-chats.ts";
import { unlessUnreadable } from "../store/unreadable.ts";
import { localeFor } from "../locales/locale-for.ts";
import type { Services } from "../services.ts";
import { sleepUnref } from "../util/sleep.ts";

/** How often each process looks for broadcasts that were asked for elsewhere. Milliseconds. */
const lookMs = 5_000;
/** Chats per batch, and the pause between batches, in which other answers are sent. */
const batch = 50;
const batchPauseMs = 250;
/** Chats that are written down in one go. */
const collectBatch = 500;
/** How long the confirmation waits for the number of chats. Milliseconds. */
const countLimitMs = 2_000;

type Known = Pick<Services, "store" | "access" | "people" | "deadChats" | "log">;
type Deps = Known & Pick<Services, "inbox" | "waker" | "leases" | "broadcasts" | "post">;

/**
 * @param bots `platform:bot` of the bots that this process is connected as;
 * only their chats can be reached.
 */
interface Reach {
  readonly bots: () => readonly string[];
}

/** Reports whether a chat or its person is banned: nothing is sent there. */
function banCheck({ store, access, people, log }: Known): (chat: ChatKey) => Promise<boolean> {
  const banCache = new BanCache(people, access, () => performance.now());
  const report = (what: string, error: unknown): void =>
    log.warn(
      { what, error: messageOf(error) },
      "the person of this chat is unknown: it gets broadcasts",
    );
  return async (chat) => {
    await banCache.refresh();
    const person = await unlessUnreadable(report, chat, () => directPerson(store, chat));
    return banCache.has(person ?? nobody, chat);
  };
}
const nobody = { id: "" };

/**
 * The chats that receive a broadcast: topics and threads count as their chat;
 * the terminal and user-installed apps are left out, as are banned people and dead chats.
 */
async function* reachableChats(
  deps: Known,
  { bots }: Reach,
): AsyncGenerator<ChatKey, void, undefined> {
  const isBanned = banCheck(deps);
  const seen = new Set<ChatKey>();
  for await (const each of knownChats(deps.store)) {
    const address = parseChatKey(each);
    if (isUserInstall(address)) continue;
    const { platform, bot, chat: id } = address;
    const chat = chatKey({ platform, bot, chat: id });
    if (platform === "console" || seen.has(chat)) continue;
    if (!bots().includes(botOf(chat))) continue;
    seen.add(chat);
    if ((await deps.deadChats.since(chat)) !== undefined) continue;
    if (!(await isBanned(chat))) yield chat;
  }
}

/** How many those are; `isAll` is false where there was no time to count on. */
export async function countReachable(
  deps: Known,
  reach: Reach,
): Promise<{ readonly count: number; readonly isAll: boolean }> {
  const endMs = performance.now() + countLimitMs;
  let count = 0;
  for await (const _ of reachableChats(deps, reach)) {
    count += 1;
    if (performance.now() > endMs) return { count, isAll: false };
  }
  return { count, isAll: true };
}

/**
 * Sends the broadcasts of `/broadcast`, whichever process received the command; in one process at a
 * time. Every step is idempotent: a chat's outbox takes the same broadcast once.
 */
export function startBroadcasts(deps: Deps, reach: Reach): AsyncDisposable {
  const stopping = new AbortController();
  const { signal } = stopping;
  let pause = new AbortController();
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      pause = new AbortController();
      const paused = AbortSignal.any([signal, pause.signal]);
      await sendAll(deps, reach, signal).catch((error: unknown) => {
        if (!signal.aborted)
          deps.log.warn(
            { error: messageOf(error) },
            "a broadcast could not be carried on; it will be tried again",
          );
      });
      // Ends early when something is asked for here.
      await sleepUnref(lookMs, paused).catch(() => undefined);
    }
  };
  const listener = deps.broadcasts.onAsked(() => pause.abort());
  const running = run();
  return {
    async [Symbol.asyncDispose]() {
      listener[Symbol.dispose]();
      stopping.abort();
      await running;
    },
  };
}

async function sendAll(deps: Deps, reach: Reach, stopping: AbortSignal): Promise<void> {
  const { broadcasts, leases, log } = deps;
  if ((await broadcasts.list()).length === 0) return;
  await using lease = await leases.take("broadcasts");
  if (lease === undefined) return;
  const signal = AbortSignal.any([stopping, lease.lost]);
  const report = (what: string, error: unknown): void =>
    log.warn({ what, error: messageOf(error) }, "a broadcast was left out");
  // Read again: another process may have had them until now.
  const errors: unknown[] = [];
  for (const job of await broadcasts.list(report)) {
    try {
      await carryOn(deps, reach, { job, signal });
    } catch (error) {
      signal.throwIfAborted();
      // It is tried again, and holds up none of the others.
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

async function carryOn(deps: Deps, reach: Reach, step: Step): Promise<void> {
  const { phase } = step.job;
  switch (phase) {
    case "collecting":
      return await collect(deps, reach, step);
    case "sending":
      return await send(deps, step);
    default:
      return unreachable(phase);
  }
}

interface Step {
  readonly job: Broadcast;
  readonly signal: AbortSignal;
}

async function collect(deps: Deps, reach: Reach, { job, signal }: Step): Promise<void> {
  const { broadcasts } = deps;
  let found: ChatKey[] = [];
  for await (const chat of reachableChats(deps, reach)) {
    signal.throwIfAborted();
    found.push(chat);
    if (found.length < collectBatch) continue;
    await broadcasts.collect(job.id, found);
    found = [];
  }
  await broadcasts.collect(job.id, found);
  signal.throwIfAborted();
  const total = await broadcasts.collected(job);
  await send(deps, { job: { ...job, phase: "sending", total }, signal });
}

async function send(deps: Deps, { job, signal }: Step): Promise<void> {
  const { broadcasts, inbox, waker, post, log } = deps;
  const isBanned = banCheck(deps);
  const report = (what: string, error: unknown): void =>
    log.warn({ what, error: messageOf(error) }, "a chat got no broadcast");
  for (;;) {
    const chats = await broadcasts.some(job.id, batch);
    if (chats.length === 0) break;
    for (const chat of chats) {
      signal.throwIfAborted();
      // A chat with a full outbox has bigger problems than missing this. A
      // person may have been banned in between.
      if (!(await isBanned(chat)))
        await unlessUnreadable(report, chat, () =>
          inbox.post(chat, {
            kind: "notice",
            v: 1,
            id: `broadcast-${job.id}`,
            text: job.text,
            silent: true,
          }),
        );
      await broadcasts.sent(job.id, chat);
      await waker.wake("delivery", chat);
    }
    await sleepUnref(batchPauseMs, signal);
  }
  const { total = 0, language } = job;
  await post(job.answerTo, {
    kind: "notice",
    v: 1,
    id: `broadcast-done-${job.id}`,
    ...spokenIn(language),
    text: localeFor(language, job.answerTo).broadcast.done(total),
  });
  await broadcasts.finish(job.id);
  log.info({ chats: total }, "a broadcast was sent");
}
