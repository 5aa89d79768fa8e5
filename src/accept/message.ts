import { isBlank } from "../core/blank.ts";
import { unreachable } from "../core/errors.ts";
import { maxQuoteLength, type Quote } from "../core/history.ts";
import type { Acceptance, InboundMessage } from "../core/inbound.ts";
import { answerOnce, refusalOf } from "./answers.ts";
import { keepAttachments, shortName } from "./attachments.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
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
  const { inbound: message, chat, preference, words } = arrived;
  if (message.isAddressed === false) {
    const { activation } = await deps.commandDeps.settings.read(chat);
    const isKnown = arrived.role === "admin" || arrived.role === "member";
    if (activation !== "always" || !isKnown) return { type: "ignored" };
  }
  const refusal = await refusalOf(deps, arrived);
  if (refusal) return refusal;
  const decided = await acceptSpokenDecision(deps, arrived);
  if (decided) return decided;
  const { attachments: arriving = [], quote } = message;
  const isEmpty = arriving.length === 0 && quote === undefined;
  if (isBlank(message.text) && isEmpty)
    return await sayWhyNot(deps, arrived, words.door.wroteNothing);
  if (message.text.length > maxTextLength) {
    const text = words.door.tooLong(message.text.length, maxTextLength);
    return await sayWhyNot(deps, arrived, text);
  }
  // Bytes are not fetched twice for what is delivered twice.
  if (
    arriving.length > 0 &&
    (await deps.commandDeps.inbox.hasSeen(chat, message.id))
  )
    return { type: "duplicate" };
  const kept = await keepAttachments(
    {
      blobs: deps.commandDeps.blobs,
      words: words.files,
      language: message.person.language,
      readsVoice: deps.readsVoice === true,
    },
    chat,
    arriving,
  );
  if (kept.type === "refused") return await sayWhyNot(deps, arrived, kept.text);
  const appended = deps.commandDeps.inbox.append(chat, {
    kind: "message",
    v: kept.attachments.length === 0 ? 1 : 2,
    id: message.id,
    ...(message.messageId === undefined
      ? {}
      : { messageId: message.messageId }),
    person: message.person,
    text: message.text.toWellFormed(),
    ...(kept.attachments.length === 0
      ? {}
      : { attachments: [...kept.attachments] }),
    ...(quote === undefined ? {} : { quote: quoted(quote) }),
    ...(message.direct ? {} : { group: true }),
    ...(message.burst === undefined ? {} : { burst: message.burst }),
    ...(Object.keys(preference).length === 0 ? {} : { preference }),
    atMs: message.atMs,
  });
  // Written behind the append on the same connection: one flight for both, and the wake can never overtake it.
  const woken = message.burst === undefined ? deps.wake.turn(chat) : undefined;
  const [ingested] = await Promise.all([appended, woken]);
  if (message.burst !== undefined)
    deps.wake.turnAt(chat, Date.now() + burstCheckMs);
  switch (ingested) {
    case "accepted":
      return { type: "queued" };
    case "duplicate":
      return { type: "duplicate" };
    case "full":
      // Nobody will ask for its files.
      await Promise.all(
        kept.attachments.map(({ blob }) =>
          deps.commandDeps.blobs.remove(chat, blob),
        ),
      );
      return await refuseFull(deps, arrived);
    default:
      return unreachable(ingested);
  }
}

/** Below the message, since others may stand behind it by now. Nobody is told of what was not meant for the bot. */
async function sayWhyNot(
  deps: AcceptDeps,
  arrived: Arrived<InboundMessage>,
  text: string,
): Promise<Acceptance> {
  const { isAddressed, messageId } = arrived.inbound;
  if (isAddressed === false) return { type: "ignored" };
  const replyTo = messageId === undefined ? {} : { replyTo: messageId };
  return await answerOnce(deps, arrived, { text, ...replyTo });
}

const quoted = ({ author, text, ...rest }: Quote): Quote => ({
  ...rest,
  ...(author === undefined ? {} : { author: shortName(author) }),
  text: text.slice(0, maxQuoteLength).toWellFormed(),
});

/** Each message that is not kept is answered for itself, so that its writer knows which to send again. */
async function refuseFull(
  deps: AcceptDeps,
  arrived: Arrived<InboundMessage>,
): Promise<Acceptance> {
  const text = arrived.words.door.full;
  const { messageId } = arrived.inbound;
  const answered = await answerOnce(deps, arrived, {
    text,
    ...(messageId === undefined ? {} : { replyTo: messageId }),
  });
  return answered.type === "duplicate" ? answered : { type: "refused", text };
}
