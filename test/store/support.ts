import { randomUUID } from "node:crypto";
import { afterAll, expect } from "vitest";
import type { Approval } from "../../src/core/approval.ts";
import { chatKey, parseChatKey, type ChatKey, type Person } from "../../src/core/chat.ts";
import type {
  CompactionEntry,
  ControlEntry,
  LogEntry,
  MessageEntry,
  ResetEntry,
} from "../../src/core/history.ts";
import type { OutboxEntry } from "../../src/core/outbox.ts";
import type { BegunTurn, Commit, CommitOutcome, TurnStore } from "../../src/core/ports.ts";
import type { Schedule } from "../../src/core/schedule.ts";
import type { TurnState } from "../../src/core/turn.ts";
import { openTurn } from "../../src/loop/machine/open-turn.ts";
import type { Connection } from "../../src/store/redis/connection.ts";
import { chatKeys } from "../../src/store/keys.ts";
import { openStore, type Store } from "../../src/store/redis/redis.ts";
import { createTurnStore, type TurnStoreOptions } from "../../src/store/turns/turn-store.ts";
import { scheduleIdOf } from "../../src/text/new-schedule.ts";
import { keysLike } from "../support/redis/test-client.ts";
import type { TestRedis } from "../support/redis/test-redis.ts";

/** A connection of Parley's own kind, closed after the file's last test. */
export function storeOn(server: Pick<TestRedis, "url">): Store {
  const store = openStore(server.url, () => undefined);
  afterAll(() => store.redis.disconnect());
  return store;
}

let chats = 0;
/** A chat that no other test has. */
export function newChat(address: Partial<Parameters<typeof chatKey>[0]> = {}): ChatKey {
  chats += 1;
  return chatKey({
    platform: "telegram",
    bot: "77",
    chat: `${chats}`,
    ...address,
  });
}

export const anna: Person = { id: "telegram:1", name: "Anna" };
export const ben: Person = { id: "telegram:2", name: "Ben" };

/** Longer than any test. */
export const leaseMs = 60_000;
export const retentionMs = 90 * 86_400_000;

export const turnStoreOn = (store: Store, options: Partial<TurnStoreOptions> = {}): TurnStore =>
  createTurnStore({ store, leaseMs, retentionMs, openTurn, ...options });

export const message = (id: string, more: Partial<MessageEntry> = {}): MessageEntry => ({
  kind: "message",
  v: 1,
  id,
  person: anna,
  text: `text of ${id}`,
  atMs: 1,
  ...more,
});

/** A reminder of the year 2255 that is not stored yet. */
export const scheduleIn = (chat: ChatKey, more: Partial<Schedule> = {}): Schedule => ({
  id: scheduleIdOf(randomUUID()),
  revision: 0,
  task: { type: "remind", text: "tea" },
  timing: { type: "at", atMs: 9e12 },
  zone: "Europe/Berlin",
  by: { id: `telegram:of-${chat}`, name: "Anna" },
  address: parseChatKey(chat),
  direct: true,
  late: "once",
  nextMs: 9e12,
  failures: 0,
  outcomes: [],
  ...more,
});

export const reset = (id: string): ResetEntry => ({
  kind: "reset",
  v: 1,
  id,
  atMs: 1,
});

export const control = (id: string): ControlEntry => ({
  kind: "control",
  v: 1,
  id,
  control: "compact",
  person: anna,
  atMs: 1,
});

/** Stands for everything up to and with the log position `toSeq`. */
export const compaction = (toSeq: number): CompactionEntry => ({
  kind: "compaction",
  v: 1,
  turn: 1,
  fromSeq: 0,
  toSeq,
  summary: `what was said up to ${toSeq}`,
  kept: [],
  results: [],
  strategy: "truncate",
  tokensBefore: 2,
  tokensAfter: 1,
});

export const said = (turn: number, text = `answer ${turn}`): LogEntry => ({
  kind: "assistant",
  v: 1,
  turn,
  round: 1,
  model: "test/model",
  text,
  calls: [],
});

const finalEntry = (turn: number, text = `answer ${turn}`): OutboxEntry => ({
  kind: "message",
  v: 1,
  id: `turn-${turn}`,
  text,
});

export const notice = (id: string, text = `notice ${id}`): OutboxEntry => ({
  kind: "notice",
  v: 1,
  id,
  text,
});

export function approvalOf(
  store: TurnStore,
  chat: ChatKey,
  more: Partial<Approval> = {},
): Approval {
  return {
    v: 1,
    id: store.newApprovalId(chat),
    chat,
    turn: 1,
    round: 1,
    index: 0,
    tool: "files.delete",
    arguments: '{"path":"a"}',
    digest: "digest",
    requester: anna,
    approvers: "requester-or-admins",
    expiresAtMs: Date.now() + 3_600_000,
    ...more,
  };
}

/** `state` as it waits for these approvals. */
export const waitingFor = (state: TurnState, approvals: readonly Approval[]): TurnState => ({
  ...state,
  phase: "waiting",
  modelCallOpen: false,
  calls: approvals.map((approval, index) => ({
    index,
    wireId: `w${index}`,
    name: approval.tool,
    arguments: approval.arguments,
    status: "awaiting",
    effect: "once",
    approvalId: approval.id,
  })),
});

/** @throws when there is nothing to begin. */
export async function begun(store: TurnStore, chat: ChatKey): Promise<BegunTurn> {
  const outcome = await store.begin(chat);
  if (outcome.type !== "begun") throw new Error(`expected a turn, got ${JSON.stringify(outcome)}`);
  return outcome;
}

/** @throws when it is refused. */
export async function committed(
  store: TurnStore,
  { session, revision }: Pick<BegunTurn, "session" | "revision">,
  commit: Commit,
): Promise<CommitOutcome & { type: "committed" }> {
  const outcome = await store.commit(session, revision, commit);
  if (outcome.type !== "committed") throw new Error(`expected a commit, got ${outcome.type}`);
  return outcome;
}

/** The state of a begun turn. @throws when the chat is idle. */
export function stateOf({ state }: Pick<BegunTurn, "state">): TurnState {
  if (state === undefined) throw new Error("no turn is open");
  return state;
}

/** The last commit of a plain answer. */
export const finishing = (turn: number, more: Partial<Commit> = {}): Commit => ({
  state: undefined,
  turn,
  append: [said(turn)],
  outbox: [finalEntry(turn)],
  release: {},
  ...more,
});

/** The last commit of a turn that a stop has ended. */
export const cancelling = (turn: number): Commit => ({
  state: undefined,
  turn,
  append: [{ kind: "end", v: 1, turn, reason: "cancelled", stopAt: turn }],
  release: {},
});

/** Everything that a Redis holds, apart from the times at which it ends. */
export async function dump(redis: Connection): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const key of (await keysLike(redis, "*")).sort()) {
    found[key] = await contentOf(redis, key);
  }
  return found;
}

async function contentOf(redis: Connection, key: string): Promise<unknown> {
  const type = await redis.type(key);
  switch (type) {
    case "string":
      return await redis.get(key);
    case "list":
      return await redis.lrange(key, 0, -1);
    case "hash":
      return await redis.hgetall(key);
    case "zset":
      return await redis.zrangebyscore(key, "-inf", "+inf", "WITHSCORES");
    case "set":
      return (await redis.smembers(key)).sort();
    default:
      return type;
  }
}

/**
 * The names of a chat's keys that exist, e.g. `log`, `sent:…:turn-1`; `wake` only where it holds
 * one of its members.
 */
export async function keysOf(redis: Connection, chat: ChatKey): Promise<string[]> {
  const keys = chatKeys(chat);
  const prefix = keys.wake.slice(0, -"wake".length);
  const own = (await keysLike(redis, `${prefix}*:${chat}`)).concat(
    await keysLike(redis, `${prefix}sent:${chat}:*`),
  );
  const named = own.map((key) => key.slice(prefix.length).replace(`:${chat}`, ""));
  const members = await wakeMembers(redis, chat);
  return [...named, ...members.map((member) => `wake ${member}`)].sort();
}

/** `in:` and `out:` of this chat, as far as the wake index holds them. */
export async function wakeMembers(redis: Connection, chat: ChatKey): Promise<string[]> {
  const scores = await Promise.all(
    ["in", "out"].map(async (kind) =>
      (await redis.zscore(chatKeys(chat).wake, `${kind}:${chat}`)) === null ? [] : [kind],
    ),
  );
  return scores.flat();
}

/** Ends the lease of a turn or delivery as if its owner had died a while ago. */
export async function expireLease(
  redis: Connection,
  chat: ChatKey,
  which: "lease" | "out:lease",
): Promise<void> {
  const { state } = chatKeys(chat);
  expect(await redis.hexists(state, which)).toBe(1);
  await redis.hset(state, which, 1);
}

export const uniqueId = (): string => randomUUID();

/** Waits until `check` holds. */
export async function until(
  check: () => boolean | Promise<boolean>,
  what = "the condition",
  limitMs = 25_000,
): Promise<void> {
  const deadline = Date.now() + limitMs;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`${what} never came`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Waits until no window that limits count in can end within a test. */
export const earlyInAMinute = (): Promise<void> =>
  until(() => Date.now() % 60_000 < 50_000, "the next minute");
