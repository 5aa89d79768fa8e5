import type { InboxEntry, MessageEntry } from "./history.ts";

/*
 * A gesture is what a person does at once and a platform delivers as several messages: a comment
 * and the forwards behind it, an album, files sent in a row, a text split by the app. It is one turn
 * with one answer. One rule, `continuesGesture`, says so when a turn opens, while it runs, when a
 * group's message is to be read though it names no bot, and when messages are counted.
 */

/** The burst key of a long text that may continue in the next message. */
export const pasteBurst = "paste";
/** The burst key of forwards and files. Any other key is an album's. */
export const gestureBurst = "gesture";

/** Milliseconds between two pieces at most, by the platform's clock; Telegram's has whole seconds. */
export const gestureGapMs = 2_000;
/** Pieces of an album, of a split paste or of several forwards arrive within about 500 ms of each other. */
export const gestureHoldMs = 700;

/** The fields of a message by which its gesture is known. */
export type Piece = Pick<
  MessageEntry,
  "burst" | "atMs" | "sentAtMs" | "auto" | "skill" | "sampleOf" | "schedule"
> & { readonly person: Pick<MessageEntry["person"], "id"> };

/**
 * Whether a message belongs to the gesture whose newest piece is `before`: plain texts never belong
 * together, since people write "hi" and then what they want. Pure.
 */
export function continuesGesture(before: Piece, next: Piece): boolean {
  if (before.person.id !== next.person.id || isOwnTurn(next)) return false;
  if (isOfPlatform(before) || isOfPlatform(next)) return false;
  if (isAlbum(before) && before.burst === next.burst) return true;
  const isCarrier = before.burst !== undefined || next.burst !== undefined;
  return isCarrier && msBetween(before, next) <= gestureGapMs;
}

/** Whether a piece can't be all of its gesture: something is to be said about it, or follows it. Pure. */
export const waitsForMore = ({
  burst,
  forwarded,
  text,
}: Pick<MessageEntry, "burst" | "forwarded" | "text">): boolean =>
  burst === gestureBurst ? forwarded === true || text.trim() === "" : burst !== undefined;

/**
 * The waiting messages that belong to the gesture whose newest piece is `newest`, in order. Marked
 * pieces are found behind other people's messages, too. Pure.
 */
export function piecesAfter(
  newest: Piece,
  waiting: readonly InboxEntry[],
): readonly MessageEntry[] {
  const pieces: MessageEntry[] = [];
  let before = newest;
  let isNext = true;
  for (const entry of waiting) {
    if (entry.kind === "edit") continue;
    if (entry.kind !== "message") break;
    if (entry.person.id !== newest.person.id) {
      isNext = false;
      continue;
    }
    const mayOvertake = isNext || entry.burst !== undefined;
    if (entry.stopped === true || !mayOvertake || !continuesGesture(before, entry)) break;
    pieces.push(entry);
    before = entry;
  }
  return pieces;
}

/** Whether a message is more than its text: a skill, a persona to be shown, or a schedule's. Pure. */
export const isOwnTurn = ({
  skill,
  sampleOf,
  schedule,
}: Pick<MessageEntry, "skill" | "sampleOf" | "schedule">): boolean =>
  skill !== undefined || sampleOf !== undefined || schedule !== undefined;

/** The platform asks for it at a time of its own. */
const isOfPlatform = ({ auto, sampleOf, schedule }: Piece): boolean =>
  auto !== undefined || sampleOf !== undefined || schedule !== undefined;

const isAlbum = ({ burst }: Piece): boolean =>
  burst !== undefined && burst !== pasteBurst && burst !== gestureBurst;

/** Processes of earlier versions stored no time of the platform's. */
function msBetween(one: Piece, other: Piece): number {
  const isTimed = one.sentAtMs !== undefined && other.sentAtMs !== undefined;
  return Math.abs(isTimed ? one.sentAtMs - other.sentAtMs : one.atMs - other.atMs);
}
