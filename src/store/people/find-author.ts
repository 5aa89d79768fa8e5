import { z } from "zod";
import { chatKey, chatKeySchema, chatNamed, parseChatKey, type ChatKey } from "../../core/chat.ts";
import type { ErasureTarget } from "../erasure/erasures.ts";
import { chatKeys, configKey } from "../keys.ts";
import { readSummaries } from "../memory/summaries.ts";
import { list, number, text, type Store } from "../redis/redis.ts";
import { scanKeys } from "../redis/scan-keys.ts";
import { parseStored } from "../stored.ts";
import { unlessUnreadable, type ReportProblem } from "../unreadable.ts";

/** Entries that the server looks at in one step. */
const step = 500;

/**
 * The chats that contain something of a person: their own (known by their
 * number in Telegram, by their profile, or by what they wrote there), the
 * groups in which they wrote or may have written (where only a summary is
 * left), and others' chats where they are quoted, said a fact, or decided a
 * call with a reason or changed arguments. Scans every chat's history, so it is only for
 * rare requests.
 */
export async function findChatsOf(
  store: Store,
  personId: string,
  report: ReportProblem,
): Promise<readonly ErasureTarget[]> {
  const targets = new Map<ChatKey, Omit<ErasureTarget, "chat">>();
  const looked = new Set<ChatKey>();
  for (const chat of await directChatsOf(store, personId, report))
    targets.set(chat, { what: "chat" });
  const decided = new Set<ChatKey>();
  for await (const key of scanKeys(store, "parley:{s*}:*")) {
    const chat = chatOf(key);
    if (chat === undefined) {
      await unlessUnreadable(report, key, async () => {
        const of = await chatOfDecision(store, key, personId);
        if (of !== undefined) decided.add(of);
      });
      continue;
    }
    if (looked.has(chat)) continue;
    looked.add(chat);
    if (targets.has(chat)) continue;
    const where = isPrivateChatOf(chat, personId)
      ? "direct"
      : await unlessUnreadable(report, chat, () => whereWritten(store, chat, personId));
    if (where === "direct") targets.set(chat, { what: "chat" });
    else if (where === "group") targets.set(chat, { what: "author" });
    else if (where === "elsewhere") targets.set(chat, { what: "author", isGuess: true });
  }
  for (const chat of decided)
    if (!targets.has(chat)) targets.set(chat, { what: "author", isGuess: true });
  return [...targets].map(([chat, target]) => ({ chat, ...target }));
}

/** Keys of a single chat whose name ends with the chat's. */
const kinds = /^parley:\{s\d+\}:(?:in|st|log|out|draft|notes|todos|set|use|plans|facts|sums|mem):/;

function chatOf(key: string): ChatKey | undefined {
  return kinds.test(key) ? chatNamed(key.replace(kinds, "")) : undefined;
}

/**
 * The chat of an approval that they decided, or whose arguments they changed: it may not be in the
 * history yet.
 */
async function chatOfDecision(
  { redis }: Store,
  key: string,
  personId: string,
): Promise<ChatKey | undefined> {
  if (!/^parley:\{s\d+\}:appr:/.test(key)) return undefined;
  const [json, edit, ...ids] = await redis.hmget(key, "approval", "edit", "decidedById", "firstId");
  const quoted = JSON.stringify(personId);
  const isTheirs =
    ids.includes(personId) ||
    edit?.includes(quoted) === true ||
    json?.includes(`"changedById":${quoted}`) === true;
  return json && isTheirs
    ? parseStored(z.object({ chat: chatKeySchema }), key, json).chat
    : undefined;
}

async function directChatsOf(
  { redis }: Store,
  personId: string,
  report: ReportProblem,
): Promise<readonly ChatKey[]> {
  const key = configKey(`person:${personId}`);
  const chats: ChatKey[] = [];
  for (const [field, chat] of Object.entries(await redis.hgetall(key)))
    if (field.startsWith("direct:"))
      await unlessUnreadable(report, `${key} ${field}`, () =>
        chats.push(chatKey(parseChatKey(chat))),
      );
  return chats;
}

/**
 * In Telegram a private chat has its person's number; each of its topics is a
 * separate chat.
 */
export function isPrivateChatOf(chat: ChatKey, personId: string): boolean {
  const { platform, chat: id } = parseChatKey(chat);
  return platform === "telegram" && personId === `telegram:${id}`;
}

async function whereWritten(
  store: Store,
  chat: ChatKey,
  personId: string,
): Promise<"direct" | "group" | "elsewhere" | ""> {
  const { state, log, inbox } = chatKeys(chat);
  const base = Number((await store.redis.hget(state, "logBase")) ?? 0);
  let isGroup = false;
  let isSummed = false;
  let isQuoted = false;
  let isUnknown = false;
  let entries = 0;
  for (const key of [inbox, log])
    for (let from = 0; ; from += step) {
      const reply = list(
        await store.run(
          "authored",
          [key],
          [personId, JSON.stringify(personId), from, from + step - 1],
        ),
      );
      const where = text(reply[0]);
      if (where === "direct" || where === "group") return where;
      isGroup ||= number(reply[2]) === 1;
      isSummed ||= list(reply[3]).some((from) => number(from) < base);
      isQuoted ||= number(reply[4]) === 1;
      isUnknown ||= number(reply[5]) === 1;
      entries += number(reply[1]);
      if (number(reply[1]) < step) break;
    }
  // Facts, summaries and the index outlive the history.
  const kept = await keptOf(store, chat, personId);
  if (entries === 0 && kept.directWith === personId) return "direct";
  isGroup ||= entries === 0 && kept.directWith === undefined && mayBeGroup(chat);
  isSummed ||= kept.from.some((from) => entries === 0 || from < base);
  isSummed ||= entries === 0 && kept.isIndexed;
  const isTheirs = isQuoted || kept.hasFact;
  return isTheirs || (isGroup && (isSummed || isUnknown)) ? "elsewhere" : "";
}

/** Where no message is left to say so. In Telegram a group's number is negative. */
function mayBeGroup(chat: ChatKey): boolean {
  const { platform, chat: id } = parseChatKey(chat);
  return platform !== "telegram" || id.startsWith("-");
}

async function keptOf(
  { redis }: Store,
  chat: ChatKey,
  personId: string,
): Promise<{
  /** Or pays for vectors. */
  readonly hasFact: boolean;
  /** Where the summaries begin; of an unreadable one it isn't known. */
  readonly from: readonly number[];
  /** Whose direct chat it is, as far as summaries say so. */
  readonly directWith: string | undefined;
  readonly isIndexed: boolean;
}> {
  const { facts, summaries, windows, vectors } = chatKeys(chat);
  const [allFacts, allSummaries, indexed, payer] = await Promise.all([
    redis.hvals(facts),
    redis.lrange(summaries, 0, -1),
    redis.exists(windows),
    redis.hget(vectors, "payer"),
  ]);
  const named = [...allFacts, payer ?? ""];
  return {
    hasFact: named.some((json) => json.includes(JSON.stringify(personId))),
    from: allSummaries.map((json) => Number(/"from":(\d+)/.exec(json)?.[1] ?? -1)),
    directWith: readSummaries(allSummaries, { nowMs: 0 }).find(({ person }) => person)?.person,
    isIndexed: indexed === 1,
  };
}
