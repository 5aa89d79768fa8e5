import { randomBytes } from "node:crypto";
import { z } from "zod";
import { chatKey, parseChatKey, type ChatKey } from "../../core/chat.ts";
import { messageOf, PermanentError } from "../../core/errors.ts";
import { refusalReasons, type RefusalReason } from "../../core/refusal.ts";
import { deadReasons, deadTtlMs, shardOfDeadId } from "./dead-letter.ts";
import type { DeadReason } from "./dead-letter.ts";
import { chatKeys, deadIndexKey, shardCount } from "../keys.ts";
import { ledgerTtlMs } from "./receipt.ts";
import { number, type Store } from "../redis/redis.ts";

/** An abandoned outbox entry. */
export interface DeadLetter {
  readonly v: 1;
  readonly id: string;
  readonly chat: ChatKey;
  readonly why: DeadReason;
  readonly cause: string;
  /** What the platform has against it; absent: unknown, or an earlier version's letter. */
  readonly reason?: RefusalReason;
  /** When it was abandoned, by Redis' clock. */
  readonly atMs: number;
  readonly tries: number;
  /** It may have arrived nevertheless. */
  readonly doubtful: boolean;
  /** The outbox entry, valid or not; undefined if it isn't JSON. */
  readonly entry: unknown;
}

const letterSchema = z.object({
  v: z.literal("1"),
  why: z.enum(deadReasons),
  cause: z.string(),
  // A later version's reason is unknown.
  reason: z.enum(refusalReasons).optional().catch(undefined),
  at: z.coerce.number(),
  tries: z.coerce.number(),
  doubtful: z.enum(["0", "1"]),
  entry: z.string(),
});

/** The fields of an entry that a replay changes. */
const replayableSchema = z.looseObject({ id: z.string().regex(/^\S+$/) });

/**
 * The dead letters of one chat, or of all, oldest first. Those that a newer
 * version wrote are left out.
 *
 * @param skip receives a letter that can't be read, which is then left out.
 * @throws PermanentError for such a letter if `skip` is absent.
 */
export async function listDeadLetters(
  store: Pick<Store, "redis">,
  chat?: ChatKey,
  skip = refuseUnreadable,
): Promise<readonly DeadLetter[]> {
  const shards = chat === undefined ? allShards() : [chatKeys(chat).shard];
  const found = await membersOf(store, shards);
  const wanted = found.filter((each) => chat === undefined || each.chat === chat);
  wanted.sort((one, other) => one.atUs - other.atUs);
  return await readLetters(store, wanted, skip);
}

/**
 * Some of all dead letters, the newest first, after `from` newer ones. @param skip as above.
 * @returns also how many there are, as far as the index says.
 */
export async function newestDeadLetters(
  store: Pick<Store, "redis">,
  { from, count }: { readonly from: number; readonly count: number },
  skip: (problem: PermanentError) => void,
): Promise<{ readonly letters: readonly DeadLetter[]; readonly total: number }> {
  const [newest, counts] = await Promise.all([
    membersOf(store, allShards(), from + count),
    Promise.all(allShards().map((shard) => store.redis.zcard(deadIndexKey(shard)))),
  ]);
  const shown = newest.toSorted((one, other) => other.atUs - one.atUs).slice(from, from + count);
  return {
    letters: await readLetters(store, shown, skip),
    total: counts.reduce((sum, each) => sum + each, 0),
  };
}

async function readLetters(
  store: Pick<Store, "redis">,
  members: readonly Member[],
  skip: (problem: PermanentError) => void,
): Promise<readonly DeadLetter[]> {
  const letters = await Promise.all(
    members.map(async (each) => {
      try {
        return await readLetter(store, each);
      } catch (error) {
        if (!(error instanceof PermanentError)) throw error;
        skip(error);
        return undefined;
      }
    }),
  );
  return letters.filter((letter) => letter !== undefined);
}

interface AbandonedEntry {
  /** The entry's id. */
  readonly of: string;
  /** What it answers, see `slotName`; empty: no schedule, or unknown. */
  readonly slot: string;
  /** It may have arrived nevertheless. */
  readonly isDoubtful: boolean;
}

/** A chat's. A letter that can't be read, or that an earlier version wrote, is left out. */
export async function abandonedEntries(
  store: Pick<Store, "redis">,
  chat: ChatKey,
): Promise<readonly AbandonedEntry[]> {
  const { shard, deadPrefix } = chatKeys(chat);
  const ours = (await membersOf(store, [shard])).filter((each) => each.chat === chat);
  const all = await Promise.all(
    ours.map(({ id }) =>
      store.redis
        .hmget(`${deadPrefix}${id}`, "of", "slot", "doubtful")
        .catch((error: unknown) => [noHash(error)["of"]]),
    ),
  );
  return all.flatMap(([of, slot, doubtful]) =>
    of ? [{ of, slot: slot ?? "", isDoubtful: doubtful !== "0" }] : [],
  );
}

/** What kind of outbox entry it is. */
export const kindOf = ({ entry }: Pick<DeadLetter, "entry">): string =>
  z.object({ kind: z.string() }).safeParse(entry).data?.kind ?? "unreadable";

const refuseUnreadable = (problem: PermanentError): void => {
  throw problem;
};

/** Undefined when there is none of this id, or not any more. */
export async function findDeadLetter(
  store: Pick<Store, "redis">,
  id: string,
): Promise<DeadLetter | undefined> {
  const shard = shardOfDeadId(id);
  if (shard === undefined) return undefined;
  const members = await membersOf(store, [shard]);
  const member = members.find((each) => each.id === id);
  return member && (await readLetter(store, member));
}

/** The number of dead letters in all chats. One round trip. */
export async function countDeadLetters({
  redis,
  clock,
}: Pick<Store, "redis" | "clock">): Promise<number> {
  const oldest = (clock.now() - deadTtlMs) * 1_000;
  const counts = await Promise.all(
    allShards().map((shard) => redis.zcount(deadIndexKey(shard), oldest, "+inf")),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Puts the entry into its chat's outbox again under a new id, so that it is
 * sent even if parts of it were sent before; the caller wakes the chat. False
 * if the letter no longer exists: another process was faster.
 * @throws PermanentError when the stored value can't be an outbox entry.
 */
export async function replayDeadLetter(store: Store, letter: DeadLetter): Promise<boolean> {
  const { id, chat, doubtful } = letter;
  const entry = entryToReplay(letter);
  const newId = `${entry.id.replace(/~[0-9a-f]+$/, "")}~${randomBytes(6).toString("hex")}`;
  const stored = `${newId} ${JSON.stringify({ ...entry, id: newId })}`;
  return await settle(store, { id, chat }, { newId, stored, doubtful });
}

/** @throws PermanentError when the stored value can't be an outbox entry. */
export function entryToReplay({
  id,
  entry,
}: Pick<DeadLetter, "id" | "entry">): z.infer<typeof replayableSchema> {
  const parsed = replayableSchema.safeParse(entry);
  if (parsed.success) return parsed.data;
  throw new PermanentError(
    `the dead letter ${id} can't be sent again: what is stored of it is no entry`,
  );
}

/** False when it is gone already. */
export const dropDeadLetter = (
  store: Store,
  { id, chat }: Pick<DeadLetter, "id" | "chat">,
): Promise<boolean> => settle(store, { id, chat }, undefined);

async function settle(
  store: Store,
  { id, chat }: Pick<DeadLetter, "id" | "chat">,
  again:
    | {
        readonly newId: string;
        readonly stored: string;
        readonly doubtful: boolean;
      }
    | undefined,
): Promise<boolean> {
  const keys = chatKeys(chat);
  const reply = await store.run(
    "dead",
    [
      `${keys.deadPrefix}${id}`,
      keys.deadIndex,
      keys.outbox,
      keys.wake,
      `${keys.sentPrefix}${again?.newId ?? ""}`,
    ],
    [
      `${id} ${chat}`,
      again?.stored ?? "",
      `out:${chat}`,
      Number(again?.doubtful ?? false),
      ledgerTtlMs,
    ],
  );
  return number(reply) === 1;
}

const allShards = (): string[] => Array.from({ length: shardCount }, (_, index) => `s${index}`);

/** As stored in the index; the chat may be invalid. */
interface Member {
  readonly id: string;
  readonly chat: string;
  readonly atUs: number;
}

/** @param newest of each shard, so many; absent: all. */
async function membersOf(
  { redis }: Pick<Store, "redis">,
  shards: readonly string[],
  newest?: number,
): Promise<readonly Member[]> {
  const lists = await Promise.all(
    shards.map((shard) =>
      redis.zrange(
        deadIndexKey(shard),
        newest === undefined ? "0" : String(-newest),
        "-1",
        "WITHSCORES",
      ),
    ),
  );
  return lists.flatMap((flat) => {
    const members: Member[] = [];
    for (let index = 0; index + 1 < flat.length; index += 2) {
      const [id = "", chat = ""] = (flat[index] ?? "").split(" ");
      const atUs = Number(flat[index + 1]);
      members.push({ id, chat, atUs });
    }
    return members;
  });
}

/**
 * Undefined when it has come to its end, or is a newer version's.
 * @throws PermanentError if it isn't a dead letter.
 */
async function readLetter(
  { redis }: Pick<Store, "redis">,
  member: Pick<Member, "id" | "chat">,
): Promise<DeadLetter | undefined> {
  const { id } = member;
  const chat = chatOf(member);
  const stored = await redis.hgetall(`${chatKeys(chat).deadPrefix}${id}`).catch(noHash);
  if (stored["v"] !== "1") return undefined;
  const parsed = letterSchema.safeParse(stored);
  if (!parsed.success)
    throw new PermanentError(`the dead letter ${id} of ${chat} has an unexpected shape`);
  const { why, cause, reason, tries, at: atMs, doubtful, entry } = parsed.data;
  return {
    v: 1,
    id,
    chat,
    why,
    cause,
    ...(reason === undefined ? {} : { reason }),
    atMs,
    tries,
    doubtful: doubtful === "1",
    entry: jsonOf(entry),
  };
}

function chatOf({ id, chat }: Pick<Member, "id" | "chat">): ChatKey {
  try {
    return chatKey(parseChatKey(chat));
  } catch (cause) {
    throw new PermanentError(`the dead letter ${id} is of no chat: ${messageOf(cause)}`, { cause });
  }
}

/** For `catch`: treats a key of another type as a letter of an unexpected shape. */
function noHash(error: unknown): Record<string, string> {
  if (messageOf(error).startsWith("WRONGTYPE")) return { v: "1" };
  throw error;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
