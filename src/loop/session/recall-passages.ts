import { openMessages } from "../../core/open-messages.ts";
import { recalledText } from "../../text/recalled-text.ts";
import type { TurnContext } from "../turn-context.ts";
import type { TurnSession } from "./turn-session.ts";

const maxTokens = 800;
const maxWindows = 4;
/**
 * Of a passage's score, from 0 to 1. On LoCoMo's conversations 69 % of the questions about them reach
 * it, and 1 % of those about others.
 */
const leastScore = 0.3;

/**
 * Finds what was said earlier and may fit the turn's message, for direct chats. The model gets it as
 * a quote in front of that message, so that the beginning of its requests stays the same. Never
 * rejects: without it the turn goes on.
 */
export async function recallPassages({ deps, session }: TurnContext): Promise<void> {
  const { recall, log } = deps;
  const { chat, state, signal } = session;
  if (recall === undefined || state.group === true) return;
  if (session.narrowing?.persona?.memory === "off") return;
  const before = firstShown(session);
  // The model sees all of it.
  if (before === 0) return;
  const words = openMessages(session.transcript, state.turn)
    .map(({ text }) => text)
    .join("\n")
    .slice(0, maxQueryLength);
  try {
    const query = { words, limit: maxWindows, before, by: state.requester };
    const { windows } = await recall.find(chat, query, signal);
    const fitting = windows.filter(({ score }) => score >= leastScore);
    session.recalled = recalledText(fitting, { chat, maxTokens });
  } catch (error) {
    log.warn({ error, chat }, "could not recall what was said before");
  }
}

const maxQueryLength = 1_000;

/** The log position from which on the model sees the conversation itself. */
function firstShown({ transcript, viewStart }: TurnSession): number {
  let first = viewStart;
  transcript.forEach((entry, index) => {
    if (entry.kind === "reset") first = Math.max(first, viewStart + index + 1);
    if (entry.kind === "compaction") first = Math.max(first, entry.toSeq + 1);
  });
  return first;
}
