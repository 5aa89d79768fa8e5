import { sumOfUsage } from "../cli/trace-summary.ts";
import { platformModel, type EndReason, type LogEntry, type Usage } from "../core/history.ts";
import type { HistoryEntry } from "../store/turns/history.ts";

/** A turn as a chat's history has it. */
export interface ChatTurn {
  readonly turn: number;
  /** Undefined: its message is not there any more. */
  person?: string;
  /** Of its first message. Milliseconds since the epoch. */
  askedAtMs?: number;
  /** Undefined: it has not ended, or the history does not say how. */
  end?: EndReason;
  /** The name of its persona; absent: none, or no model has answered yet. */
  persona?: string;
  /** As far as the models reported it, by `provider/model`. */
  readonly usage: Map<string, Usage>;
  rounds: number;
  readonly entries: LogEntry[];
}

/**
 * The turns in a part of a chat's history, the oldest first. Pure.
 * @param open the number of the turn that is open: the newest messages may be all there is of it.
 */
export function turnsIn(history: readonly HistoryEntry[], open?: number): readonly ChatTurn[] {
  const turns = new Map<number, ChatTurn>();
  // Messages have no number: they belong to the next entry that has one.
  let before: LogEntry[] = [];
  for (const { entry } of history) {
    if (entry.kind === "reset" || entry.kind === "undo") before = [];
    else if (!("turn" in entry)) before.push(entry);
    else {
      const turn = turns.get(entry.turn) ?? newTurn(entry.turn, before);
      turns.set(entry.turn, turn);
      turn.entries.push(...before, entry);
      before = [];
      add(turn, entry);
    }
  }
  if (open !== undefined) {
    const turn = turns.get(open) ?? newTurn(open, before);
    turns.set(open, turn);
    turn.entries.push(...before);
  }
  return [...turns.values()];
}

function newTurn(turn: number, before: readonly LogEntry[]): ChatTurn {
  const message = before.find((entry) => entry.kind === "message");
  return {
    turn,
    ...(message === undefined ? {} : { person: message.person.name, askedAtMs: message.atMs }),
    usage: new Map(),
    rounds: 0,
    entries: [],
  };
}

function add(turn: ChatTurn, entry: LogEntry): void {
  if (entry.kind === "end") turn.end = entry.reason;
  if (entry.kind !== "assistant") return;
  if (entry.calls.length === 0) turn.end ??= "answered";
  if (entry.persona !== undefined) turn.persona = entry.persona;
  turn.rounds = Math.max(turn.rounds, entry.round);
  if (entry.model === platformModel) return;
  const known = [turn.usage.get(entry.model), entry.usage].filter((usage) => usage !== undefined);
  turn.usage.set(entry.model, sumOfUsage(known));
}
