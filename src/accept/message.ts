import { isBlank } from "../core/blank.ts";
import { unreachable } from "../core/errors.ts";
import type { Acceptance, InboundMessage } from "../core/inbound.ts";
import { answerOnce, refusalOf } from "./answers.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";

/** UTF-16 units; more is refused with a sentence, since no model would read it whole. */
const maxTextLength = 50_000;
/** When a burst's pieces must have come, in ms; a little more than the inbox' own delay. */
const burstCheckMs = 720;

/** A message for the model: into the inbox, once. */
export async function acceptMessage(
  deps: AcceptDeps,
  arrived: Arrived<InboundMessage>,
): Promise<Acceptance> {
  const { inbound: message, chat, preference } = arrived;
  const refusal = await refusalOf(deps, arrived);
  if (refusal) return refusal;
  if (isBlank(message.text))
    return await answerOnce(deps, arrived, {
      text: "You wrote nothing. What can I do for you?",
    });
  if (message.text.length > maxTextLength) {
    const text = `That message has ${message.text.length} characters; I take up to ${maxTextLength}. Send it in parts.`;
    return await answerOnce(deps, arrived, { text });
  }
  const appended = deps.commandDeps.inbox.append(chat, {
    kind: "message",
    v: 1,
    id: message.id,
    ...(message.messageId === undefined
      ? {}
      : { messageId: message.messageId }),
    person: message.person,
    text: message.text.toWellFormed(),
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
      return await refuseFull(deps, arrived);
    default:
      return unreachable(ingested);
  }
}

/** Each message that is not kept is answered for itself, so that its writer knows which to send again. */
async function refuseFull(
  deps: AcceptDeps,
  arrived: Arrived<InboundMessage>,
): Promise<Acceptance> {
  const text =
    "Too many messages are waiting in this chat. This one is not kept: please send it again later.";
  const { messageId } = arrived.inbound;
  const answered = await answerOnce(deps, arrived, {
    text,
    ...(messageId === undefined ? {} : { replyTo: messageId }),
  });
  return answered.type === "duplicate" ? answered : { type: "refused", text };
}
