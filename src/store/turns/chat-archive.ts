import { randomBytes } from "node:crypto";
import type { ArchiveHead, ArchiveLine } from "../../core/archive.ts";
import type { ChatKey } from "../../core/chat.ts";
import { PermanentError, RetryableError } from "../../core/errors.ts";
import { createPersonaStore, newPersonaFields } from "../personas/personas.ts";
import { readHistory } from "./history.ts";
import { chatKeys, importPrefix } from "../keys.ts";
import { createFacts } from "../memory/facts.ts";
import { createSummaries } from "../memory/summaries.ts";
import { number, type Store } from "../redis/redis.ts";
import { createTodos } from "./todos.ts";

const countNames = ["turns", "modelCalls", "inputTokens", "outputTokens"] as const;
/** Prepared data expires after this if the import died before adopting it. Milliseconds. */
const stagingTtlMs = 3_600_000;

/** A chat's data, as lines of an archive. Undefined: none. @throws what `parseStored` throws. */
export async function readChat(
  store: Store,
  chat: ChatKey,
): Promise<AsyncGenerator<ArchiveLine, void, undefined> | undefined> {
  const { redis } = store;
  const { state, log, notes, facts, summaries, personas, plans } = chatKeys(chat);
  const kept = [state, log, notes, facts, summaries, personas, plans];
  const found = await Promise.all(kept.map((key) => redis.exists(key)));
  return found.includes(1) ? linesOf(store, chat) : undefined;
}

const unreadable = (_: string, error: unknown): never => {
  throw error;
};

async function* linesOf(store: Store, chat: ChatKey): AsyncGenerator<ArchiveLine, void, undefined> {
  const { redis } = store;
  const keys = chatKeys(chat);
  const epoch = await redis.hget(keys.state, "epoch");
  const [viewStart, inBase, ...counts] = (
    await redis.hmget(
      keys.state,
      "viewStart",
      "inBase",
      ...countNames.map((name) => `usage:${name}`),
    )
  ).map((value) => Number(value ?? 0));
  const [turns = 0, modelCalls = 0, inputTokens = 0, outputTokens = 0] = counts;
  yield {
    kind: "chat",
    v: 1,
    chat,
    exportedAtMs: store.clock.now(),
    viewStart: viewStart ?? 0,
    inBase: inBase ?? 0,
    counts: { turns, modelCalls, inputTokens, outputTokens },
  };
  let entries = 0;
  for await (const { position, entry } of readHistory(store, chat)) {
    entries += 1;
    yield { kind: "entry", position, entry };
  }
  for (const text of await redis.lrange(keys.notes, 0, -1)) yield { kind: "note", text };
  for (const fact of await createFacts(store, undefined).list({ chat }))
    yield { kind: "fact", fact };
  for (const summary of await createSummaries(store, undefined).list(chat))
    yield { kind: "summary", summary };
  const items = await createTodos(store).read(chat);
  if (items.length > 0) yield { kind: "todos", items: [...items] };
  const settings = await redis.hgetall(keys.settings);
  for (const [name, value] of Object.entries(settings)) yield { kind: "setting", name, value };
  for (const { persona } of await createPersonaStore(store).list(`chat:${chat}`, unreadable))
    yield { kind: "persona", persona };
  const usage = await redis.hgetall(keys.usage);
  for (const [name, amount] of Object.entries(usage)) yield { kind: "usage", name, amount };
  const plans = await redis.hgetall(keys.plans);
  for (const [name, value] of Object.entries(plans)) yield { kind: "schedule", name, value };
  if ((await redis.hget(keys.state, "epoch")) !== epoch)
    throw new RetryableError(`${chat} was erased while it was read`, {
      retryAfterMs: 0,
    });
  yield { kind: "end", entries };
}

export interface ImportOptions {
  /** The chat that it becomes. */
  readonly chat: ChatKey;
  readonly head: ArchiveHead;
  /** The lines after the head; the caller has validated them. */
  readonly lines: AsyncIterable<ArchiveLine>;
  readonly retentionMs: number;
  /** Of facts and summaries; absent: they have no end. */
  readonly memoryMs?: number | undefined;
}

/**
 * Makes a chat of an archive: all of it or nothing.
 * @throws PermanentError when there is such a chat already, or positions leave a gap.
 */
export async function importChat(
  store: Store,
  { chat, head, lines, retentionMs, memoryMs = 0 }: ImportOptions,
): Promise<void> {
  const keys = chatKeys(chat);
  const name = randomBytes(12).toString("base64url");
  const ready = stagingKeys(keys.shard, name);
  const own = chosenAs(lines, head.chat, chat);
  const { first, behind } = await stage(store, ready, own).catch(async (error: unknown) => {
    await store.redis.del(...Object.values(ready));
    throw error;
  });
  const state = {
    inBase: head.inBase,
    logBase: first,
    viewStart: Math.min(Math.max(head.viewStart, first), behind),
    epoch: name,
    ...Object.fromEntries(countNames.map((each) => [`usage:${each}`, head.counts[each]])),
  };
  const { state: stateKey, log, notes, todos, settings, usage, personas } = keys;
  const targets = [log, notes, todos, settings, usage, personas];
  const prepared = Object.values(ready).slice(0, targets.length);
  const isNew = await store.run(
    "adopt",
    [
      stateKey,
      ...targets,
      keys.inbox,
      keys.outbox,
      ...prepared,
      keys.plans,
      keys.wake,
      ready.plans,
      keys.facts,
      keys.summaries,
      ready.facts,
      ready.summaries,
    ],
    [name, retentionMs, chat, memoryMs, ...Object.entries(state).flat()],
  );
  if (number(isNew) === 1) return;
  await store.redis.del(...Object.values(ready));
  throw new PermanentError(
    `${chat} exists: an archive can only be imported where there is no such chat. Erase it first, or import it under another name.`,
  );
}

/** In the order of `adopt`, then what it takes apart from these. */
const stagingKeys = (shard: string, name: string) => {
  const prefix = importPrefix(shard, name);
  return {
    log: `${prefix}log`,
    notes: `${prefix}notes`,
    todos: `${prefix}todos`,
    settings: `${prefix}settings`,
    usage: `${prefix}usage`,
    personas: `${prefix}personas`,
    plans: `${prefix}plans`,
    facts: `${prefix}facts`,
    summaries: `${prefix}sums`,
  };
};

/** The personas and the facts of the archive's chat become those of the new one. */
async function* chosenAs(lines: AsyncIterable<ArchiveLine>, from: ChatKey, to: ChatKey) {
  for await (const line of lines)
    if (line.kind === "setting" && line.name.startsWith("persona"))
      yield { ...line, value: line.value.replace(`chat:${from}/`, `chat:${to}/`) };
    else if (line.kind === "fact") yield { ...line, fact: { ...line.fact, chat: to } };
    else yield line;
}

/**
 * Stores all entries under the temporary keys; fulfils with the position of the first entry, and
 * that after the last one. Without entries, new ones follow the last summary.
 */
async function stage(
  { redis, clock }: Store,
  ready: ReturnType<typeof stagingKeys>,
  lines: AsyncIterable<ArchiveLine>,
): Promise<{ readonly first: number; readonly behind: number }> {
  let first: number | undefined;
  let next: number | undefined;
  let summarised = 0;
  const keep = (key: string) => redis.pexpire(key, stagingTtlMs);
  for await (const line of lines) {
    switch (line.kind) {
      case "entry":
        if (next !== undefined && line.position !== next)
          throw new PermanentError(
            `entry ${line.position} follows entry ${next - 1}: expected no gap`,
          );
        first ??= line.position;
        next = line.position + 1;
        await redis.rpush(ready.log, JSON.stringify(line.entry));
        await keep(ready.log);
        break;
      case "note":
        await redis.rpush(ready.notes, line.text);
        await keep(ready.notes);
        break;
      case "fact":
        await redis.hset(ready.facts, line.fact.id, JSON.stringify(line.fact));
        await keep(ready.facts);
        break;
      case "summary":
        summarised = line.summary.to + 1;
        await redis.rpush(ready.summaries, JSON.stringify(line.summary));
        await keep(ready.summaries);
        break;
      case "todos":
        await redis.set(
          ready.todos,
          JSON.stringify({ v: 1, items: line.items }),
          "PX",
          stagingTtlMs,
        );
        break;
      case "setting":
        await redis.hset(ready.settings, line.name, line.value);
        await keep(ready.settings);
        break;
      case "persona":
        await redis.hset(ready.personas, newPersonaFields(line.persona, clock.now()));
        await keep(ready.personas);
        break;
      case "usage":
        await redis.hset(ready.usage, line.name, line.amount);
        await keep(ready.usage);
        break;
      case "schedule":
        await redis.hset(ready.plans, line.name, line.value);
        await keep(ready.plans);
        break;
      case "chat":
      case "end":
        break;
      default:
        line satisfies never;
    }
  }
  return { first: first ?? summarised, behind: next ?? summarised };
}
