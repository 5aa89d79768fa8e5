import { chatNamed, type ChatKey } from "../core/chat.ts";

/** How many hash tags the chats are spread over; fixed for ever, since it is part of every key. */
export const shardCount = 256;

/** The shard of a chat, `s0` to `s255`: FNV-1a over its key. */
export function shardOf(chat: ChatKey): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < chat.length; index += 1) {
    hash = Math.imul(hash ^ chat.charCodeAt(index), 0x01000193) >>> 0;
  }
  return `s${hash % shardCount}`;
}

/**
 * All keys of one chat share its shard's hash tag, so that one script may touch any of them. Those of
 * the chats used last are kept: a turn asks for them a dozen times.
 */
export function chatKeys(chat: ChatKey): ChatKeys {
  const kept = known.get(chat);
  if (kept !== undefined) return kept;
  const keys = buildKeys(chat);
  if (known.size >= mostKnown) known.clear();
  known.set(chat, keys);
  return keys;
}

const mostKnown = 1_000;
const known = new Map<ChatKey, ChatKeys>();

type ChatKeys = Readonly<ReturnType<typeof buildKeys>>;

function buildKeys(chat: ChatKey) {
  const shard = shardOf(chat);
  const tag = `parley:{${shard}}`;
  return {
    shard,
    inbox: `${tag}:in:${chat}`,
    seen: `${tag}:seen:${chat}`,
    state: `${tag}:st:${chat}`,
    log: `${tag}:log:${chat}`,
    calls: `${tag}:calls:${chat}`,
    outbox: `${tag}:out:${chat}`,
    /** Followed by an outbox entry's id. */
    sentPrefix: `${tag}:sent:${chat}:`,
    draft: `${tag}:draft:${chat}`,
    notes: `${tag}:notes:${chat}`,
    todos: `${tag}:todos:${chat}`,
    /** What people wanted to be kept of it, by id. */
    facts: `${tag}:facts:${chat}`,
    /** The summaries of its earlier conversations, oldest first. */
    summaries: `${tag}:sums:${chat}`,
    /** The chat's settings: a hash of strings, kept until reset. */
    settings: `${tag}:set:${chat}`,
    /** Standing permissions, each by the time at which it ends. */
    grants: `${tag}:grants:${chat}`,
    /** The personas that were made in the chat, and their revisions. */
    personas: `${tag}:personas:${chat}`,
    /** The chat's schedules, and the digests of what they watch. */
    plans: `${tag}:plans:${chat}`,
    /** The memory's windows, and the vectors of their texts, by the windows' numbers. */
    windows: `${tag}:mem:${chat}`,
    vectors: `${tag}:vec:${chat}`,
    /** The chat's usage, by model. */
    usage: `${tag}:use:${chat}`,
    /** Followed by a turn's number: what its models were asked and answered. */
    tracePrefix: `${tag}:trace:${chat}:`,
    /** The turns that have a trace. */
    traces: `${tag}:traces:${chat}`,
    /** Followed by a digest: the tools that were offered in requests of the shard's traces. */
    toolsPrefix: `${tag}:tools:`,
    /** The ids of the blobs that keep long results, oldest first. */
    kept: `${tag}:kept:${chat}`,
    /**
     * The files that people have sent in the last day: their ids, how large each is and when it
     * ends.
     */
    files: `${tag}:files:${chat}`,
    /** Followed by a blob's id. */
    blobPrefix: `${tag}:blob:`,
    /** Followed by a dead letter's id: an abandoned outbox entry. */
    deadPrefix: `${tag}:dead:${chat}:`,
    /**
     * The shard's dead letters, `<id> <chat>`, scored by when they were abandoned, in microseconds.
     */
    deadIndex: deadIndexKey(shard),
    /** Followed by an approval's id. */
    approvalPrefix: `${tag}:appr:`,
    wake: `${tag}:wake`,
    idle: idleKey(shard),
  };
}

export const wakeKey = (shard: string): string => `parley:{${shard}}:wake`;

/** The wake indexes of all shards, in their order. */
export const allWakeKeys = (): readonly string[] =>
  Array.from({ length: shardCount }, (_, index) => wakeKey(`s${index}`));

/** The shard's chats whose conversation may be over, scored by when that is looked at. */
export const idleKey = (shard: string): string => `parley:{${shard}}:idle`;

export const deadIndexKey = (shard: string): string => `parley:{${shard}}:dead`;

/**
 * An archive's data until it becomes a chat; in the chat's own shard, so that the keys can be
 * renamed.
 */
export const importPrefix = (shard: string, name: string): string =>
  `parley:{${shard}}:import:${name}:`;

/** Where a bot's sending is paced, over all processes: one slot for each bot. */
export const paceKey = (bot: string, what: string): string => `parley:{pace-${bot}}:${what}`;

/** The chats of a bot whose outbox waits for a process: one slot for each bot. */
export const readyKey = (bot: string): string =>
  `parley:{deliveries-${bot.replaceAll(":", "-")}}:ready`;

/** An approval's shard is part of its id, `<shard>-<random>`. */
export const approvalKey = (id: string): string => `parley:{${id.split("-", 1)[0]}}:appr:${id}`;

/** Settings, people and roles of the whole deployment: one slot. */
export const configKey = (name: string): string => `parley:{cfg}:${name}`;

/**
 * Limits and what counts towards them, for the whole deployment: one slot, so that one script
 * checks all that hold.
 */
export const limitsKey = (name: string): string => `parley:{limits}:${name}`;

/**
 * The chat that a key such as `parley:{s17}:st:<chat>` belongs to; undefined when it is no such
 * key.
 */
export function chatOfKey(key: string, kind: string): ChatKey | undefined {
  return chatNamed(key.split(`}:${kind}:`)[1]);
}
