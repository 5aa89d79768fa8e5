import { isBlank } from "../text/blank.ts";
import { unreachable } from "../core/errors.ts";
import {
  maxQuoteLength,
  openingLimits,
  whereOf,
  type Attachment,
  type MessageEntry,
  type Opening,
  type Quote,
} from "../core/history.ts";
import { gestureHoldMs, waitsForMore } from "../core/gesture.ts";
import type { InboundCommand, InboundMessage } from "../core/inbound.ts";
import { pauseOf } from "../core/pause.ts";
import { isAtLeast } from "../core/roles.ts";
import { stopped } from "./answers.ts";
import { spokenIn } from "../core/outbox.ts";
import { keepAttachments, maxAttachments, shortName, type KeptAttachments } from "./attachments.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import { leaveOut } from "./leave-out.ts";
import { addressed, placedWith } from "./gestures.ts";
import { countUnlimited } from "./message-limit.ts";
import type { Outcome } from "./outcome.ts";
import { neededFiles, ownFiles } from "./pointed-at.ts";

type ArrivedMessage = Arrived<InboundMessage>;
type Kept = Extract<KeptAttachments, { readonly type: "kept" }>;

const noFiles: Kept = { type: "kept", attachments: [], unopened: [] };

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

/** What a model reads of it. */
export const shownText = ({ text, markdown = text }: Pick<InboundMessage, "text" | "markdown">) =>
  markdown;

/** Refuses a message without content, or with too long a text. */
export function checkContent(_: AcceptDeps, arrived: ArrivedMessage): Outcome | undefined {
  const { inbound, locale } = arrived;
  const { quote, attachments = [] } = inbound;
  const text = shownText(inbound);
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
  const pointedAt = await fetchPointedAt(deps, arrived);
  const missing = pointedAt.type === "refused" ? pointedAt.text : undefined;
  const isQuestion = isBlank(shownText(message)) && kept.attachments.length === 0;
  if (missing !== undefined && isQuestion) return explain(arrived, missing);
  const found = pointedAt.type === "kept" ? pointedAt : noFiles;
  const begun = await openingOf(deps, arrived, kept.attachments.length + found.attachments.length);
  const attachments = [...kept.attachments, ...found.attachments, ...begun.attachments];
  // The `/stop` that withdrew it has counted it as stopped.
  if (message.dropped?.aborted) {
    await removeFiles(deps, arrived, attachments);
    return stopped(arrived);
  }
  // The wake is written after the append on the same connection, and cannot overtake it: one round
  // trip for all.
  const { opening } = begun;
  const unopened = [...kept.unopened, ...found.unopened];
  const entry = entryOf(arrived, { attachments, opening, unopened, missing });
  const isHeld = waitsForMore(entry);
  const [ingested] = await Promise.all([
    deps.inbox.append(chat, entry),
    isHeld ? undefined : deps.startTurn(chat),
    reportUnopened(deps, arrived, unopened),
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
  {
    attachments,
    opening,
    unopened,
    missing,
  }: Pick<Kept, "attachments" | "unopened"> & {
    readonly opening: Opening | undefined;
    readonly missing: string | undefined;
  },
): MessageEntry {
  const { id, messageId, person, quote, origin, burst, atMs, sentAtMs } = inbound;
  const text = shownText(inbound);
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
    ...(quote === undefined ? {} : { quote: quoted(quote, missing) }),
    ...(opening === undefined ? {} : { opening }),
    ...(unopened.length === 0 ? {} : { unopened: unopened.map(({ name }) => name) }),
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

/** @param missing why the file that it holds isn't there */
const quoted = ({ author, text, ...rest }: Quote, missing: string | undefined): Quote => ({
  ...rest,
  ...(author === undefined ? {} : { author: shortName(author) }),
  text: [text.slice(0, maxQuoteLength).toWellFormed(), ...(missing ? [`(${missing})`] : [])].join(
    "\n",
  ),
});

/** A file that can't be had is no reason to lose the words: the model reads why it doesn't see it. */
async function fetchPointedAt(deps: AcceptDeps, arrived: ArrivedMessage): Promise<KeptAttachments> {
  const files = await neededFiles(deps, arrived);
  if (files.length === 0) return noFiles;
  return await fetchFiles(deps, arrived, files);
}

/** How a thread began, for the first message of a conversation there. Nothing of it refuses the message. */
async function openingOf(
  deps: AcceptDeps,
  arrived: ArrivedMessage,
  count: number,
): Promise<{ readonly opening?: Opening; readonly attachments: readonly Attachment[] }> {
  const { inbound, chat } = arrived;
  if (inbound.opening === undefined || !(await deps.inbox.isConversationStart(chat)))
    return { attachments: [] };
  const found = await inbound.opening();
  if (found === undefined) return { attachments: [] };
  const { attachments, title, tags = [], quote } = found;
  const { maxTitleLength, maxTags } = openingLimits;
  const cut = (text: string): string => text.slice(0, maxTitleLength).toWellFormed();
  const files = attachments.slice(0, Math.max(0, maxAttachments - count));
  const kept = files.length === 0 ? undefined : await fetchFiles(deps, arrived, files);
  return {
    opening: {
      ...(title === undefined ? {} : { title: cut(title) }),
      ...(tags.length === 0 ? {} : { tags: tags.slice(0, maxTags).map(cut) }),
      ...(quote === undefined ? {} : { quote: quoted(quote, undefined) }),
    },
    attachments: kept?.type === "kept" ? kept.attachments : [],
  };
}

/** Says which files couldn't be opened, once, while the rest of the message is answered. */
async function reportUnopened(
  deps: AcceptDeps,
  { inbound, chat }: ArrivedMessage,
  unopened: Kept["unopened"],
): Promise<void> {
  const { id, messageId, person, direct, isAddressed } = inbound;
  if (unopened.length === 0 || isAddressed === false) return;
  await deps.post(chat, {
    kind: "notice",
    v: 1,
    id: `unopened:${id}`,
    ...spokenIn(person.language),
    ...(direct ? {} : { person: person.id }),
    text: [...new Set(unopened.map(({ text }) => text))].join("\n"),
    ...(messageId === undefined ? {} : { replyTo: messageId }),
    ...(direct ? {} : { patient: true }),
  });
}

/** A gesture is one turn, however long its files take: the earlier pieces wait for the next one. */
async function fetchInBurst(deps: AcceptDeps, arrived: ArrivedMessage): Promise<KeptAttachments> {
  const { inbound, chat } = arrived;
  const { burst } = inbound;
  const attachments = ownFiles(inbound);
  if (attachments.length === 0) return noFiles;
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

/** Once the inbox is full it takes nothing until half of it is done. */
async function refuseFull(deps: AcceptDeps, arrived: ArrivedMessage): Promise<Outcome> {
  const { chat, locale } = arrived;
  const [until, pauses] = await Promise.all([deps.inbox.fullUntil(chat), deps.pauses.read()]);
  const isPaused = pauseOf(pauses, arrived.inbound.address.platform) !== undefined;
  return await leaveOut(deps, arrived, {
    cause: `full:${until}`,
    text: isPaused ? locale.ingress.fullWhilePaused : locale.ingress.full,
  });
}
