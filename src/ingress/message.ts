import { isBlank } from "../text/blank.ts";
import { unreachable } from "../core/errors.ts";
import {
  maxQuoteLength,
  type Attachment,
  type Quote,
} from "../core/history.ts";
import type {
  Acceptance,
  InboundAttachment,
  InboundMessage,
} from "../core/inbound.ts";
import { isAtLeast } from "../core/roles.ts";
import { answerOnce, refusalOf } from "./answers.ts";
import {
  keepAttachments,
  shortName,
  type KeptAttachments,
} from "./attachments.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import { droppedBehind, isDropped } from "./dropped.ts";
import { countFreely, overLimit } from "./message-limit.ts";
import { acceptSpokenDecision } from "./spoken-decision.ts";

/** UTF-16 units; more is refused with a sentence, since no model would read it whole. */
export const maxTextLength = 50_000;
/** When a burst's pieces must have come, in ms; a little more than the inbox' own delay. */
const burstCheckMs = 720;

/** A message for the model: into the inbox, once. */
export async function acceptMessage(
  deps: AcceptDeps,
  arrived: Arrived<InboundMessage>,
): Promise<Acceptance> {
  const { inbound: message, chat, preference, locale } = arrived;
  if (message.isAddressed === false) {
    const { activation } = await deps.commandDeps.settings.read(chat);
    const isKnown = isAtLeast(arrived.role, "guest");
    if (activation !== "always" || !isKnown) return { type: "ignored" };
  }
  const refusal = await refusalOf(deps, arrived);
  if (refusal) return refusal;
  const decided = await acceptSpokenDecision(deps, arrived);
  if (decided) return decided;
  const { attachments: arriving = [], quote } = message;
  const isEmpty = arriving.length === 0 && quote === undefined;
  if (isBlank(message.text) && isEmpty)
    return await sayWhyNot(deps, arrived, locale.ingress.wroteNothing);
  if (message.text.length > maxTextLength) {
    const text = locale.ingress.tooLong(message.text.length, maxTextLength);
    return await sayWhyNot(deps, arrived, text);
  }
  // Bytes are not fetched twice for what is delivered twice.
  if (
    arriving.length > 0 &&
    (await deps.commandDeps.inbox.hasSeen(chat, message.id))
  )
    return { type: "duplicate" };
  const refused = await overLimit(deps, arrived);
  if (refused) return refused;
  const kept = await inItsBurst(deps, arrived, () =>
    fetched(deps, arrived, arriving),
  );
  if (kept.type === "dropped") return droppedBehind(arrived);
  if (kept.type === "refused") return await sayWhyNot(deps, arrived, kept.text);
  // Whoever took it back meanwhile has counted it as gone.
  if (isDropped(message)) {
    await drop(deps, arrived, kept.attachments);
    return droppedBehind(arrived);
  }
  const appended = deps.commandDeps.inbox.append(chat, {
    kind: "message",
    v: kept.attachments.length === 0 ? 1 : 2,
    id: message.id,
    ...(message.messageId === undefined
      ? {}
      : { messageId: message.messageId }),
    person: message.person,
    role: arrived.role,
    text: asked(arrived).toWellFormed(),
    ...(kept.attachments.length === 0
      ? {}
      : { attachments: [...kept.attachments] }),
    ...(quote === undefined ? {} : { quote: quoted(quote) }),
    ...(message.isForwarded ? { forwarded: true } : {}),
    ...(message.direct ? {} : { group: true }),
    ...(message.burst === undefined ? {} : { burst: message.burst }),
    ...(Object.keys(preference).length === 0 ? {} : { preference }),
    atMs: message.atMs,
  });
  // Written behind the append on the same connection: one flight for all, and the wake can never overtake it.
  const woken = message.burst === undefined ? deps.wake.turn(chat) : undefined;
  const counted = countFreely(deps, arrived);
  const [ingested] = await Promise.all([appended, woken, counted]);
  if (message.burst !== undefined) deps.wake.turnIn(chat, burstCheckMs);
  switch (ingested) {
    case "accepted":
      return { type: "queued" };
    case "duplicate":
      return { type: "duplicate" };
    case "full":
      // Nobody will ask for its files.
      await drop(deps, arrived, kept.attachments);
      return await refuseFull(deps, arrived);
    default:
      return unreachable(ingested);
  }
}

/** Who points at something without a word asks what it is. */
function asked({
  inbound: { text, quote, attachments = [] },
  locale,
}: Arrived<InboundMessage>): string {
  const isPointing =
    isBlank(text) && quote !== undefined && attachments.length === 0;
  return isPointing ? locale.platform.whatAboutThis : text;
}

/** An album is one turn, however long its pictures take: those that are there wait for the next one. */
async function inItsBurst(
  deps: AcceptDeps,
  { inbound: { burst, attachments = [] }, chat }: Arrived<InboundMessage>,
  fetching: () => Promise<KeptAttachments>,
): Promise<KeptAttachments> {
  if (burst === undefined || attachments.length === 0) return await fetching();
  const { inbox } = deps.commandDeps;
  const isAwaited = await inbox.holdBurst(chat, burst);
  const kept = await fetching();
  if (kept.type === "kept" || !isAwaited) return kept;
  // The others go on without it.
  if (await inbox.holdBurst(chat, burst, { isOver: true }))
    deps.wake.turnIn(chat, burstCheckMs);
  return kept;
}

/** Its files, as soon as there is room for them. */
async function fetched(
  deps: AcceptDeps,
  { inbound: { person, dropped }, chat, locale }: Arrived<InboundMessage>,
  arriving: readonly InboundAttachment[],
): Promise<KeptAttachments> {
  if (arriving.length === 0) return { type: "kept", attachments: [] };
  const options = {
    blobs: deps.commandDeps.blobs,
    words: locale.files,
    language: person.language,
    readsVoice: deps.readsVoice === true,
    dropped,
  };
  try {
    return await deps.fetchSlots.run(
      person.id,
      () => keepAttachments(options, chat, arriving),
      dropped,
    );
  } catch (error) {
    if (dropped?.aborted === true) return { type: "dropped" };
    throw error;
  }
}

/** Files for which nobody will ask. */
async function drop(
  { commandDeps: { blobs } }: AcceptDeps,
  { chat }: Arrived,
  files: readonly Attachment[],
): Promise<void> {
  await Promise.all(files.map(({ blob }) => blobs.remove(chat, blob)));
}

/** Below the message, since others may stand behind it by now. Nobody is told of what was not meant for the bot. */
async function sayWhyNot(
  deps: AcceptDeps,
  arrived: Arrived<InboundMessage>,
  text: string,
): Promise<Acceptance> {
  const { isAddressed, messageId } = arrived.inbound;
  if (isAddressed === false) return { type: "ignored" };
  const tooMany = await arrived.pace.refusalOf(arrived);
  if (tooMany) return tooMany;
  const replyTo = messageId === undefined ? {} : { replyTo: messageId };
  return await answerOnce(deps, arrived, { text, ...replyTo });
}

const quoted = ({ author, text, ...rest }: Quote): Quote => ({
  ...rest,
  ...(author === undefined ? {} : { author: shortName(author) }),
  text: text.slice(0, maxQuoteLength).toWellFormed(),
});

/** For so long nobody is told again that their messages are not kept. Milliseconds. */
const fullWindowMs = 60_000;

/** Whoever waits for an answer hears of it every time, everybody else once in a while for all that they send. */
async function refuseFull(
  deps: AcceptDeps,
  arrived: Arrived<InboundMessage>,
): Promise<Acceptance> {
  const { inbound, chat, locale } = arrived;
  const { id, messageId, person, answersItself } = inbound;
  const mayNotify =
    answersItself === true ||
    (await deps.people.mayNotify(
      `full:${chat}:${person.id}`,
      id,
      fullWindowMs,
    ));
  if (!mayNotify) return { type: "refused" };
  const text = locale.ingress.full;
  const answered = await answerOnce(deps, arrived, {
    text,
    isPatient: true,
    ...(messageId === undefined ? {} : { replyTo: messageId }),
  });
  return answered.type === "duplicate" ? answered : { type: "refused", text };
}
