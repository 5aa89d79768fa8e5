import type { InboundCommand, InboundMessage } from "../core/inbound.ts";
import { replyEntryId, spokenIn } from "../core/outbox.ts";
import { leftOutText } from "../locales/left-out-text.ts";
import { answersItself } from "./answers.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import type { Outcome } from "./outcome.ts";

/**
 * Says that a message isn't taken. The first gets a notice; later ones get a reaction, a few times a minute,
 * and are counted in the notice, which is edited as the count grows. A person who waits for an answer reads the
 * text every time.
 */
export async function leaveOut(
  deps: AcceptDeps,
  arrived: Arrived<InboundMessage | InboundCommand>,
  refusal: {
    /** What is full or used up: its messages are counted together. */
    readonly cause: string;
    readonly text: string;
    /** False: a notice has said it already, perhaps in another chat; a reaction is enough here. Absent: unknown. */
    readonly isFirst?: boolean;
  },
): Promise<Outcome> {
  const { inbound, chat, pace } = arrived;
  const { id, person, messageId } = inbound;
  const { text, cause, isFirst } = refusal;
  const notice: Outcome = {
    type: "reply",
    text,
    replyTo: messageId,
    refuses: true,
    isLowPriority: true,
  };
  if (answersItself(inbound)) return notice;
  const marked = isFirst === false ? pace.marked(person) : undefined;
  const isMarked = marked !== undefined && "isMarked" in marked;
  const of = `${cause}:${chat}:${person.id}`;
  const left = await deps.inbox.leaveOut({
    eventId: id,
    countedAs: countedAs(inbound),
    of,
    notice: isFirst === true ? "always" : isMarked ? "never" : "first",
  });
  if (left.notice === id) return { ...notice, text: leftOutText(arrived.locale, text, left.count) };
  if (left.notice !== undefined && left.isNews)
    await deps.post(chat, {
      kind: "resolution",
      v: 1,
      id: `left-${id}`,
      of: replyEntryId(left.notice),
      ...spokenIn(person.language),
      ...(inbound.direct ? {} : { person: person.id }),
      text: leftOutText(arrived.locale, text, left.count),
      leftOut: { of, text },
      patient: true,
    });
  return marked ?? pace.marked(person);
}

/** As people see them: an album, which has a number, is one message. */
const countedAs = (inbound: InboundMessage | InboundCommand): string =>
  inbound.type === "message" && /^\d+$/.test(inbound.burst ?? "")
    ? `album-${inbound.burst}`
    : inbound.id;
