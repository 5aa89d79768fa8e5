import type { LogEntry, MessageEntry } from "../../core/history.ts";
import { rememberTool } from "../../core/tool.ts";
import type { TurnState } from "../../core/turn.ts";

type Turn = Pick<TurnState, "turn" | "requester" | "schedule">;

/** The entries of the open turn, from its message on. Pure. */
function entriesOf(transcript: readonly LogEntry[], turn: number): readonly LogEntry[] {
  const isOther = (entry: LogEntry): boolean =>
    entry.kind === "reset" || entry.kind === "undo" || ("turn" in entry && entry.turn !== turn);
  return transcript.slice(transcript.findLastIndex(isOther) + 1);
}

const messagesOf = (transcript: readonly LogEntry[], { turn, requester }: Turn) =>
  entriesOf(transcript, turn).filter(
    (entry): entry is MessageEntry => entry.kind === "message" && entry.person.id === requester.id,
  );

/** The requester's newest message in the open turn. Pure. */
export const newestMessageOf = (
  transcript: readonly LogEntry[],
  turn: Turn,
): MessageEntry | undefined => messagesOf(transcript, turn).at(-1);

/**
 * What the requester wrote in the open turn, without what they only pass on. Undefined once
 * anything else has reached the model in it: a tool's result, a file's text, another person's
 * message, a summary; and where a schedule wrote the message. Pure.
 */
export function ownWordsOf(
  transcript: readonly LogEntry[],
  turn: Turn,
): readonly string[] | undefined {
  if (turn.schedule !== undefined) return undefined;
  const said: string[] = [];
  for (const entry of entriesOf(transcript, turn.turn)) {
    switch (entry.kind) {
      case "message":
      case "edit":
        if (entry.kind === "edit" && entry.past) break;
        if (entry.person.id !== turn.requester.id) return undefined;
        if (entry.kind === "edit" || entry.forwarded !== true) said.push(entry.text);
        break;
      case "tool":
        if (entry.name !== rememberTool) return undefined;
        break;
      case "assistant":
        break;
      case "reading":
      case "compaction":
      case "end":
      case "reset":
      case "undo":
        return undefined;
      default:
        return entry satisfies never;
    }
  }
  return said;
}
