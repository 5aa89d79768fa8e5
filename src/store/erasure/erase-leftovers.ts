import { z } from "zod";
import { approvalSchema, type Approval } from "../../core/approval.ts";
import { chatKeySchema, parseChatKey, type ChatKey } from "../../core/chat.ts";
import { erasedText } from "../../core/history.ts";
import { placesOf } from "../../core/places.ts";
import { blobTtlMs } from "../turns/blobs.ts";
import { forgetChannelOf } from "../operations/gateway-sessions.ts";
import { eraseErrorsOf } from "../operations/error-reports.ts";
import { eraseSkillCards } from "../operations/skill-reviews.ts";
import { eraseSpent } from "../limits/spent.ts";
import { knownKey } from "../people/known-people.ts";
import { messagePrefix } from "../turns/inbox.ts";
import { chatKeys } from "../keys.ts";
import { personField } from "../personas/choices.ts";
import { eraseDraftsIn } from "../personas/persona-drafts.ts";
import { eraseFactsFrom, refuseFactsOf } from "../memory/facts.ts";
import { createPersonaStore } from "../personas/personas.ts";
import { createWindowStore } from "../memory/windows.ts";
import { ledgerTtlMs } from "../turns/receipt.ts";
import { eraseScheduleNames } from "../turns/schedule-count.ts";
import { eraseSchedules } from "../turns/schedules.ts";
import type { Store } from "../redis/redis.ts";
import { scanKeys } from "../redis/scan-keys.ts";
import { parseStored } from "../stored.ts";
import { isDamage, unlessUnreadable, type ReportProblem } from "../unreadable.ts";

/**
 * A closed approval's card may still have buttons to remove: the data for that is kept this long.
 * Milliseconds.
 */
const cardTtlMs = 48 * 3_600_000;
/** A blob begins with its version and its chat. */
const headLength = 400;

export interface Leftovers {
  /** Erased as a whole. */
  readonly chats: ReadonlySet<ChatKey>;
  /** Group chats in which the person's messages were blanked. */
  readonly groups: ReadonlySet<ChatKey>;
  readonly people: readonly { readonly id: string; readonly name?: string }[];
}

/**
 * Erases what can't be found through a chat's own keys: approvals, files in
 * transit, ledgers, facts and summaries, traces that no index names, what people chose in chats, who saved its personas, a
 * group's title, error reports, what was spent, and records that a bot was used in a channel. Scans every key name. Keeps anything newer than the erasure,
 * and the files of unsent entries and of remaining messages and results.
 */
export async function eraseLeftovers(
  store: Store,
  leftovers: Leftovers,
  {
    report,
    signal,
    retentionMs,
  }: {
    readonly report: ReportProblem;
    readonly signal: AbortSignal;
    /** How long an idle chat is kept. */
    readonly retentionMs: number;
  },
): Promise<void> {
  const { redis } = store;
  const erasedTurns = new Map<ChatKey, number>();
  const attached = new Set<string>();
  for (const chat of [...leftovers.chats, ...leftovers.groups]) {
    const erased = await redis.hget(chatKeys(chat).state, "erased");
    erasedTurns.set(chat, Number(erased ?? 0));
    for (const blob of await attachedIn(store, chat)) attached.add(blob);
  }
  const isOld = (chat: string, turn: number): boolean =>
    turn <= (erasedTurns.get(chat as ChatKey) ?? -1);
  for (const chat of leftovers.chats) {
    const guilds = (await forgetChannelOf(store, chat)).map((guild) => `discord:guild:${guild}`);
    const places = placesOf({ address: parseChatKey(chat), direct: false });
    for (const place of [...places, ...guilds]) await redis.del(knownKey(place));
  }
  await eraseDraftsIn(store, leftovers.chats);
  await eraseScheduleNames(store, leftovers.chats);
  await eraseSkillCards(store, leftovers.chats);
  await refuseFactsOf(store, erasedTurns);
  await eraseFactsFrom(store, leftovers.chats);
  // A report doesn't say whose words a provider has echoed in its cause: all of a group's go.
  await eraseErrorsOf(store, new Set([...leftovers.chats, ...leftovers.groups]));
  const people = leftovers.people.map(({ id }) => id);
  await eraseSpent(store, { people, chats: [...leftovers.chats] });
  for await (const key of scanKeys(store, "parley:{s*}:*")) {
    signal.throwIfAborted();
    await unlessUnreadable(report, key, () =>
      eraseKey(store, key, { ...leftovers, isOld, erasedTurns, attached, retentionMs }),
    );
  }
}

interface Erased extends Leftovers {
  readonly isOld: (chat: string, turn: number) => boolean;
  /** Of each chat, the newest turn that was erased. */
  readonly erasedTurns: ReadonlyMap<ChatKey, number>;
  /** The blobs of messages and results that are left. */
  readonly attached: ReadonlySet<string>;
  readonly retentionMs: number;
}

/** Entries that are looked at in one step. */
const step = 200;

const resultPrefix = '{"kind":"tool",';

/**
 * The blobs of a chat's messages and results. Reads the inbox first: entries taken from it since
 * are then in the history.
 */
async function attachedIn({ redis }: Store, chat: ChatKey): Promise<readonly string[]> {
  const { inbox, log } = chatKeys(chat);
  const blobs: string[] = [];
  for (const key of [inbox, log])
    for (let from = 0; ; from += step) {
      const entries = await redis.lrange(key, from, from + step - 1);
      for (const json of entries)
        if (json.startsWith(messagePrefix) || json.startsWith(resultPrefix))
          for (const [, blob = ""] of json.matchAll(/"blob":"([\w-]+)"/g)) blobs.push(blob);
      if (entries.length < step) break;
    }
  return blobs;
}

async function eraseKey(store: Store, key: string, erased: Erased): Promise<void> {
  const [, kind, name = ""] = /^parley:\{s\d+\}:([^:]+):(.*)$/.exec(key) ?? [];
  switch (kind) {
    case "blob": {
      const chat = await chatOfBlob(store, key);
      if (erased.erasedTurns.has(chat) && !erased.attached.has(name))
        await dropOld(store, key, { chat, ttlMs: blobTtlMs, namedAs: name });
      break;
    }
    case "appr":
      await eraseApproval(store, key, erased);
      break;
    case "grants":
      await eraseGrants(store, key, { name, erased });
      break;
    case "mem":
      await eraseIndex(store, name as ChatKey, erased);
      break;
    case "facts":
    case "sums":
      await eraseKept(store, { kind, chat: name as ChatKey }, erased);
      break;
    case "plans":
      await eraseSchedulesLeft(store, key, { name, erased });
      break;
    case "set":
      for (const { id } of erased.people) await store.redis.hdel(key, personField(id));
      break;
    case "personas":
      for (const { id } of erased.people)
        await createPersonaStore(store).forget(`chat:${name as ChatKey}`, id);
      break;
    case "trace": {
      const [, chat = "", turn] = /^(.*):(\d+)$/.exec(name) ?? [];
      if (erased.isOld(chat, Number(turn))) await store.redis.del(key);
      break;
    }
    case "sent":
      await eraseLedger(store, key, { name, erased });
      break;
    default:
    //     The rest belongs to the chats and was erased by the workers, or has
    // no owner.
  }
}

/** One that a worker of an earlier version has left. */
async function eraseIndex(
  store: Store,
  chat: ChatKey,
  { chats, groups }: Pick<Erased, "chats" | "groups">,
): Promise<void> {
  if (!chats.has(chat) && !groups.has(chat)) return;
  const windows = createWindowStore(store);
  const open = await windows.open(chat).catch((error: unknown) => {
    if (isDamage(error)) return undefined;
    throw error;
  });
  if (open === undefined || (open.known !== "" && open.head === undefined))
    await windows.forget(chat);
}

/**
 * An erasure by a worker of an earlier version leaves facts and summaries. What was said after it
 * stays.
 */
async function eraseKept(
  { redis }: Store,
  { kind, chat }: { readonly kind: "facts" | "sums"; readonly chat: ChatKey },
  { chats, groups, people }: Pick<Erased, "chats" | "groups" | "people">,
): Promise<void> {
  if (!chats.has(chat) && !groups.has(chat)) return;
  const { state, facts, summaries } = chatKeys(chat);
  const erasedAtMs = Number(await redis.hget(state, "erasedAt"));
  const isOld = (json: string): boolean =>
    Number(/"atMs":(\d+)/.exec(json)?.[1] ?? 0) <= erasedAtMs;
  if (kind === "sums") {
    for (const json of await redis.lrange(summaries, 0, -1))
      if (isOld(json)) await redis.lrem(summaries, 0, json);
    return;
  }
  const isTheirs = (json: string): boolean =>
    chats.has(chat) || people.some(({ id }) => json.includes(JSON.stringify(id)));
  for (const [id, json] of Object.entries(await redis.hgetall(facts)))
    if (isOld(json) && isTheirs(json)) await redis.hdel(facts, id);
}

/**
 * A turn that was under way may have made one since, and an erasure by a worker of an earlier version
 * leaves them. What was made after it stays.
 */
async function eraseSchedulesLeft(
  store: Store,
  key: string,
  { name, erased }: { readonly name: string; readonly erased: Erased },
): Promise<void> {
  const { people, chats, retentionMs } = erased;
  await eraseSchedules(store, key, { of: people.map(({ id }) => id), retentionMs });
  const chat = name as ChatKey;
  if (!chats.has(chat)) return;
  const madeUntilMs = Number(await store.redis.hget(chatKeys(chat).state, "erasedAt"));
  await eraseSchedules(store, key, { of: { madeUntilMs }, retentionMs });
}

async function dropOld(
  store: Store,
  key: string,
  of: {
    readonly chat: ChatKey;
    readonly ttlMs: number;
    readonly namedAs: string;
  },
): Promise<void> {
  const { state, outbox } = chatKeys(of.chat);
  await store.run("drop-old", [key, state, outbox], [of.ttlMs, of.namedAs]);
}

/**
 * A chat's name may be the beginning of another's, its topic's: no entry's id has a colon but those
 * of private answers.
 */
async function eraseLedger(
  store: Store,
  key: string,
  { name, erased }: { readonly name: string; readonly erased: Erased },
): Promise<void> {
  for (const chat of erased.chats) {
    if (!name.startsWith(`${chat}:`)) continue;
    const entry = name.slice(chat.length + 1);
    if (entry.includes(":") && !entry.startsWith("private:")) continue;
    const [, turn] = /^turn-(\d+)/.exec(entry) ?? [];
    if (turn === undefined) await dropOld(store, key, { chat, ttlMs: ledgerTtlMs, namedAs: "" });
    else if (erased.isOld(chat, Number(turn))) await store.redis.del(key);
  }
}

async function chatOfBlob({ redis }: Store, key: string): Promise<ChatKey> {
  const head = await redis.getrange(key, 0, headLength);
  const [, chat = ""] = /^\{"v":1,"chat":"([^"]+)"/.exec(head) ?? [];
  return chat as ChatKey;
}

const pastSchema = approvalSchema
  .pick({ chat: true, turn: true, changedBy: true, changedById: true })
  .extend({
    chat: chatKeySchema,
    requester: z.object({ id: z.string() }),
  });

/**
 * The request without the name and the arguments of the person who changed
 * them. A waiting card must still show them.
 */
function withoutChange(json: string, isPending: boolean): string {
  const approval = JSON.parse(json) as Approval;
  if (isPending) return JSON.stringify({ ...approval, changedBy: "" });
  const { changedById: _, ...rest } = approval;
  const erased = { arguments: JSON.stringify(erasedText), digest: "" };
  return JSON.stringify({ ...rest, ...erased, changedBy: "" });
}

/** Whether they did it: by the id, or, where an earlier version recorded only the name, by that. */
const isOneOf = (
  people: Leftovers["people"],
  by: {
    readonly id: string | null | undefined;
    readonly name: string | null | undefined;
  },
): boolean =>
  people.some(({ id, name }) => (by.id ? id === by.id : name !== undefined && name === by.name));

async function eraseApproval(
  { redis }: Store,
  key: string,
  { chats, groups, people, isOld, erasedTurns }: Omit<Erased, "attached" | "retentionMs">,
): Promise<void> {
  const fields = ["status", "decidedBy", "decidedById", "firstId", "edit"];
  const [json, status, decidedBy, decidedById, firstId, edit] = await redis.hmget(
    key,
    "approval",
    ...fields,
  );
  if (!json) return;
  const past = parseStored(pastSchema, key, json);
  const { chat, turn, requester, changedBy, changedById } = past;
  // A worker may be about to run a call with exactly these arguments.
  const isNewer = erasedTurns.has(chat) && !isOld(chat, turn);
  if (isNewer) return;
  const isTheirs = people.some(({ id }) => id === requester.id);
  if (isOld(chat, turn) && (chats.has(chat) || isTheirs)) {
    await redis.hdel(
      key,
      "approval",
      "decidedBy",
      "decidedById",
      "reason",
      "firstId",
      "firstName",
      "edit",
    );
    await redis.pexpire(key, cardTtlMs);
    return;
  }
  // If the author of a reason is unknown, it may be theirs.
  const isUnknown = !decidedById && groups.has(chat) && people.length > 0;
  if (isOneOf(people, { id: decidedById, name: decidedBy })) {
    await redis.hset(key, "decidedBy", "");
    await redis.hdel(key, "decidedById", "reason");
  } else if (isUnknown && isOld(chat, turn)) await redis.hdel(key, "reason");
  if (edit && people.some(({ id }) => edit.includes(JSON.stringify(id))))
    await redis.hdel(key, "edit");
  if (changedBy !== undefined && isOneOf(people, { id: changedById, name: changedBy }))
    await redis.hset(key, "approval", withoutChange(json, status === "pending"));
  // Where a second person is still awaited, the first one's word counts no more.
  if (people.some(({ id }) => id === firstId))
    await redis.hdel(key, "firstId", "firstName", "firstAttempt");
}

/**
 * A permission ends with the person who gave it, whose requests it holds for, or whose words are
 * its arguments. Of one that an earlier version wrote for everybody it is not known whose words
 * these are.
 */
async function eraseGrants(
  { redis }: Store,
  key: string,
  { name, erased }: { readonly name: string; readonly erased: Erased },
): Promise<void> {
  const { people, groups } = erased;
  const isGroup = people.length > 0 && groups.has(name as ChatKey);
  for (const json of await redis.zrange(key, "0", "-1")) {
    const isNamed = people.some(({ id }) => json.includes(JSON.stringify(id)));
    if (isNamed || (isGroup && !/"(?:wordsOf|requester)":/.test(json))) await redis.zrem(key, json);
  }
}
