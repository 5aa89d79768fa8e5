import type { MessageEntry } from "../core/history.ts";
import type { TurnState } from "../core/turn.ts";

/**
 * The state of a turn that a message has just opened, with its first model call already counted: opening and counting
 * are one step in the store, so that a plain answer needs no commit but its last. Pure.
 *
 * @param turn the inbox position of the message.
 */
export function openTurn(turn: number, message: MessageEntry): TurnState {
  return {
    v: 1,
    phase: "thinking",
    turn,
    round: 1,
    requester: message.person,
    ...(message.group && message.messageId !== undefined
      ? { replyTo: message.messageId }
      : {}),
    counters: {
      modelCalls: 1,
      toolExecutions: 0,
      inputTokens: 0,
      outputTokens: 0,
      activeMs: 0,
    },
    modelCallOpen: true,
    calls: [],
  };
}
