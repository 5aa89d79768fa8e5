import { chatKey } from "../../src/core/chat.ts";
import { messageOf, PermanentError, RetryableError } from "../../src/core/errors.ts";
import { openTurn } from "../../src/loop/machine/open-turn.ts";
import { createApprovalStore } from "../../src/store/approvals/approvals.ts";
import { createChatSettings } from "../../src/store/turns/chat-settings.ts";
import { readChatStatus } from "../../src/store/turns/chat-status.ts";
import { listDeadLetters } from "../../src/store/turns/dead-letters.ts";
import { createGatewaySessions } from "../../src/store/operations/gateway-sessions.ts";
import { readHistory } from "../../src/store/turns/history.ts";
import { createInbox } from "../../src/store/turns/inbox.ts";
import { approvalKey, chatKeys, configKey } from "../../src/store/keys.ts";
import { createFacts, personFactsKey } from "../../src/store/memory/facts.ts";
import { createSummaries } from "../../src/store/memory/summaries.ts";
import { createVectorStore } from "../../src/store/memory/vectors.ts";
import { createWindowStore } from "../../src/store/memory/windows.ts";
import { createMemory } from "../../src/memory/memory.ts";
import { createNotes } from "../../src/store/turns/notes.ts";
import { createOfferedTools } from "../../src/store/approvals/offered-tools.ts";
import { createOutboxStore } from "../../src/store/turns/outbox.ts";
import { createPeopleStore } from "../../src/store/people/people.ts";
import { openStore, type Store } from "../../src/store/redis/redis.ts";
import { countPausedSchedules, countOverdueSchedules } from "../../src/store/turns/overdue.ts";
import { createSchedules } from "../../src/store/turns/schedules.ts";
import { createTodos } from "../../src/store/turns/todos.ts";
import { createTurnStore } from "../../src/store/turns/turn-store.ts";
import { readUsage } from "../../src/store/turns/usage.ts";
import type { Random } from "../chaos/storm/random.ts";
import { startTestRedis } from "../support/redis/start-test-redis.ts";
import { evilString } from "./evil.ts";
import { must, type Fuzzer, type FuzzResult } from "./fuzzer.ts";
import { asText, mutated } from "./mutate.ts";
import { approvalId, chat, marker, values, type ValueName } from "./stored-values.ts";

const healthy = chatKey({ platform: "telegram", bot: "700", chat: "10" });
const keys = chatKeys(chat);
const deadId = `${keys.shard}-0123456789abcdef`;
const leaseMs = 60_000;
const retentionMs = 1_000_000_000;
const scheduleId = "abc123";

interface Given {
  readonly name: ValueName;
  /** What is stored; of a hash, its field's value. */
  readonly text: string;
  /** The key holds something of another type. */
  readonly isOtherType: boolean;
}

/** Where each value lies: its key, and how it gets there. */
type Place =
  | { readonly key: string; readonly as: "string" | "list" }
  | { readonly key: string; readonly as: "hash"; readonly field: string };

const hash = (key: string, field: string): Place => ({
  key,
  as: "hash",
  field,
});
const places: Readonly<Record<ValueName, Place>> = {
  inbox: { key: keys.inbox, as: "list" },
  log: { key: keys.log, as: "list" },
  outbox: { key: keys.outbox, as: "list" },
  draft: { key: keys.draft, as: "string" },
  todos: { key: keys.todos, as: "string" },
  notes: { key: keys.notes, as: "list" },
  fact: hash(keys.facts, "0a1b2c3d"),
  ownFact: hash(personFactsKey("telegram:9"), "0a1b2c3d"),
  summary: { key: keys.summaries, as: "list" },
  window: hash(keys.windows, "0"),
  windowsHead: hash(keys.windows, "head"),
  windowsFirst: hash(keys.windows, "first"),
  vectorsModel: hash(keys.vectors, "model"),
  vectorsNext: hash(keys.vectors, "next"),
  vector: hash(keys.vectors, "0"),
  state: hash(keys.state, "state"),
  revision: hash(keys.state, "revision"),
  lease: hash(keys.state, "lease"),
  turn: hash(keys.state, "turn"),
  viewStart: hash(keys.state, "viewStart"),
  logBase: hash(keys.state, "logBase"),
  inBase: hash(keys.state, "inBase"),
  stop: hash(keys.state, "stop"),
  deaths: hash(keys.state, "deaths"),
  approvals: hash(keys.state, "approvals"),
  calls: hash(keys.calls, "1.1.0"),
  settings: hash(keys.settings, "tier"),
  usage: hash(keys.usage, "requests:a/m"),
  schedule: hash(keys.plans, scheduleId),
  scheduleDigest: hash(keys.plans, `digest:${scheduleId}`),
  approval: hash(approvalKey(approvalId), "approval"),
  approvalStatus: hash(approvalKey(approvalId), "status"),
  approvalExpiry: hash(approvalKey(approvalId), "expiresAt"),
  dead: hash(`${keys.deadPrefix}${deadId}`, "entry"),
  role: hash(configKey("person:telegram:9"), "role"),
  pairing: { key: configKey("pairing:ABCDEFGH"), as: "string" },
  tools: { key: configKey("tools"), as: "string" },
  session: hash(configKey("discord:session-0:700"), "session"),
};

/** What lies in Redis, as something else than we have written might have left it. */
export async function storedFuzzer(): Promise<Fuzzer> {
  await using parts = new AsyncDisposableStack();
  const redis = parts.use(await startTestRedis());
  const store = openStore(redis.url, () => undefined);
  parts.defer(() => store.redis.disconnect());
  const held = parts.move();
  const readers = readersOf(store);
  await plantWhole(store);
  // What is planted beside the changed value is no trouble.
  for (const read of readers) await read();
  return {
    name: "stored",
    covers:
      "values of every key → our scripts and readers; read, or refused by an error that names the key and repeats no word of it, and other chats go on",
    mustReach: ["read", "PermanentError", "RetryableError", "ReplyError"],
    make: (random) => JSON.stringify(makeValue(random)),
    async run(input): Promise<FuzzResult> {
      const given = JSON.parse(input) as Given;
      await store.redis.flushdb();
      await plantWhole(store);
      await plant(store, given);
      const outcomes = new Set(await Promise.all(readers.map(triedTo)));
      outcomes.delete("read");
      const [first = "read"] = outcomes;
      return { passed: isJson(given), outcome: first };
    },
    async check() {
      await store.redis.flushdb();
      await plantWhole(store);
      await createInbox(store).append(healthy, {
        kind: "message",
        v: 1,
        id: "m1",
        person: { id: "telegram:10", name: "Healthy" },
        text: "hello",
        atMs: 1,
      });
      const begun = await turnsOf(store).begin(healthy);
      must(begun.type === "begun", "another chat does not go on");
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const turnsOf = (store: Store) => createTurnStore({ store, leaseMs, retentionMs, openTurn });

/** Everything that reads what a chat, its people or its platform have stored. */
function readersOf(store: Store): readonly (() => Promise<unknown>)[] {
  const approvals = createApprovalStore(store);
  const people = createPeopleStore(store);
  const outbox = createOutboxStore(store, leaseMs);
  return [
    () => turnsOf(store).begin(chat),
    () => Array.fromAsync(readHistory(store, chat)),
    () => readChatStatus(store, chat),
    () => createChatSettings(store).read(chat),
    () => readUsage(store, chat),
    () => outbox.open(chat),
    () => approvals.find(approvalId),
    () => approvals.shownOf(chat),
    () => decide(approvals),
    () => createNotes(store, createFacts(store, undefined)).read(chat),
    () => createFacts(store, undefined).list({ person: "telegram:9" }),
    () => createSummaries(store, undefined).list(chat),
    ...memoryOf(store),
    () => createTodos(store).read(chat),
    () => people.profile("telegram:9"),
    () => people.decidePairing("ABCDEFGH", "somebody"),
    () => createOfferedTools(store).read(),
    () => createGatewaySessions(store, "700").readSession(0),
    () => listDeadLetters(store, chat, () => undefined),
    () => createInbox(store).stop(chat, "stop1"),
    () => readSchedules(store),
    () => countOverdueSchedules(store),
    () => countPausedSchedules(store),
  ];
}

/** Finds by words and by vectors, and indexes. */
function memoryOf(store: Store): readonly (() => Promise<unknown>)[] {
  const memory = createMemory({
    windows: createWindowStore(store),
    report: () => undefined,
    meaning: {
      embedder: { model: "p/m", embed: (texts) => Promise.resolve(texts.map(() => [1, 0, 0, 0])) },
      vectors: createVectorStore(store),
      pay: () => Promise.resolve(() => Promise.resolve()),
      monotonic: () => 0,
      report: () => undefined,
    },
  });
  const by = { id: "telegram:9", name: "Nine" };
  const never = new AbortController().signal;
  return [
    () => memory.recall.find(chat, { words: "planted words", limit: 3, by }, never),
    () => memory.index(chat),
    () => memory.embed(chat, never),
  ];
}

/** Lists, pauses and fires. */
async function readSchedules(store: Store): Promise<void> {
  const problems: unknown[] = [];
  const report = (_what: string, error: unknown): void => void problems.push(error);
  const schedules = createSchedules(store, { retentionMs, report });
  await schedules.list(chat);
  await schedules.digest(chat, scheduleId);
  const opened = await schedules.open(chat, scheduleId);
  if (opened !== undefined) {
    const { stored, schedule } = opened;
    await schedules.fire(chat, { id: scheduleId, stored, schedule, againMs: schedule.nextMs });
    await schedules.save(chat, { ...schedule, pausedWhy: "person" });
  }
  if (problems.length > 0) throw problems[0];
}

async function decide(approvals: ReturnType<typeof createApprovalStore>): Promise<void> {
  const view = await approvals.find(approvalId);
  if (view === undefined) return;
  const told = { kind: "notice", v: 1, id: "n1", text: "decided" } as const;
  await approvals.decide(view, {
    status: "approved",
    decidedBy: "somebody",
    told,
    toldExpired: told,
  });
}

/** @throws where it fails in a way that no one is prepared for. */
async function triedTo(read: () => Promise<unknown>): Promise<string> {
  try {
    await read();
    return "read";
  } catch (error) {
    const message = messageOf(error);
    // A chat's name is an id of its platform's, not anybody's words.
    const isOfName = message.endsWith("chat's key");
    must(isOfName || !message.includes(marker), "an error repeats what was stored");
    if (error instanceof PermanentError) return "PermanentError";
    if (error instanceof RetryableError) return "RetryableError";
    // Redis itself refuses: another type of key, or our script met no number.
    if (error instanceof Error && error.name === "ReplyError") return "ReplyError";
    throw error;
  }
}

const isJson = ({ text, name, isOtherType }: Given): boolean => {
  if (isOtherType) return false;
  if (typeof values[name] !== "object") return text === values[name] || text.length < 100;
  try {
    JSON.parse(text.slice(text.indexOf("{")));
    return true;
  } catch {
    return false;
  }
};

/**
 * A chat with one of everything, so that every reader has something to read beside what was
 * changed.
 */
async function plantWhole(store: Store): Promise<void> {
  const pipeline = store.redis.pipeline();
  for (const [name, place] of Object.entries(places))
    put(pipeline, place, textOf(name as ValueName, values[name as ValueName]));
  pipeline.hset(keys.state, { last: "nobody", epoch: "e", revision: "1" });
  pipeline.hset(approvalKey(approvalId), { card: "4" });
  pipeline.hset(configKey("discord:session-0:700"), { at: "1", fence: "1" });
  pipeline.hset(`${keys.deadPrefix}${deadId}`, {
    v: "1",
    why: "refused",
    cause: "because",
    at: "1",
    tries: "3",
    doubtful: "0",
  });
  pipeline.zadd(`parley:{${keys.shard}}:dead`, Date.now() * 1_000, `${deadId} ${chat}`);
  await pipeline.exec();
}

async function plant(store: Store, given: Given): Promise<void> {
  const place = places[given.name];
  const pipeline = store.redis.pipeline();
  if (given.isOtherType) {
    pipeline.del(place.key);
    if (place.as === "string") pipeline.rpush(place.key, given.text);
    else pipeline.set(place.key, given.text);
  } else {
    if (place.as !== "hash") pipeline.del(place.key);
    put(pipeline, place, given.text);
  }
  await pipeline.exec();
}

function put(pipeline: ReturnType<Store["redis"]["pipeline"]>, place: Place, text: string): void {
  if (place.as === "hash") pipeline.hset(place.key, place.field, text);
  else if (place.as === "list") pipeline.rpush(place.key, text);
  else pipeline.set(place.key, text);
}

/** Entries of the outbox and drafts stand behind their ids. */
const textOf = (name: ValueName, value: unknown): string => {
  if (typeof value === "string") return value;
  const json = JSON.stringify(value);
  return name === "outbox" || name === "draft" ? `turn-1 ${json}` : json;
};

function makeValue(random: Random): Given {
  const name = random.pick(Object.keys(values) as ValueName[]);
  const value = values[name];
  const isOtherType = random.chance(0.05);
  if (typeof value === "string") {
    const text = random.chance(0.5)
      ? evilString(random, value)
      : String(random.pick([-1, 0, 1e21, 2 ** 53, 0.5, 99_999]));
    return { name, text, isOtherType };
  }
  const json = asText(
    mutated(value, { random, words: [approvalId, chat, "2", "99", marker] }),
    random,
  );
  const isEntry = name === "outbox" || name === "draft";
  return { name, text: isEntry ? `turn-1 ${json}` : json, isOtherType };
}
