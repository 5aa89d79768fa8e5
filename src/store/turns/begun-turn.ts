import {
  approvalEditSchema,
  approvalSchema,
  approvalStatusSchema,
  type ApprovalView,
} from "../../core/approval.ts";
import { PermanentError } from "../../core/errors.ts";
import {
  inboxEntrySchema,
  logEntrySchema,
  messageEntrySchema,
  type LogEntry,
  type MessageEntry,
} from "../../core/history.ts";
import type { BegunTurn, Session } from "../../core/ports.ts";
import type { Todo } from "../../core/tool.ts";
import { journalEntrySchema, turnStateSchema, type TurnState } from "../../core/turn.ts";
import { chatKeys } from "../keys.ts";
import { personalPersonas } from "../personas/choices.ts";
import { parseChatSettings } from "./parse-chat-settings.ts";
import { number, pairs, text, texts, type Reply } from "../redis/redis.ts";
import { checkStored, parseStored } from "../stored.ts";
import { readFacts } from "../memory/facts.ts";
import { readSummaries } from "../memory/summaries.ts";
import { todosSchema } from "./todos.ts";
import type { TranscriptCache } from "./transcript-cache.ts";

/** The state of a turn that `begin` opened and nothing has committed since. */
export const openStateMark = "open";

export interface BegunReader {
  readonly cache: TranscriptCache;
  /** Opens the turn of a message that `begin` has moved into the log. Pure. */
  readonly openTurn: (turn: number, message: MessageEntry) => TurnState;
  /** By the store's clock. */
  readonly nowMs: number;
  /** How long facts and summaries are kept, in milliseconds; absent: for ever. */
  readonly memoryMs?: number | undefined;
}

/** Reads what the script `begin` returned for a turn. @throws what `parseStored` throws. */
export function readBegun(
  { cache, openTurn, nowMs, memoryMs }: BegunReader,
  session: Session,
  reply: readonly Reply[],
): BegunTurn {
  const { chat } = session;
  const keys = chatKeys(chat);
  const [, revision, stored, turn, inBase, stop, deaths, opened] = reply;
  const [viewStart, from, epoch, waiting, log, journal] = reply.slice(8);
  const [approvals, settings, notes, todos, taken, facts, summaries] = reply.slice(14);
  const kept = { nowMs, retentionMs: memoryMs };
  const chosen = personalPersonas(pairs(settings));
  const logged = texts(log);
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
    state: loadState(
      { json: text(stored), key: keys.state },
      { turn: number(turn), transcript, openTurn },
    ),
    inbox: texts(waiting).map((json, index) => ({
      position: number(inBase) + index + 1,
      entry: parseStored(inboxEntrySchema, keys.inbox, json),
    })),
    stopAt: number(stop),
    transcript,
    viewStart: number(viewStart),
    settings: parseChatSettings(pairs(settings)),
    ...(chosen.size === 0 ? {} : { personas: chosen }),
    notes: texts(notes),
    todos: readTodos(keys.todos, text(todos)),
    facts: readFacts(texts(facts), kept),
    summaries: readSummaries(texts(summaries), kept),
    journal: new Map(
      [...pairs(journal)].map(([key, json]) => [
        key,
        parseStored(journalEntrySchema, keys.calls, json),
      ]),
    ),
    approvals: readApprovals(texts(approvals)),
    deaths: number(deaths),
    opened: number(opened) === 1,
    ...(text(stored) === openStateMark ? { isUncommitted: true } : {}),
    ...(number(taken) === 1 ? { isTakenOver: true } : {}),
  };
}

function loadState(
  stored: { readonly json: string; readonly key: string },
  opening: {
    readonly turn: number;
    readonly transcript: readonly LogEntry[];
    readonly openTurn: BegunReader["openTurn"];
  },
): TurnState | undefined {
  if (stored.json === "") return undefined;
  if (stored.json !== openStateMark) return parseStored(turnStateSchema, stored.key, stored.json);
  // The turn's message is the newest one in the log.
  const message = opening.transcript.findLast(({ kind }) => kind === "message");
  return opening.openTurn(opening.turn, checkStored(messageEntrySchema, stored.key, message));
}

/** How many fields of each approval the script returns. */
const approvalFields = 8;

function readApprovals(flat: readonly string[]): ApprovalView[] {
  const views: ApprovalView[] = [];
  for (let at = 0; at + approvalFields <= flat.length; at += approvalFields) {
    const [json = "", status, decidedBy, reason, card, edit, position, decidedById] = flat.slice(
      at,
      at + approvalFields,
    );
    if (json === "") continue;
    views.push({
      approval: parseStored(approvalSchema, "appr", json),
      status: checkStored(approvalStatusSchema, "appr", status),
      ...(decidedBy ? { decidedBy } : {}),
      ...(decidedById ? { decidedById } : {}),
      ...(reason ? { reason } : {}),
      ...(card ? { cardMessageId: card } : {}),
      ...(edit ? { edit: parseStored(approvalEditSchema, "appr", edit) } : {}),
      ...(position ? { askedAtPosition: Number(position) } : {}),
    });
  }
  return views;
}

/**
 * Leaves a newer version's list alone. An unreadable list must not block the
 * chat forever.
 */
function readTodos(key: string, json: string): readonly Todo[] {
  if (json === "") return [];
  try {
    return parseStored(todosSchema, key, json).items;
  } catch (error) {
    if (error instanceof PermanentError) return [];
    throw error;
  }
}
