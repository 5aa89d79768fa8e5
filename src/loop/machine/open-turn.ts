import type { ControlEntry, MessageEntry } from "../../core/history.ts";
import type { TurnState } from "../../core/turn.ts";
import { traitsOf } from "./routing.ts";

/**
 * The state of a turn that a message has just opened, with its first model call already counted:
 * opening and counting are one step in the store, so that a plain answer needs no commit but its
 * last. Pure.
 *
 * @param turn the inbox position of the message.
 */
export function openTurn(turn: number, message: MessageEntry): TurnState {
  const { watch, schedule } = message;
  return {
    v: watch === undefined ? 1 : 4,
    phase: "thinking",
    turn,
    round: 1,
    requester: message.person,
    ...(message.role === undefined ? {} : { role: message.role }),
    ...(message.group && message.messageId !== undefined ? { replyTo: message.messageId } : {}),
    ...(message.group ? { group: true } : {}),
    ...(message.where === undefined ? {} : { where: message.where }),
    traits: traitsOf({ text: message.text, images: hasImages(message) }),
    ...(message.preference === undefined ? {} : { preference: message.preference }),
    ...(message.auto === undefined ? {} : { auto: message.auto }),
    ...(message.traceparent === undefined ? {} : { traceparent: message.traceparent }),
    ...(schedule === undefined ? {} : { schedule }),
    // A watch asks a model only after a change.
    ...(watch === undefined ? {} : { watch: { ...watch, text: message.text } }),
    spent: {},
    counters: { ...nothingCounted, modelCalls: watch === undefined ? 1 : 0 },
    modelCallOpen: watch === undefined,
    calls: [],
  };
}

const hasImages = ({ attachments = [] }: MessageEntry): boolean =>
  attachments.some(({ kind }) => kind === "image");

const nothingCounted = {
  modelCalls: 0,
  toolExecutions: 0,
  inputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
  activeMs: 0,
};

/** The state of a turn that only shortens the view: `/compact`. Pure. */
export function openCompaction(turn: number, control: ControlEntry): TurnState {
  return {
    v: 1,
    phase: "compacting",
    turn,
    round: 1,
    requester: control.person,
    ...(control.role === undefined ? {} : { role: control.role }),
    ...(control.group && control.messageId !== undefined ? { replyTo: control.messageId } : {}),
    ...(control.group ? { group: true } : {}),
    compactOnly: true,
    spent: {},
    counters: nothingCounted,
    modelCallOpen: false,
    calls: [],
  };
}
