import type { ChatKey } from "../core/chat.ts";
import { inboxEntrySchema, type MessageEntry } from "../core/history.ts";
import { turnStateSchema } from "../core/turn.ts";
import { chatKeys } from "./keys.ts";
import type { Store } from "./redis.ts";
import { parseStored } from "./stored.ts";

export interface ChatStatus {
  readonly activity: "idle" | "running" | "waiting";
  /** Messages that wait for their turn. */
  readonly queued: number;
  /** Entries on their way to the platform. */
  readonly undelivered: number;
  readonly usage: {
    readonly turns: number;
    readonly modelCalls: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
  };
  /** Log entries since the last reset. */
  readonly remembered: number;
}

/** Reads how a chat stands, without touching it. One flight. */
export async function readChatStatus(
  { redis }: Store,
  chat: ChatKey,
): Promise<ChatStatus> {
  const keys = chatKeys(chat);
  const fields = [
    "state",
    "viewStart",
    "logBase",
    "usage:turns",
    "usage:modelCalls",
    "usage:inputTokens",
    "usage:outputTokens",
  ];
  const [hash, queued, undelivered, logged] = await Promise.all([
    redis.hmget(keys.state, ...fields),
    redis.llen(keys.inbox),
    redis.llen(keys.outbox),
    redis.llen(keys.log),
  ]);
  const [
    state,
    viewStart,
    logBase,
    turns,
    modelCalls,
    inputTokens,
    outputTokens,
  ] = hash;
  return {
    activity: activityOf(state ?? "", keys.state, queued),
    queued,
    undelivered,
    usage: {
      turns: Number(turns ?? 0),
      modelCalls: Number(modelCalls ?? 0),
      inputTokens: Number(inputTokens ?? 0),
      outputTokens: Number(outputTokens ?? 0),
    },
    remembered: logged + Number(logBase ?? 0) - Number(viewStart ?? 0),
  };
}

function activityOf(
  state: string,
  key: string,
  queued: number,
): ChatStatus["activity"] {
  if (state === "") return queued > 0 ? "running" : "idle";
  if (state === "open") return "running";
  return parseStored(turnStateSchema, key, state).phase === "waiting"
    ? "waiting"
    : "running";
}

/**
 * The oldest waiting message of a chat that nobody works on; undefined when somebody does or nothing waits. For the
 * line that tells a person that their message is kept.
 */
export async function readUnattended(
  { redis }: Store,
  chat: ChatKey,
): Promise<MessageEntry | undefined> {
  const keys = chatKeys(chat);
  const [[owner, state], head] = await Promise.all([
    redis.hmget(keys.state, "owner", "state"),
    redis.lindex(keys.inbox, 0),
  ]);
  if (owner || state || !head) return undefined;
  const entry = parseStored(inboxEntrySchema, keys.inbox, head);
  return entry.kind === "message" ? entry : undefined;
}
