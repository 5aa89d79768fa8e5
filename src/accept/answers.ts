import { requestPairing } from "../access/pairing.ts";
import { botOf, chatKey, type ChatKey } from "../core/chat.ts";
import type { Acceptance, Inbound, InboundCommand } from "../core/inbound.ts";
import type { OutboxEntry } from "../core/outbox.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";

/** Refusals by access, ban or limit are told once in this time, in ms. */
const refusalWindowMs = 10 * 60_000;

/** Undefined: the person may go on. */
export async function refusalOf(
  deps: AcceptDeps,
  { inbound, chat, role }: Arrived,
): Promise<Acceptance | undefined> {
  if (role === "admin" || role === "member") return undefined;
  const mayTell = await deps.people.mayTell(
    `refused:${chat}:${inbound.person.id}`,
    inbound.id,
    refusalWindowMs,
  );
  if (!mayTell) return { type: "refused" };
  const isPairing =
    role === "stranger" &&
    deps.access.mode === "pairing" &&
    inbound.direct &&
    !inbound.person.anonymous;
  const text = isPairing
    ? await requestPairing(deps.commandDeps.pairing, inbound.person, chat)
    : "You are not allowed to use this bot.";
  if (!answersItself(inbound)) await post(deps, chat, notice(inbound, text));
  return { type: "refused", text };
}

/** Answers without a turn. Where the adapter does not answer by itself, the outbox does, once per event. */
export async function answerOnce(
  deps: AcceptDeps,
  { inbound, chat }: Arrived,
  text: string,
  isPrivate = false,
): Promise<Acceptance> {
  if (answersItself(inbound)) return { type: "answered", text, isPrivate };
  const answered = deps.commandDeps.inbox.answer(
    chat,
    inbound.id,
    notice(inbound, text),
  );
  const [ingested] = await Promise.all([answered, deps.wake.delivery(chat)]);
  return ingested === "duplicate"
    ? { type: "duplicate" }
    : { type: "answered", text, isPrivate };
}

/** What is private goes to the asker's direct chat; without one, only a hint is shown in the group. */
export async function answerInPrivate(
  deps: AcceptDeps,
  arrived: Arrived<InboundCommand>,
  text: string,
): Promise<Acceptance> {
  const { person, address, id } = arrived.inbound;
  const { platform, bot } = address;
  const known = await deps.people.directChat(botOf(arrived.chat), person.id);
  const direct =
    known ??
    (platform === "telegram"
      ? chatKey({ platform, bot, chat: person.id.slice("telegram:".length) })
      : undefined);
  if (direct === undefined || person.anonymous) {
    return await answerOnce(
      deps,
      arrived,
      "That is private: write to me directly and ask there.",
    );
  }
  // Event ids are unique in their own chat only.
  const entryId = `private:${arrived.chat}:${id}`;
  await post(deps, direct, { kind: "notice", v: 1, id: entryId, text });
  // Telegram lets no bot write first.
  const hint =
    known === undefined
      ? " If nothing has come, write to me directly once and ask again."
      : "";
  return await answerOnce(
    deps,
    arrived,
    `I have answered you in private.${hint}`,
  );
}

async function post(
  deps: AcceptDeps,
  chat: ChatKey,
  entry: OutboxEntry,
): Promise<void> {
  await Promise.all([
    deps.commandDeps.inbox.post(chat, entry),
    deps.wake.delivery(chat),
  ]);
}

function notice(inbound: Inbound, text: string): OutboxEntry {
  const replyTo = inbound.direct ? undefined : inbound.messageId;
  return {
    kind: "notice",
    v: 1,
    id: `answer-${inbound.id}`,
    text,
    ...(replyTo === undefined ? {} : { replyTo }),
  };
}

const answersItself = (inbound: Inbound): boolean =>
  inbound.type === "command" && inbound.answersItself;
