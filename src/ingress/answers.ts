import { requestPairing } from "../access/pairing.ts";
import type { CommandAnswer } from "../commands/command.ts";
import { botOf, chatKey, type ChatKey } from "../core/chat.ts";
import type {
  Acceptance,
  Inbound,
  InboundCommand,
  InboundTap,
} from "../core/inbound.ts";
import { spokenIn, type OutboxEntry } from "../core/outbox.ts";
import { isAtLeast } from "../core/roles.ts";
import type { Ingested } from "../store/turns/inbox.ts";
import { unlessOutOfMemory } from "../store/redis/refusals.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";

/** Refusals by access, ban or limit are told once in this time, in ms. */
const refusalWindowMs = 10 * 60_000;
/** What strangers may ask in a group (`/start`, `/whoami`) is answered to each once in this time, in ms. */
const strangerWindowMs = 60_000;
/** People in one group who are told so in that time: what a raid is told must not bury what members are. */
const strangersPerGroup = 5;

/** Undefined: the person may go on. Whoever waits for an answer gets it every time, everybody else once in a while. */
export async function refusalOf(
  deps: AcceptDeps,
  { inbound, chat, role, locale, isSilent }: Arrived,
): Promise<Acceptance | undefined> {
  if (isAtLeast(role, "guest")) return undefined;
  if (isSilent && !answersItself(inbound)) return { type: "ignored" };
  const window = { what: "refused", windowMs: refusalWindowMs };
  const mayNotify =
    answersItself(inbound) ||
    (await isOneOfFew(deps.people, { inbound, chat, ...window }));
  if (!mayNotify) return { type: "refused" };
  const isPairing =
    role === "stranger" &&
    deps.access.mode === "pairing" &&
    inbound.direct &&
    !inbound.person.anonymous;
  const text = isPairing
    ? await requestPairing(deps.commandDeps.pairing, inbound.person, chat)
    : locale.ingress.notAllowed;
  if (!answersItself(inbound))
    await post(deps, chat, { ...notice(inbound, { text }), patient: true });
  return { type: "refused", text };
}

/** In a group no crowd of strangers makes the bot write more than this; alone with it each is answered as they ask. */
export async function mayAnswerStranger(
  { people }: AcceptDeps,
  call: InboundCommand,
  chat: ChatKey,
): Promise<boolean> {
  if (call.direct || call.answersItself) return true;
  const window = { what: "asked", windowMs: strangerWindowMs };
  return await isOneOfFew(people, { inbound: call, chat, ...window });
}

/** Once in a while for each person; of a crowd in a group, for the first few. */
async function isOneOfFew(
  people: AcceptDeps["people"],
  {
    inbound: { id, person, direct },
    chat,
    what,
    windowMs,
  }: {
    readonly inbound: Inbound;
    readonly chat: ChatKey;
    /** Names the window. */
    readonly what: string;
    readonly windowMs: number;
  },
): Promise<boolean> {
  const told = `${what}:${chat}:${person.id}`;
  if (!(await people.mayNotify(told, id, windowMs))) return false;
  if (direct) return true;
  for (let place = 1; place <= strangersPerGroup; place += 1) {
    const taken = `${what}:${chat}#${place}`;
    const by = `${person.id}:${id}`;
    if (await people.mayNotify(taken, by, windowMs)) return true;
  }
  return false;
}

/**
 * Answers without a turn. Where the adapter does not answer by itself, the outbox does, once per event; in a direct chat
 * as a reply only where `replyTo` says so, and in a group after all answers of turns.
 */
export async function answerOnce(
  deps: AcceptDeps,
  { inbound, chat }: Arrived,
  {
    replyTo,
    isPatient,
    ...answer
  }: Omit<CommandAnswer, "atMostOnce"> & { readonly replyTo?: string },
  isPrivate = false,
): Promise<Acceptance> {
  if (answersItself(inbound)) return { type: "answered", ...answer, isPrivate };
  const answered = deps.commandDeps.inbox.answer(chat, inbound.id, {
    ...notice(inbound, answer, replyTo),
    // In a group it would keep others waiting for what the model says to them. A decision counts once: no flood of them.
    ...(isPatient || (!inbound.direct && answer.closes === undefined)
      ? { patient: true }
      : {}),
  });
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
  const isPatient = !isAtLeast(arrived.role, "guest");
  return await answerOnce(deps, arrived, {
    ...(await sendInPrivate(deps, arrived, text)),
    ...(isPatient ? { isPatient: true as const } : {}),
  });
}

/** Sends a text to the person's direct chat. @returns what to say about it where they asked. */
export async function sendInPrivate(
  deps: AcceptDeps,
  arrived: Arrived<InboundCommand | InboundTap>,
  text: string,
): Promise<{ readonly text: string }> {
  const { person, address, id } = arrived.inbound;
  const { inPrivate } = arrived.locale;
  const isPatient = !isAtLeast(arrived.role, "guest");
  const { platform, bot } = address;
  const known = await deps.people.directChat(botOf(arrived.chat), person.id);
  const direct =
    known ??
    (platform === "telegram"
      ? chatKey({ platform, bot, chat: person.id.slice("telegram:".length) })
      : undefined);
  if (direct === undefined || person.anonymous) {
    return { text: inPrivate.askThere };
  }
  // Event ids are unique in their own chat only.
  const entryId = `private:${arrived.chat}:${id}`;
  const posted = await post(deps, direct, {
    kind: "notice",
    v: 1,
    id: entryId,
    ...spokenIn(person.language),
    // Tapped in the direct chat itself, it is already where it belongs.
    text: direct === arrived.chat ? text : `${whereAsked(arrived)}\n${text}`,
    ...(isPatient ? { patient: true } : {}),
  });
  if (posted === "full") return { text: inPrivate.full };
  // Telegram lets no bot write first.
  const hint = known === undefined ? [inPrivate.writeFirst] : [];
  return { text: [inPrivate.answered, ...hint].join(" ") };
}

/** People choose a group's name: no more of it than fits into a line. */
const maxTitleLength = 100;

/** Heads what is read in another chat than the one that it is about. */
function whereAsked({
  inbound,
  chat,
  locale,
}: Arrived<InboundCommand | InboundTap>): string {
  const { address } = inbound;
  const chatTitle = inbound.type === "command" ? (inbound.chatTitle ?? "") : "";
  const { askedIn, topic } = locale.inPrivate;
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

/** Whether somebody has had an answer of this name a moment ago. Whoever waits for an answer gets it every time. */
export async function isLeftOut(
  { people }: AcceptDeps,
  { inbound, chat }: Arrived<InboundCommand>,
  atMostOnce: CommandAnswer["atMostOnce"],
): Promise<boolean> {
  if (atMostOnce === undefined || inbound.answersItself) return false;
  const { name, perMs } = atMostOnce;
  const told = `${name}:${chat}:${inbound.person.id}`;
  const mayNotify = people
    .mayNotify(told, inbound.id, perMs)
    // What the command did is done, and is told rather than not.
    .catch(unlessOutOfMemory(true));
  return !(await mayNotify);
}

function notice(
  inbound: Inbound,
  { text, buttons = [] }: CommandAnswer,
  replyTo = inbound.direct ? undefined : inbound.messageId,
): OutboxEntry & { readonly kind: "notice" } {
  return {
    kind: "notice",
    v: 1,
    id: `answer-${inbound.id}`,
    ...spokenIn(inbound.person.language),
    ...(inbound.direct ? {} : { person: inbound.person.id }),
    text,
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(buttons.length === 0
      ? {}
      : { buttons: buttons.map(({ label, data }) => ({ label, data })) }),
  };
}

const answersItself = (inbound: Inbound): boolean =>
  "answersItself" in inbound && inbound.answersItself;
