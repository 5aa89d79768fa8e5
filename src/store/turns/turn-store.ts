import { randomBytes } from "node:crypto";
import type { ChatKey } from "../../core/chat.ts";
import type { WhileBusy } from "../../core/chat-settings.ts";
import { shownSummaries } from "../../core/summaries.ts";
import type { Hold } from "../../core/pause.ts";
import { inboxEntrySchema } from "../../core/history.ts";
import type {
  BeginOutcome,
  BegunTurn,
  CommitOutcome,
  Session,
  TurnStore,
} from "../../core/ports.ts";
import { readBegun, type BegunReader } from "./begun-turn.ts";
import { commitFields, type CommitCall } from "./commit-fields.ts";
import { lookBack } from "./find-edited.ts";
import { messagePrefix, orderPrefix, plainMessagePrefix, stoppedMessagePrefix } from "./inbox.ts";
import { eraseChat, overwriteEntries } from "../erasure/erase-chat.ts";
import { readPlaces } from "./history.ts";
import { chatKeys, shardOf } from "../keys.ts";
import { list, number, text, texts, type Store } from "../redis/redis.ts";
import { packFields } from "../redis/script-fields.ts";
import { parseStored } from "../stored.ts";
import { TranscriptCache } from "./transcript-cache.ts";
import { trimHistory } from "./trim-history.ts";

/** Inbox entries that one session looks at. */
const inboxWindow = 50;
/** Of the chat's notes, what a turn is given. */
const notesWindow = 20;
/** Delay before an unreadable chat is tried again, perhaps by another version. */
const unreadableDelayMs = 10_000;
/** How often a chat that is paused is looked at; who resumes it wakes it at once. */
const heldDelayMs = 10_000;
/**
 * How often a turn may outlive its lease at the same step and be no death: it may be what holds its
 * workers up.
 */
const maxHeldUp = 7;
const draftTtlMs = 3_600_000;

export interface TurnStoreOptions extends Pick<BegunReader, "openTurn"> {
  readonly store: Store;
  /** No longer than BullMQ's lock: 6 s. */
  readonly leaseMs: number;
  readonly retentionMs: number;
  /** Names the process in the tokens of its sessions; absent: it is not listed anywhere. */
  readonly processId?: string;
  /** Whether the memory's job is woken after a turn. */
  readonly isIndexed?: boolean;
  /** Of facts and summaries; absent: they have no end. */
  readonly memoryMs?: number | undefined;
  /** Whether conversations that are over are summarised. */
  readonly isSummarised?: boolean;
  /**
   * For chats that have not set it: in `collect`, `begin` leaves several waiting entries to be
   * joined.
   */
  readonly whileBusy?: WhileBusy;
  /** The pause of a chat; absent: never paused. */
  readonly hold?: (chat: ChatKey) => Hold | undefined | Promise<Hold | undefined>;
}

export function createTurnStore(options: TurnStoreOptions): TurnStore {
  const { store } = options;
  const cache = new TranscriptCache();
  return {
    begin: (chat) => begin(options, cache, chat),
    async commit(session, revision, commit) {
      const outcome = await writeCommit(options, { session, revision, commit });
      if (outcome.type === "fenced") await beat(options, session, true);
      return outcome;
    },
    heartbeat: (session) => beat(options, session, false),
    waiting: (session) => readWaiting(store, session),
    lookBack: (chat, look, before) =>
      lookBack(store, chat, look, before === undefined ? {} : { before }),
    async draft({ chat, token }, draft) {
      const keys = chatKeys(chat);
      const stored = `${draft.id} ${JSON.stringify(draft)}`;
      return (
        number(await store.run("draft", [keys.state, keys.draft], [token, stored, draftTtlMs])) ===
        1
      );
    },
    async release(session) {
      const isReleased = await release(store, session, 0);
      if (!isReleased) await beat(options, session, true);
      return isReleased;
    },
    newApprovalId: (chat) => `${shardOf(chat)}-${randomBytes(16).toString("base64url")}`,
    history: (chat) => readPlaces(store, chat),
    overwrite: (session, revision, entries) =>
      overwriteEntries(store, { session, revision, entries }),
    erase: (session, revision, erasure) => eraseChat(options, { session, revision, erasure }),
  };
}

/**
 * @param isFenced renews nothing; only reports that the owner is alive, so that the turn hasn't
 * killed it.
 */
async function beat(
  { store, leaseMs }: TurnStoreOptions,
  { chat, token }: Session,
  isFenced: boolean,
): Promise<{ readonly stopAt: number; readonly waiting: number } | undefined> {
  const keys = chatKeys(chat);
  const [stopAt, waiting] = list(
    await store.run(
      "heartbeat",
      [keys.state, keys.inbox, keys.wake],
      [token, leaseMs, `in:${chat}`, maxHeldUp, Number(isFenced)],
    ),
  );
  return stopAt === undefined ? undefined : { stopAt: number(stopAt), waiting: number(waiting) };
}

async function release(store: Store, { chat, token }: Session, delayMs: number): Promise<boolean> {
  const keys = chatKeys(chat);
  const reply = await store.run("release", [keys.state, keys.wake], [token, `in:${chat}`, delayMs]);
  return number(reply) === 1;
}

async function begin(
  options: TurnStoreOptions,
  cache: TranscriptCache,
  chat: ChatKey,
): Promise<BeginOutcome> {
  const keys = chatKeys(chat);
  const token = `${options.processId ?? ""}.${randomBytes(16).toString("base64url")}`;
  const known = cache.known(chat);
  const hold = await options.hold?.(chat);
  const reply = list(
    await options.store.run(
      "begin",
      [
        keys.state,
        keys.inbox,
        keys.log,
        keys.calls,
        keys.wake,
        keys.settings,
        keys.notes,
        keys.todos,
        keys.usage,
        keys.personas,
        keys.facts,
        keys.summaries,
      ],
      packFields({
        token,
        leaseMs: options.leaseMs,
        knownPosition: known.position,
        knownEpoch: known.epoch,
        maxInbox: inboxWindow,
        maxNotes: notesWindow,
        maxSummaries: shownSummaries,
        whileBusy: options.whileBusy ?? "followup",
        hold,
        holdMs: heldDelayMs,
        inMember: `in:${chat}`,
        approvalPrefix: keys.approvalPrefix,
        plainMessagePrefix,
        messagePrefix,
        orderPrefix,
        stoppedMessagePrefix,
      }),
    ),
  );
  const type = text(reply[0]);
  if (type === "nothing" || type === "held") return { type };
  if (type === "later") return { type, againInMs: number(reply[1]) };
  const session = { chat, token };
  try {
    const reader = { ...options, cache, nowMs: options.store.clock.now() };
    const begun = readBegun(reader, session, reply);
    return hold === undefined ? begun : { ...begun, isHeld: true };
  } catch (error) {
    // The stored state can't be read, for example a newer version's. Release
    // it, so that a process that can read it doesn't wait for the lease.
    await release(options.store, session, unreadableDelayMs);
    throw error;
  }
}

/**
 * Up to the first entry that cannot be read, e.g. a newer version's: the turn that runs must not
 * end for it.
 */
async function readWaiting(
  store: Store,
  { chat, token }: Session,
): Promise<BegunTurn["inbox"] | undefined> {
  const keys = chatKeys(chat);
  const [inBase, stored] = list(
    await store.run("waiting", [keys.state, keys.inbox], [token, inboxWindow]),
  );
  if (inBase === undefined) return undefined;
  const inbox: BegunTurn["inbox"][number][] = [];
  for (const [index, json] of texts(stored).entries()) {
    try {
      // Throws for nothing else.
      const entry = parseStored(inboxEntrySchema, keys.inbox, json);
      inbox.push({ position: number(inBase) + index + 1, entry });
    } catch {
      break;
    }
  }
  return inbox;
}

async function writeCommit(options: TurnStoreOptions, call: CommitCall): Promise<CommitOutcome> {
  const keys = chatKeys(call.session.chat);
  const reply = list(
    await options.store.run(
      "commit",
      [
        keys.state,
        keys.inbox,
        keys.log,
        keys.calls,
        keys.outbox,
        keys.draft,
        keys.wake,
        keys.usage,
        keys.settings,
        keys.todos,
        keys.personas,
        keys.plans,
        keys.windows,
        keys.vectors,
        keys.summaries,
        keys.idle,
      ],
      packFields(commitFields(options, call)),
    ),
  );
  const type = text(reply[0]);
  if (type === "fenced" || type === "decided") return { type };
  // The chat was already released: if this fails, it is due again after the
  // chat's next turn.
  if (number(reply[5]) === 1) await trimHistory(options, call.session.chat).catch(() => 0);
  return {
    type: "committed",
    revision: number(reply[1]),
    stopAt: number(reply[2]),
    again: number(reply[3]) === 1,
    waiting: number(reply[4]),
  };
}
