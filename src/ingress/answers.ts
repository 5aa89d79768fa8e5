import { chatName, quotedTitle } from "../access/place-name.ts";
import { botOf, chatKey } from "../core/chat.ts";
import type { Acceptance, Inbound } from "../core/inbound.ts";
import { replyEntryId, spokenIn, type OutboxEntry } from "../core/outbox.ts";
import { isAtLeast } from "../core/roles.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import type { Reply } from "./outcome.ts";

/**
 * Whether the adapter shows the answer itself: then its user gets each one, however often they ask.
 */
export const answersItself = (inbound: Inbound): boolean =>
  "answersItself" in inbound && inbound.answersItself;

/**
 * For a message that a `/stop` has withdrawn: only answered where the sender waits, since the
 * `/stop` has informed all others.
 */
export const stopped = ({ inbound, locale }: Arrived): Acceptance =>
  answersItself(inbound)
    ? { type: "answered", text: locale.end.stopped, isPrivate: false }
    : { type: "ignored" };

/**
 * Answers without a turn. If the adapter doesn't show the answer itself, the outbox sends it, once
 * per event; in a direct chat as a reply only if `replyTo` is set, and in a group after all answers
 * of turns.
 */
export async function sendReply(
  deps: AcceptDeps,
  arrived: Arrived,
  reply: Reply,
): Promise<Acceptance> {
  const { inbound } = arrived;
  const { type, refuses, leavesUnseen, replyTo, isLowPriority, asksReply, ...given } = reply;
  const { chat = arrived.chat, ...said } = given;
  const { isPrivate = false, buttons = [], text, closes } = said;
  const acceptance: Acceptance = refuses
    ? { type: "refused", text }
    : { ...said, type: "answered", isPrivate };
  if (answersItself(inbound)) return acceptance;
  const { id, direct, person, messageId } = inbound;
  // Without a direct chat only a hint is shown in the group. Buttons are left out: they act on the
  // chat that they are in.
  if (isPrivate && !direct) {
    const hint = await sendInPrivate(deps, arrived, text);
    const priority = isLowPriority ? { isLowPriority } : {};
    return await sendReply(deps, arrived, { type, text: hint, ...priority });
  }
  const answered = direct ? replyTo : (replyTo ?? messageId);
  const entry: OutboxEntry = {
    kind: "notice",
    v: 1,
    id: replyEntryId(id),
    ...spokenIn(person.language),
    ...(direct ? {} : { person: person.id }),
    text,
    ...(asksReply && !direct ? { replyFrom: { id: person.id, name: person.name } } : {}),
    ...(answered === undefined ? {} : { replyTo: answered }),
    ...(buttons.length === 0
      ? {}
      : { buttons: buttons.map(({ label, data }) => ({ label, data })) }),
    // In a group it must not delay the model's answers. A decision is rare enough to be sent at
    // once.
    ...(isLowPriority || (!direct && closes === undefined) ? { patient: true } : {}),
  };
  if (leavesUnseen) {
    await deps.post(chat, entry);
    return acceptance;
  }
  const [ingested] = await Promise.all([
    deps.inbox.answer(chat, id, entry),
    deps.wakeDelivery(chat),
  ]);
  return ingested === "duplicate" ? { type: "duplicate" } : acceptance;
}

/** Sends a text to the person's direct chat. @returns what to say about it where they asked. */
export async function sendInPrivate(
  deps: AcceptDeps,
  arrived: Arrived,
  text: string,
): Promise<string> {
  const { person, address, id } = arrived.inbound;
  const { inPrivate } = arrived.locale;
  const { platform, bot } = address;
  const known = await deps.people.directChat(botOf(arrived.chat), person.id);
  const direct =
    known ??
    (platform === "telegram"
      ? chatKey({ platform, bot, chat: person.id.slice("telegram:".length) })
      : undefined);
  if (direct === undefined || person.anonymous) return inPrivate.askThere;
  const posted = await deps.post(direct, {
    kind: "notice",
    v: 1,
    // Event ids are unique in their own chat only.
    id: `private:${arrived.chat}:${id}`,
    ...spokenIn(person.language),
    // A tap in the direct chat itself needs no heading.
    text: direct === arrived.chat ? text : `${await whereAsked(deps, arrived)}\n${text}`,
    ...(isAtLeast(arrived.role, "guest") ? {} : { patient: true }),
  });
  if (posted === "full") return inPrivate.full;
  // Telegram lets no bot write first.
  return known === undefined ? `${inPrivate.answered} ${inPrivate.writeFirst}` : inPrivate.answered;
}

/** The heading of a message in another chat than the one it is about. */
async function whereAsked({ people }: AcceptDeps, arrived: Arrived): Promise<string> {
  const { inbound, chat, locale } = arrived;
  const { thread } = inbound.address;
  const { askedIn, topic } = locale.inPrivate;
  const title = (inbound.type === "command" ? inbound.chatTitle?.trim() : undefined) ?? "";
  const name = title === "" ? await chatName(people, chat) : quotedTitle(title);
  // The chat's own id has its topic.
  if (name === chat || thread === undefined) return askedIn(name);
  return askedIn(`${name}, ${topic(thread)}`);
}
