import { isBlank } from "../text/blank.ts";
import { unreachable } from "../core/errors.ts";
import {
  maxQuoteLength,
  whereOf,
  type Attachment,
  type MessageEntry,
  type Quote,
} from "../core/history.ts";
import { gestureHoldMs, waitsForMore } from "../core/gesture.ts";
import type { InboundCommand, InboundMessage } from "../core/inbound.ts";
import { isAtLeast } from "../core/roles.ts";
import { answersItself, stopped } from "./answers.ts";
import { keepAttachments, shortName, type KeptAttachments } from "./attachments.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import { addressed, placedWith } from "./gestures.ts";
import { countUnlimited } from "./message-limit.ts";
import type { Outcome } from "./outcome.ts";

type ArrivedMessage = Arrived<InboundMessage>;

/** UTF-16 units; longer texts are refused, since no model would read them whole. */
export const maxTextLength = 50_000;
/** When the pieces of a gesture that were held are due; a little more than the inbox's own delay. */
const burstCheckMs = gestureHoldMs + 20;

/**
 * Ignores a group's own talk, unless the bot is to take part, or its writer has just spoken to the bot
 * and this belongs to it. A forward or file is set aside for a moment: a mention may follow.
 */
export async function ignoreGroupTalk(
  deps: AcceptDeps,
  arrived: ArrivedMessage,
): Promise<Outcome | undefined> {
  const { inbound, chat, role, gestures } = arrived;
  if (inbound.isAddressed !== false) return undefined;
  if (!isAtLeast(role, "guest")) return { type: "ignored" };
  const near = gestures.neighbour(arrived);
  if (near) {
    const { inbound: piece, chat: place } = placedWith(arrived, near);
    return { type: "typed", inbound: piece, near: { chat: place } };
  }
  const [{ activation }, isPiece] = await Promise.all([
    deps.settings.read(chat),
    gestures.isUnsure(arrived) && deps.inbox.hasNeighbour(chat, inbound),
  ]);
  if (isPiece) return { type: "typed", inbound: addressed(inbound) };
  if (activation === "always" && !inbound.looksLikeCommand) return undefined;
  if (inbound.burst === undefined) return { type: "ignored" };
  const settled = gestures.setAside(arrived);
  return { type: "ignored", ...(inbound.isForwarded ? { settled } : {}) };
}

/** Refuses a message without content, or with too long a text. */
export function checkContent(_: AcceptDeps, arrived: ArrivedMessage): Outcome | undefined {
  const { inbound, locale } = arrived;
  const { text, quote, attachments = [] } = inbound;
  const isEmpty = attachments.length === 0 && quote === undefined;
  if (isBlank(text) && isEmpty) return explain(arrived, locale.ingress.wroteNothing);
  return text.length > maxTextLength
    ? explain(arrived, locale.ingress.tooLong(text.length, maxTextLength))
    : undefined;
}

/**
 * Skips commands and files of an event that is delivered twice. For other messages the inbox does
 * that.
 */
export async function ignoreSeen(
  { inbox }: AcceptDeps,
  { inbound, chat }: Arrived<InboundMessage | InboundCommand>,
): Promise<Outcome | undefined> {
  if (inbound.type === "message" && !inbound.attachments?.length) return undefined;
  const isSeen = await inbox.hasSeen(chat, inbound.id);
  return isSeen ? { type: "duplicate" } : undefined;
}

/** Puts a message with its files into the inbox, once. */
export async function keepMessage(deps: AcceptDeps, arrived: ArrivedMessage): Promise<Outcome> {
  const { inbound: message, chat } = arrived;
  const kept = await fetchInBurst(deps, arrived);
  if (kept.type === "dropped") return stopped(arrived);
  if (kept.type === "refused") return explain(arrived, kept.text);
  const { attachments } = kept;
  // The `/stop` that withdrew it has counted it as stopped.
  if (message.dropped?.aborted) {
    await removeFiles(deps, arrived, attachments);
    return stopped(arrived);
  }
  // The wake is written after the append on the same connection, and cannot overtake it: one round
  // trip for all.
  const entry = entryOf(arrived, attachments);
  const isHeld = waitsForMore(entry);
  const [ingested] = await Promise.all([
    deps.inbox.append(chat, entry),
    isHeld ? undefined : deps.startTurn(chat),
  ]);
  await countUnlimited(deps, arrived);
  if (isHeld) deps.wakeTurnIn(chat, burstCheckMs);
  switch (ingested) {
    case "accepted":
      return { type: "queued" };
    case "duplicate":
      return { type: "duplicate" };
    case "full":
      await removeFiles(deps, arrived, attachments);
      return await refuseFull(deps, arrived);
    default:
      return unreachable(ingested);
  }
}

function entryOf(
  { inbound, role, preference, placePersona, locale }: ArrivedMessage,
  attachments: readonly Attachment[],
): MessageEntry {
  const { id, messageId, person, text, quote, origin, burst, atMs, sentAtMs } = inbound;
  // A reply without text asks what the quoted message is.
  const isPointing = isBlank(text) && quote !== undefined && attachments.length === 0;
  return {
    kind: "message",
    v: attachments.length === 0 ? 1 : 2,
    id,
    ...(messageId === undefined ? {} : { messageId }),
    person,
    role,
    text: (isPointing ? locale.platform.whatAboutThis : text).toWellFormed(),
    ...(attachments.length === 0 ? {} : { attachments: [...attachments] }),
    ...(quote === undefined ? {} : { quote: quoted(quote) }),
    ...(inbound.isForwarded ? { forwarded: true } : {}),
    ...(origin === undefined ? {} : { origin: { ...origin, name: shortName(origin.name) } }),
    ...(inbound.direct ? {} : { group: true }),
    ...whereOf(inbound),
    ...(burst === undefined ? {} : { burst }),
    ...(Object.keys(preference).length === 0 ? {} : { preference }),
    ...(placePersona === undefined ? {} : { persona: placePersona }),
    atMs,
    ...(sentAtMs === undefined ? {} : { sentAtMs }),
  };
}

const quoted = ({ author, text, ...rest }: Quote): Quote => ({
  ...rest,
  ...(author === undefined ? {} : { author: shortName(author) }),
  text: text.slice(0, maxQuoteLength).toWellFormed(),
});

/** A gesture is one turn, however long its files take: the earlier pieces wait for the next one. */
async function fetchInBurst(deps: AcceptDeps, arrived: ArrivedMessage): Promise<KeptAttachments> {
  const { inbound, chat } = arrived;
  const { burst, attachments = [] } = inbound;
  if (attachments.length === 0) return { type: "kept", attachments: [] };
  if (burst === undefined) return await fetchFiles(deps, arrived, attachments);
  const isAwaited = await deps.inbox.holdBurst(chat, burst);
  const kept = await fetchFiles(deps, arrived, attachments);
  if (kept.type === "kept" || !isAwaited) return kept;
  // The others continue without it.
  if (await deps.inbox.holdBurst(chat, burst, { isOver: true }))
    deps.wakeTurnIn(chat, burstCheckMs);
  return kept;
}

/** Waits for memory to fetch the files. */
async function fetchFiles(
  { blobs, readsVoice, seesPictures, fetchSlots }: AcceptDeps,
  { inbound: { person, dropped }, chat, locale }: ArrivedMessage,
  attachments: NonNullable<InboundMessage["attachments"]>,
): Promise<KeptAttachments> {
  const { language } = person;
  const options = { blobs, words: locale.files, language, readsVoice, seesPictures, dropped };
  try {
    return await fetchSlots.run(
      person.id,
      () => keepAttachments(options, chat, attachments),
      dropped,
    );
  } catch (error) {
    if (dropped?.aborted === true) return { type: "dropped" };
    throw error;
  }
}

/** For a message that is not stored. */
async function removeFiles(
  { blobs }: AcceptDeps,
  { chat }: ArrivedMessage,
  files: readonly Attachment[],
): Promise<void> {
  await Promise.all(files.map(({ blob }) => blobs.remove(chat, blob)));
}

/**
 * Says why a message is refused, as a reply to it, since other messages may have followed. A
 * group's own talk gets no reply.
 */
function explain(arrived: ArrivedMessage, text: string): Outcome {
  const { isAddressed, messageId } = arrived.inbound;
  if (isAddressed === false) return { type: "ignored" };
  return (
    arrived.pace.refusalOf(arrived) ?? {
      type: "reply",
      text,
      replyTo: messageId,
    }
  );
}

/** Time until a person is notified again that their messages are not kept. Milliseconds. */
const fullWindowMs = 60_000;

/** Sent once in this time for all messages, or every time to a person who waits for an answer. */
async function refuseFull(
  { people }: AcceptDeps,
  { inbound, chat, locale, pace }: ArrivedMessage,
): Promise<Outcome> {
  const { id, messageId, person } = inbound;
  const mayNotify =
    answersItself(inbound) ||
    (await people.mayNotify(`full:${chat}:${person.id}`, id, fullWindowMs));
  if (!mayNotify) return pace.marked(person);
  const text = locale.ingress.full;
  return {
    type: "reply",
    text,
    replyTo: messageId,
    refuses: true,
    isLowPriority: true,
  };
}
