import { unreachable } from "../../core/errors.ts";
import type {
  AssistantEntry,
  CallRequest,
  EditEntry,
  MessageEntry,
  ToolEntry,
} from "../../core/history.ts";
import type { PlainExchanges } from "./plain-exchanges.ts";
import type { EndShown, Shown } from "./select-entries.ts";

/** One call and its result. */
export interface Exchange {
  readonly call: CallRequest;
  /** Absent where the history holds none. */
  readonly result?: ToolEntry;
  /** What a compaction shows of the result. */
  readonly cut?: string | undefined;
}

interface OpenExchange {
  readonly call: CallRequest;
  result?: ToolEntry;
  cut?: string | undefined;
}

/** What the model said, and its calls with their results, in the order in which it asked. */
export interface Round {
  readonly type: "round";
  readonly entry: AssistantEntry;
  readonly exchanges: readonly Exchange[];
}

export type Part =
  | Round
  | PlainExchanges
  | {
      readonly type: "message";
      readonly entry: MessageEntry;
      /** What it was changed to before any model had seen it. */
      readonly edited?: EditEntry;
    }
  /** A message was changed after a model had seen it. */
  | { readonly type: "edit"; readonly entry: EditEntry }
  | EndShown
  | { readonly type: "gap"; readonly text: string }
  | { readonly type: "cut" }
  /** A result that no open call asked for. */
  | { readonly type: "orphan"; readonly key: string };

/** `t<turn>_<round>_<index>`: ours, whatever a provider wrote. */
export const callKey = (call: {
  readonly turn: number;
  readonly round: number;
  readonly index: number;
}): string => `t${call.turn}_${call.round}_${call.index}`;

/**
 * Puts every result to its call: it belongs to the assistant's entry before it, with nothing but
 * results in between; and every edit to its message, where no model has answered in between. Pure.
 */
export function groupRounds(shown: readonly Shown[]): readonly Part[] {
  const parts: Part[] = [];
  /** The open round's calls, by what their results are found by; each is answered once. */
  const open = new Map<string, OpenExchange>();
  // Clearing allocates a table, even of an empty map.
  const close = (): void => {
    if (open.size > 0) open.clear();
  };
  for (const piece of shown) {
    switch (piece.type) {
      case "result": {
        const key = callKey(piece.entry);
        const exchange = open.get(key);
        if (exchange === undefined) {
          parts.push({ type: "orphan", key });
          break;
        }
        open.delete(key);
        exchange.result = piece.entry;
        exchange.cut = piece.cut;
        break;
      }
      case "assistant": {
        const { entry } = piece;
        close();
        const exchanges = entry.calls.map((call): OpenExchange => ({ call }));
        parts.push({ type: "round", entry, exchanges });
        for (const each of exchanges) {
          const key = callKey({ ...entry, index: each.call.index });
          // If two calls have the same index, the first gets the result.
          if (!open.has(key)) open.set(key, each);
        }
        break;
      }
      case "gap":
        parts.push(piece);
        if (piece.text !== "") close();
        break;
      case "edit":
        if (!joinEdit(parts, piece.entry)) parts.push(piece);
        close();
        break;
      case "plain":
      case "message":
      case "cut":
      case "end":
        parts.push(piece);
        close();
        break;
      default:
        unreachable(piece);
    }
  }
  return parts;
}

const asPart = (entry: MessageEntry | AssistantEntry): Part =>
  entry.kind === "message" ? { type: "message", entry } : { type: "round", entry, exchanges: [] };

/** Whether the message is there, followed only by people's messages. */
function joinEdit(parts: Part[], edit: EditEntry): boolean {
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    const part = parts[index];
    if (part?.type === "plain" && part.messages.at(-1)?.role === "user") {
      // Any of the messages at its end may be the one.
      parts.splice(index, 1, ...part.entries.map(asPart));
      index += part.entries.length;
      continue;
    }
    if (part?.type !== "message" && part?.type !== "edit") return false;
    if (part.type === "edit" || part.entry.messageId !== edit.edits) continue;
    parts[index] = { ...part, edited: edit };
    return true;
  }
  return false;
}
