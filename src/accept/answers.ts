import { requestPairing } from "../access/pairing.ts";
import type { CommandAnswer } from "../commands/command.ts";
import { botOf, chatKey, type ChatKey } from "../core/chat.ts";
import type { Acceptance, Inbound, InboundCommand } from "../core/inbound.ts";
import { spokenIn, type OutboxEntry } from "../core/outbox.ts";
import type { Ingested } from "../store/inbox.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";

/** Refusals by access, ban or limit are told once in this time, in ms. */
const refusalWindowMs = 10 * 60_000;

/** Undefined: the person may go on. Whoever waits for an answer gets it every time, everybody else once in a while. */
export async function refusalOf(
  deps: AcceptDeps,
  { inbound, chat, role, words }: Arrived,
): Promise<Acceptance | undefined> {
  if (role === "admin" || role === "member") return undefined;
  const mayTell =
    answersItself(inbound) ||
    (await deps.people.mayTell(
      `refused:${chat}:${inbound.person.id}`,
      inbound.id,
      refusalWindowMs,
    ));
  if (!mayTell) return { type: "refused" };
  const isPairing =
    role === "stranger" &&
    deps.access.mode === "pairing" &&
    inbound.direct &&
    !inbound.person.anonymous;
  const text = isPairing
    ? await requestPairing(deps.commandDeps.pairing, inbound.person, chat)
    : words.door.notAllowed;
  if (!answersItself(inbound))
    await post(deps, chat, notice(inbound, { text }));
  return { type: "refused", text };
}

/**
 * Answers without a turn. Where the adapter does not answer by itself, the outbox does, once per event; in a direct chat
 * as a reply only where `replyTo` says so.
 */
export async function answerOnce(
  deps: AcceptDeps,
  { inbound, chat }: Arrived,
  { replyTo, ...answer }: CommandAnswer & { readonly replyTo?: string },
  isPrivate = false,
): Promise<Acceptance> {
  if (answersItself(inbound)) return { type: "answered", ...answer, isPrivate };
  const answered = deps.commandDeps.inbox.answer(
    chat,
    inbound.id,
    notice(inbound, answer, replyTo),
  );
  const [ingested] = await Promise.all([answered, deps.wake.delivery(chat)]);
  return ingested === "duplicate"
    ? { type: "duplicate" }
    : { type: "answered", ...answer, isPrivate };
}

/**
 * What is private goes to the asker's direct chat; without one, only a hint is shown in the group. Buttons stay behind:
 * what they do, they do to the chat that they are in.
 */
export async function answerInPrivate(
  deps: AcceptDeps,
  arrived: Arrived<InboundCommand>,
  { text }: CommandAnswer,
): Promise<Acceptance> {
  const { person, address, id } = arrived.inbound;
  const { inPrivate } = arrived.words;
  const { platform, bot } = address;
  const known = await deps.people.directChat(botOf(arrived.chat), person.id);
  const direct =
    known ??
    (platform === "telegram"
      ? chatKey({ platform, bot, chat: person.id.slice("telegram:".length) })
      : undefined);
  if (direct === undefined || person.anonymous) {
    return await answerOnce(deps, arrived, {
      text: inPrivate.askThere,
    });
  }
  // Event ids are unique in their own chat only.
  const entryId = `private:${arrived.chat}:${id}`;
  const posted = await post(deps, direct, {
    kind: "notice",
    v: 1,
    id: entryId,
    ...spokenIn(person.language),
    text: `${whereAsked(arrived)}\n${text}`,
  });
  if (posted === "full")
    return await answerOnce(deps, arrived, {
      text: inPrivate.full,
    });
  // Telegram lets no bot write first.
  const hint = known === undefined ? [inPrivate.writeFirst] : [];
  return await answerOnce(deps, arrived, {
    text: [inPrivate.answered, ...hint].join(" "),
  });
}

/** People choose a group's name: no more of it than fits into a line. */
const maxTitleLength = 100;

/** Heads what is read in another chat than the one that it is about. */
function whereAsked({ inbound, chat, words }: Arrived<InboundCommand>): string {
  const { address, chatTitle = "" } = inbound;
  const { askedIn, topic } = words.inPrivate;
  const title = chatTitle.replace(/\s+/g, " ").trim();
  const short =
    title.length > maxTitleLength
      ? `${title.slice(0, maxTitleLength)}…`.toWellFormed()
      : title;
  const parts = [
    `"${short}"`,
    ...(address.thread === undefined ? [] : [topic(address.thread)]),
  ];
  return askedIn(short === "" ? chat : parts.join(", "));
}

async function post(
  deps: AcceptDeps,
  chat: ChatKey,
  entry: OutboxEntry,
): Promise<Ingested> {
  const [ingested] = await Promise.all([
    deps.commandDeps.inbox.post(chat, entry),
    deps.wake.delivery(chat),
  ]);
  return ingested;
}

function notice(
  inbound: Inbound,
  { text, buttons = [] }: CommandAnswer,
  replyTo = inbound.direct ? undefined : inbound.messageId,
): OutboxEntry {
  return {
    kind: "notice",
    v: 1,
    id: `answer-${inbound.id}`,
    ...spokenIn(inbound.person.language),
    text,
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(buttons.length === 0
      ? {}
      : { buttons: buttons.map(({ label, data }) => ({ label, data })) }),
  };
}

const answersItself = (inbound: Inbound): boolean =>
  "answersItself" in inbound && inbound.answersItself;
