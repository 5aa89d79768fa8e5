import { z } from "zod";
import { chatKeySchema, chatNamed, type ChatKey } from "../../core/chat.ts";
import { unreachable } from "../../core/errors.ts";
import {
  inboxEntrySchema,
  messageEntrySchema,
  type MessageEntry,
  type Preference,
} from "../../core/history.ts";
import type { Role } from "../../core/roles.ts";
import type { TurnPersona } from "../../core/turn-persona.ts";
import { terminalStatuses, turnStateSchema, type TurnState } from "../../core/turn.ts";
import { allWakeKeys, approvalKey, chatKeys } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { readable } from "../stored.ts";
import { openStateMark } from "./begun-turn.ts";
import { isMarkedStopped } from "./inbox.ts";
import { scored } from "./wake-members.ts";

/** Of one shard. A backlog of 100,000 chats has more, and any will do then. */
const maxMembers = 200;
/** The server looks at so many members in one step, and at so many steps' of one shard. */
const scanStep = 200;
const maxSteps = 50;
/** Chats' work and approvals: of the wake index's other kinds, none begins with these letters. */
const wantedMembers = "[ia]*:*";
/** Approvals whose chats are looked up. */
const maxApprovals = 500;
/** History entries around the one that is expected to have opened a turn; at most 20 open it. */
const margin = 24;

/** A turn that runs, waits for a person, or is still to begin. */
export interface OngoingTurn {
  readonly chat: ChatKey;
  readonly phase: TurnState["phase"] | "queued";
  /**
   * Its number. One that is queued has none yet: it's the position of the first entry that will open
   * a turn, and the turn gets the position of the last message that opens it.
   */
  readonly turn: number;
  /** Id of the first message that opened it, or will; undefined: unknown, or opened by none. */
  readonly opener: string | undefined;
  /** Id of the message to which its answer replies, in a group; undefined: none, or unknown. */
  readonly replyTo: string | undefined;
  /** Who asked, by name. */
  readonly person: string | undefined;
  readonly preference: Preference;
  /** Of who asked, when they did; undefined: unknown. */
  readonly role: Role | undefined;
  /** When its message was written; undefined: unknown. Milliseconds since the epoch. */
  readonly sinceMs: number | undefined;
  /** `provider/model` that was asked last; undefined: none has answered yet. */
  readonly model: string | undefined;
  /** Undefined: none, or nothing is stored of the turn yet. */
  readonly persona: TurnPersona | undefined;
  /** The message that opens it, until something of the turn is stored. */
  readonly begins: MessageEntry | undefined;
  /** Those that run, or wait for an approval, as the model names them. */
  readonly tools: readonly string[];
  readonly costUsd: number;
  /** The token of the worker that has it; undefined: none has. */
  readonly owner: string | undefined;
}

export interface Ongoing {
  /** Those that have waited longest come first. */
  readonly turns: readonly OngoingTurn[];
  /** Also of those that are not listed. */
  readonly total: number;
  /** Of these, the ones that are still to begin. */
  readonly queued: number;
  /** There is more than was looked at. */
  readonly isPart: boolean;
}

type Reader = Pick<Store, "redis">;

/** A chat that a worker has is scored by its lease, which ends later than this. Milliseconds. */
const unownedMs = 3_000;

/**
 * What the deployment is doing, from the wake index: chats that are worked on or wait for a worker,
 * and those of open approvals. A few round trips of many commands each, none of them in a turn's
 * path.
 */
export async function readOngoing(
  store: Pick<Store, "redis" | "clock">,
  atMost: number,
): Promise<Ongoing> {
  const { scored, isPart } = await readMembers(store);
  const members = scored.map(({ member }) => member);
  const worked = new Set(members.flatMap(chatOf));
  const untilMs = store.clock.now() + unownedMs;
  const due = new Set(scored.flatMap(({ member, atMs }) => (atMs > untilMs ? [] : chatOf(member))));
  const approvals = members.filter((member) => member.startsWith("appr:"));
  const asked = await chatsOf(store, approvals.slice(0, maxApprovals));
  const waiting = new Set(asked.filter((chat) => !worked.has(chat)));
  const few = Math.min(waiting.size, Math.max(atMost - worked.size, Math.ceil(atMost / 2)));
  const shown = [...[...waiting].slice(0, few), ...[...worked].slice(0, atMost - few)];
  const found = await Promise.all(shown.map((chat) => readTurn(store, chat)));
  const turns = found.filter((turn) => turn !== undefined);
  for (const chat of shown) due.delete(chat);
  return {
    queued: due.size + turns.filter(({ phase }) => phase === "queued").length,
    turns: turns.toSorted((one, other) => (one.sinceMs ?? Infinity) - (other.sinceMs ?? Infinity)),
    total: worked.size + waiting.size - (found.length - turns.length),
    isPart: isPart || approvals.length > maxApprovals,
  };
}

/** Of all shards, the soonest first. The server leaves out other kinds: there may be 100,000 schedules. */
async function readMembers(store: Reader) {
  const shards = await Promise.all(allWakeKeys().map((key) => readShard(store, key)));
  return {
    scored: shards
      .flatMap(({ found }) => [...found].map(([member, atMs]) => ({ member, atMs })))
      .toSorted((one, other) => one.atMs - other.atMs),
    isPart: shards.some(({ isPart }) => isPart),
  };
}

async function readShard({ redis }: Reader, key: string) {
  // A scan may find a member twice.
  const found = new Map<string, number>();
  let cursor = "0";
  for (let step = 0; step < maxSteps; step += 1) {
    const [next, flat] = await redis.zscan(key, cursor, "MATCH", wantedMembers, "COUNT", scanStep);
    for (const { member, atMs } of scored(flat)) found.set(member, atMs);
    cursor = next;
    if (cursor === "0" || found.size >= maxMembers) break;
  }
  return { found, isPart: cursor !== "0" };
}

/** The chat of a member of the wake index; none: it is no chat's work. Pure. */
export function chatOf(member: string): ChatKey[] {
  const chat = member.startsWith("in:") ? chatNamed(member.slice("in:".length)) : undefined;
  return chat === undefined ? [] : [chat];
}

const ofChatSchema = z.object({ chat: chatKeySchema });

async function chatsOf({ redis }: Reader, members: readonly string[]): Promise<ChatKey[]> {
  const stored = await Promise.all(
    members.map((member) => redis.hget(approvalKey(member.slice("appr:".length)), "approval")),
  );
  return stored.flatMap((json) => readable(ofChatSchema, json)?.chat ?? []);
}

const snapshotSchema = z.tuple([
  z.array(z.string().nullable()),
  z.array(z.string()),
  z.string().nullable(),
]);

/**
 * What is stored of a chat, read in one step, so that the inbox is at its position.
 * @param last the index of the last inbox entry that is read, which counts from the end where it is
 * negative.
 */
async function snapshotOf({ redis }: Reader, chat: ChatKey, last: 0 | -1) {
  const keys = chatKeys(chat);
  const replies = await redis
    .multi()
    .hmget(keys.state, "state", "turn", "owner", "inBase", "stop")
    .lrange(keys.inbox, 0, last)
    .lindex(keys.log, -1)
    .exec();
  for (const [error] of replies ?? []) if (error) throw error;
  const [fields, inbox, newest] = snapshotSchema.parse(replies?.map(([, reply]) => reply));
  const [state, turn, owner, inBase, stop] = fields;
  return {
    /** Empty: no turn is open. */
    state: state ?? "",
    turn: Number(turn),
    owner: owner ?? undefined,
    /** Entries that were taken out of the inbox before these. */
    before: Number(inBase ?? 0),
    stop: Number(stop ?? 0),
    inbox,
    newest,
  };
}

type Snapshot = Awaited<ReturnType<typeof snapshotOf>>;

/** The turn of a chat that runs, waits or is to begin; undefined: there is none. */
export async function readTurn({ redis }: Reader, chat: ChatKey): Promise<OngoingTurn | undefined> {
  const first = await snapshotOf({ redis }, chat, 0);
  // Mostly the first entry opens the next turn; there may be many long ones.
  const isElsewhere = first.state === "" && first.inbox.length > 0 && queuedIn(first) === undefined;
  const found = isElsewhere ? await snapshotOf({ redis }, chat, -1) : first;
  const { state, turn, owner, newest } = found;
  const known = { chat, owner };
  if (state === openStateMark)
    return { ...known, turn, ...begunBy(readable(messageEntrySchema, newest)) };
  if (state === "") {
    const queued = queuedIn(found);
    return queued && { ...known, ...queued };
  }
  const open = readable(turnStateSchema, state);
  if (open === undefined) return { ...known, turn, ...begunBy(undefined) };
  const { phase, requester, preference = {}, spent, counters, calls } = open;
  const opener = await openerOf({ redis }, chat, open);
  return {
    ...known,
    phase,
    turn: open.turn,
    person: requester.name,
    preference,
    opener: opener?.id,
    replyTo: open.replyTo,
    sinceMs: opener?.atMs,
    model: Object.keys(spent).at(-1),
    role: open.role,
    persona: open.persona,
    begins: undefined,
    tools: calls.flatMap(({ name, status }) => (terminalStatuses.has(status) ? [] : [name])),
    costUsd: counters.costUsd,
  };
}

const nothingYet = { model: undefined, persona: undefined, tools: [], costUsd: 0 };

const begunBy = (message: MessageEntry | undefined) => ({
  ...nothingYet,
  phase: "thinking" as const,
  begins: message,
  opener: message?.id,
  replyTo: message?.group ? message.messageId : undefined,
  person: message?.person.name,
  preference: message?.preference ?? {},
  role: message?.role,
  sinceMs: message?.atMs,
});

/** Whether an entry opens a turn, unless a stop for everyone has reached it. */
function opensTurn(stored: string): boolean {
  if (isMarkedStopped(stored)) return false;
  const entry = readable(inboxEntrySchema, stored);
  switch (entry?.kind) {
    case "message":
    case undefined: // Perhaps a newer version's.
      return true;
    case "control":
      return entry.control === "compact" || entry.control === "retry";
    case "edit":
    case "reset":
      return false;
    default:
      return unreachable(entry);
  }
}

/** The first of these entries that will open a turn; undefined: none will. */
function queuedIn({ inbox, before, stop }: Pick<Snapshot, "inbox" | "before" | "stop">) {
  const index = inbox.findIndex((stored, each) => before + each + 1 > stop && opensTurn(stored));
  const stored = inbox[index];
  if (stored === undefined) return undefined;
  const entry = readable(inboxEntrySchema, stored);
  const message = entry?.kind === "message" ? entry : undefined;
  return {
    ...begunBy(message),
    turn: before + index + 1,
    phase: "queued" as const,
    person: entry === undefined || entry.kind === "reset" ? undefined : entry.person.name,
    sinceMs: entry?.atMs,
  };
}

/**
 * The first message that opened a turn. Reads the few entries among which it must be: a turn's
 * rounds have one entry for the model and one for each call.
 */
async function openerOf(
  { redis }: Reader,
  chat: ChatKey,
  { turn, round, used = [] }: TurnState,
): Promise<MessageEntry | undefined> {
  const written = round - 1 + used.reduce((sum, { done, failed }) => sum + done + failed, 0);
  const entries = await redis.lrange(
    chatKeys(chat).log,
    -(written + margin),
    -Math.max(1, written - margin),
  );
  const isEarlier = (entry: string): boolean => {
    const of = /^\{"kind":"(?:assistant|tool|end|compaction)","v":\d+,"turn":(\d+)/.exec(
      entry,
    )?.[1];
    return (of !== undefined && Number(of) !== turn) || entry.startsWith('{"kind":"reset"');
  };
  const own = entries.slice(entries.findLastIndex(isEarlier) + 1);
  const opener = own.find((entry) => entry.startsWith('{"kind":"message"'));
  return readable(messageEntrySchema, opener);
}
