import type { ChatKey, Person } from "../../core/chat.ts";
import {
  inboxEntrySchema,
  logEntrySchema,
  type Auto,
  type ControlEntry,
  type InboxEntry,
  type LogEntry,
  type MessageEntry,
} from "../../core/history.ts";
import { turnStateSchema, type Spending } from "../../core/turn.ts";
import { openStateMark } from "./begun-turn.ts";
import { isMarkedStopped, messagePrefix } from "./inbox.ts";
import { chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { parseStored, readable } from "../stored.ts";
import { readUsage } from "./usage.ts";

export interface ChatStatus {
  /**
   * `queued`: an entry waits and no worker has taken it yet. `waiting`: for a
   * person's decision.
   */
  readonly activity: "idle" | "queued" | "running" | "waiting";
  /** Messages that wait for their turn; not those that were stopped. */
  readonly queued: number;
  /** All inbox entries, including stopped ones. */
  readonly entries: number;
  /** Entries on their way to the platform. */
  readonly undelivered: number;
  readonly usage: {
    readonly turns: number;
    readonly modelCalls: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    /** By `provider/model`. */
    readonly models: Readonly<Record<string, Spending>>;
  };
  /** Log entries that models may still see as they are: since the last reset or compaction. */
  readonly remembered: number;
}

/** Reads a chat's status without changing it. One round trip. */
export async function readChatStatus(store: Store, chat: ChatKey): Promise<ChatStatus> {
  const { redis } = store;
  const keys = chatKeys(chat);
  const fields = [
    "state",
    "owner",
    "inBase",
    "stop",
    "viewStart",
    "logBase",
    "usage:turns",
    "usage:modelCalls",
    "usage:inputTokens",
    "usage:outputTokens",
  ];
  const [hash, inbox, undelivered, logged, models] = await Promise.all([
    redis.hmget(keys.state, ...fields),
    redis.lrange(keys.inbox, 0, -1),
    redis.llen(keys.outbox),
    redis.llen(keys.log),
    readUsage(store, chat),
  ]);
  const [
    state,
    owner,
    inBase,
    stop,
    viewStart,
    logBase,
    turns,
    modelCalls,
    inputTokens,
    outputTokens,
  ] = hash;
  const waiting = notStopped(inbox, { inBase, stop });
  return {
    activity: state ? activityOf(state) : idleActivityOf(Boolean(owner), waiting.length),
    queued: waiting.filter((json) => json.startsWith(messagePrefix)).length,
    entries: inbox.length,
    undelivered,
    usage: {
      turns: Number(turns ?? 0),
      modelCalls: Number(modelCalls ?? 0),
      inputTokens: Number(inputTokens ?? 0),
      outputTokens: Number(outputTokens ?? 0),
      models,
    },
    remembered: logged + Number(logBase ?? 0) - Number(viewStart ?? 0),
  };
}

interface Watermark {
  readonly inBase: string | null | undefined;
  readonly stop: string | null | undefined;
}

/** The part of an inbox that no stop has reached. */
const notStopped = (inbox: readonly string[], { inBase, stop }: Watermark): readonly string[] =>
  inbox
    .slice(Math.max(0, Number(stop ?? 0) - Number(inBase ?? 0)))
    .filter((stored) => !isMarkedStopped(stored));

/** Of a chat without a turn; a worker may be about to open one. */
function idleActivityOf(isTaken: boolean, waiting: number): "idle" | "queued" | "running" {
  if (isTaken) return "running";
  return waiting > 0 ? "queued" : "idle";
}

function activityOf(state: string): "running" | "waiting" {
  if (state === openStateMark) return "running";
  // One that can't be read is open, too.
  return readable(turnStateSchema, state)?.phase === "waiting" ? "waiting" : "running";
}

/**
 * The `/auto` that runs in a chat or waits in it, if any; one that was stopped counts no more,
 * though it may not have ended yet. One round trip.
 */
export async function readAuto({ redis }: Store, chat: ChatKey): Promise<Auto | undefined> {
  const keys = chatKeys(chat);
  const [[state, turn, inBase, stop], newest, waiting] = await Promise.all([
    redis.hmget(keys.state, "state", "turn", "inBase", "stop"),
    redis.lindex(keys.log, -1),
    redis.lrange(keys.inbox, 0, -1),
  ]);
  const stopAt = Number(stop ?? 0);
  const waitingAutos = notStopped(waiting, { inBase, stop }).map((json) =>
    autoOf(parseStored(inboxEntrySchema, keys.inbox, json)),
  );
  const isRunning = Boolean(state) && Number(turn) > stopAt;
  const running = !isRunning
    ? undefined
    : state === openStateMark
      ? newest && autoOf(parseStored(logEntrySchema, keys.log, newest))
      : parseStored(turnStateSchema, keys.state, state ?? "").auto;
  return running || waitingAutos.find((auto) => auto !== undefined);
}

/** The requester of the turn that is open in a chat. One round trip. */
export async function readRequester({ redis }: Store, chat: ChatKey): Promise<Person | undefined> {
  const keys = chatKeys(chat);
  const [state, newest] = await Promise.all([
    redis.hget(keys.state, "state"),
    redis.lindex(keys.log, -1),
  ]);
  if (!state) return undefined;
  if (state !== openStateMark) return parseStored(turnStateSchema, keys.state, state).requester;
  if (newest === null) return undefined;
  const entry = parseStored(logEntrySchema, keys.log, newest);
  return entry.kind === "message" ? entry.person : undefined;
}

const autoOf = (entry: InboxEntry | LogEntry): Auto | undefined =>
  entry.kind === "message" ? entry.auto : undefined;

/**
 * The oldest message or command that waits in a chat without a worker;
 * undefined if a worker has the chat or nothing waits. Used to notify the
 * person that it is kept. A reset was answered already, and a stopped message
 * needs no notice.
 */
export async function readUnattended(
  { redis }: Store,
  chat: ChatKey,
): Promise<MessageEntry | ControlEntry | undefined> {
  const keys = chatKeys(chat);
  const [[owner, state, inBase, stop], inbox] = await Promise.all([
    redis.hmget(keys.state, "owner", "state", "inBase", "stop"),
    redis.lrange(keys.inbox, 0, -1),
  ]);
  if (owner || state) return undefined;
  return oldestOf(notStopped(inbox, { inBase, stop }), keys.inbox);
}

/**
 * Independent of which worker has the chat; also for a chat whose turn doesn't
 * progress.
 */
export async function readWaiting(
  { redis }: Store,
  chat: ChatKey,
): Promise<MessageEntry | ControlEntry | undefined> {
  const keys = chatKeys(chat);
  const [[inBase, stop], inbox] = await Promise.all([
    redis.hmget(keys.state, "inBase", "stop"),
    redis.lrange(keys.inbox, 0, -1),
  ]);
  return oldestOf(notStopped(inbox, { inBase, stop }), keys.inbox);
}

function oldestOf(
  waiting: readonly string[],
  key: string,
): MessageEntry | ControlEntry | undefined {
  for (const json of waiting) {
    const entry = parseStored(inboxEntrySchema, key, json);
    if (entry.kind === "reset" || entry.kind === "edit") continue;
    // An erasure isn't reported before it is done.
    if (entry.kind === "control" && entry.v === 2) continue;
    return entry;
  }
  return undefined;
}
