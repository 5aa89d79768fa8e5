import { randomBytes } from "node:crypto";
import { z } from "zod";
import {
  approvalSchema,
  approvalStatusSchema,
  type ApprovalView,
} from "../core/approval.ts";
import type { ChatKey } from "../core/chat.ts";
import { inboxEntrySchema, logEntrySchema } from "../core/history.ts";
import type {
  BeginOutcome,
  BegunTurn,
  CommitOutcome,
  Session,
  TurnStore,
} from "../core/ports.ts";
import {
  journalEntrySchema,
  turnStateSchema,
  type TurnState,
} from "../core/turn.ts";
import { commitValues, type CommitCall } from "./commit-values.ts";
import { chatKeys, shardOf } from "./keys.ts";
import {
  list,
  number,
  pairs,
  text,
  texts,
  type Reply,
  type Store,
} from "./redis.ts";
import { parseStored } from "./stored.ts";
import { TranscriptCache } from "./transcript-cache.ts";

/** How an ordinary inbox message begins: such a one `begin` may move into the log by itself. */
export const plainMessagePrefix = '{"kind":"message","v":1,';

/** Inbox entries that one session looks at. */
const inboxWindow = 50;
/** What cannot be read is looked at again after this: perhaps by a process that can. */
const unreadableDelayMs = 10_000;
const draftTtlMs = 3_600_000;
export interface TurnStoreOptions {
  readonly store: Store;
  /** No longer than BullMQ's lock: 6 s. */
  readonly leaseMs: number;
  readonly retentionMs: number;
  /** Opens the turn of a message that `begin` has moved into the log. Pure. */
  readonly openTurn: (
    turn: number,
    message: z.infer<typeof inboxEntrySchema> & { kind: "message" },
  ) => TurnState;
}

const openStateMark = "open";

export function createTurnStore(options: TurnStoreOptions): TurnStore {
  const cache = new TranscriptCache();
  return {
    begin: (chat) => begin(options, cache, chat),
    commit: (session, revision, commit) =>
      writeCommit(options, { session, revision, commit }),
    async heartbeat({ chat, token }) {
      const keys = chatKeys(chat);
      const stopAt = number(
        await options.store.run(
          "heartbeat",
          [keys.state, keys.wake],
          [token, options.leaseMs, `in:${chat}`],
        ),
      );
      return stopAt < 0 ? undefined : stopAt;
    },
    async draft({ chat, token }, draft) {
      const keys = chatKeys(chat);
      const stored = `${draft.id} ${JSON.stringify(draft)}`;
      return (
        number(
          await options.store.run(
            "draft",
            [keys.state, keys.draft],
            [token, stored, draftTtlMs],
          ),
        ) === 1
      );
    },
    release: (session) => release(options, session, 0),
    newApprovalId: (chat) =>
      `${shardOf(chat)}-${randomBytes(16).toString("base64url")}`,
  };
}

async function release(
  { store }: TurnStoreOptions,
  { chat, token }: Session,
  delayMs: number,
): Promise<boolean> {
  const keys = chatKeys(chat);
  const reply = await store.run(
    "release",
    [keys.state, keys.wake],
    [token, `in:${chat}`, delayMs],
  );
  return number(reply) === 1;
}

async function begin(
  options: TurnStoreOptions,
  cache: TranscriptCache,
  chat: ChatKey,
): Promise<BeginOutcome> {
  const keys = chatKeys(chat);
  const token = randomBytes(12).toString("base64url");
  const known = cache.known(chat);
  const reply = list(
    await options.store.run(
      "begin",
      [keys.state, keys.inbox, keys.log, keys.calls, keys.wake],
      [
        token,
        options.leaseMs,
        known.position,
        known.epoch,
        plainMessagePrefix,
        `in:${chat}`,
        keys.approvalPrefix,
        inboxWindow,
      ],
    ),
  );
  const type = text(reply[0]);
  if (type === "nothing") return { type };
  if (type === "later")
    return { type, againAtMs: Date.now() + number(reply[1]) };
  const session = { chat, token };
  try {
    return readBegun(options, cache, session, reply);
  } catch (error) {
    // Nobody can work with what cannot be read, e.g. a newer version's values: whoever can must not wait for the lease.
    await release(options, session, unreadableDelayMs);
    throw error;
  }
}

function readBegun(
  options: TurnStoreOptions,
  cache: TranscriptCache,
  session: Session,
  reply: readonly Reply[],
): BegunTurn {
  const { chat } = session;
  const keys = chatKeys(chat);
  const [
    ,
    revision,
    stored,
    turn,
    inBase,
    stop,
    deaths,
    opened,
    viewStart,
    from,
    epoch,
  ] = reply;
  const inbox = texts(reply[11]).map((json, index) => ({
    position: number(inBase) + index + 1,
    entry: parseStored(inboxEntrySchema, keys.inbox, json),
  }));
  const logged = texts(reply[12]);
  const transcript = cache.extend(chat, {
    epoch: text(epoch),
    from: number(from),
    viewStart: number(viewStart),
    entries: logged.map((json) => parseStored(logEntrySchema, keys.log, json)),
    size: logged.reduce((sum, json) => sum + json.length, 0),
  });
  return {
    type: "begun",
    session,
    revision: number(revision),
    state: loadState(options, {
      json: text(stored),
      turn: number(turn),
      transcript,
      key: keys.state,
    }),
    inbox,
    stopAt: number(stop),
    transcript,
    journal: new Map(
      [...pairs(reply[13])].map(([key, json]) => [
        key,
        parseStored(journalEntrySchema, keys.calls, json),
      ]),
    ),
    approvals: readApprovals(texts(reply[14])),
    deaths: number(deaths),
    opened: number(opened) === 1,
  };
}

function loadState(
  options: TurnStoreOptions,
  stored: {
    json: string;
    turn: number;
    transcript: readonly { kind: string }[];
    key: string;
  },
): TurnState | undefined {
  if (stored.json === "") return undefined;
  if (stored.json !== openStateMark)
    return parseStored(turnStateSchema, stored.key, stored.json);
  // Nothing was committed since `begin` opened the turn: its message is the newest one in the log.
  return options.openTurn(
    stored.turn,
    z.parse(
      messageOnly,
      stored.transcript.findLast(({ kind }) => kind === "message"),
    ),
  );
}

const messageOnly = inboxEntrySchema.options[0];

function readApprovals(flat: readonly string[]): ApprovalView[] {
  const views: ApprovalView[] = [];
  for (let index = 0; index + 4 < flat.length; index += 5) {
    const [json = "", status, decidedBy, reason, card] = flat.slice(
      index,
      index + 5,
    );
    if (json === "") continue;
    views.push({
      approval: parseStored(approvalSchema, "appr", json),
      status: approvalStatusSchema.parse(status),
      ...(decidedBy ? { decidedBy } : {}),
      ...(reason ? { reason } : {}),
      ...(card ? { cardMessageId: card } : {}),
    });
  }
  return views;
}

async function writeCommit(
  options: TurnStoreOptions,
  call: CommitCall,
): Promise<CommitOutcome> {
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
      ],
      commitValues(options, call),
    ),
  );
  const type = text(reply[0]);
  if (type === "fenced" || type === "decided") return { type };
  return {
    type: "committed",
    revision: number(reply[1]),
    stopAt: number(reply[2]),
    again: number(reply[3]) === 1,
  };
}
