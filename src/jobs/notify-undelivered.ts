import { chatName } from "../access/place-name.ts";
import { decisionNote, writeNotes } from "../approvals/audit-approval.ts";
import { noteLostCopy } from "../approvals/relay-card.ts";
import type { ChatKey } from "../core/chat.ts";
import { outcomeEntry, spokenIn, type OutboxEntry } from "../core/outbox.ts";
import type { Undelivered } from "../delivery/deps.ts";
import { localeFor } from "../locales/locale-for.ts";
import type { Services } from "../services.ts";
import { privateChatOf, type PrivateChatDeps } from "./private-chat.ts";
import { unlessOutOfMemory } from "../store/redis/refusals.ts";

/** One line per person and chat in this time, however many messages are refused. Milliseconds. */
const windowMs = 3_600_000;

type Deps = PrivateChatDeps &
  Pick<Services, "approvals" | "audit" | "expire" | "post" | "relayedCards" | "waker">;

/**
 * After an entry became a dead letter, which operators see: its person is told in their direct chat
 * with the bot, if they have one; and the turn whose question could not be asked goes on.
 */
export const notifyUndelivered =
  (services: Deps) =>
  async (undelivered: Undelivered): Promise<void> => {
    const { chat, closed, entry, isDoubtful } = undelivered;
    await Promise.all([
      ...(entry === undefined || isDoubtful ? [] : [noteLostCopy(services, chat, entry)]),
      ...(closed.length > 0
        ? [noteClosed(services, chat, closed), services.waker.wake("turn", chat)]
        : []),
      tellPerson(services, undelivered),
    ]);
  };

async function noteClosed(
  { approvals, audit, post }: Deps,
  chat: ChatKey,
  closed: readonly string[],
): Promise<void> {
  const views = await Promise.all(closed.map((id) => approvals.find(id)));
  const notes = views.flatMap((view) =>
    view ? [decisionNote(view.approval, "expired", undefined)] : [],
  );
  await writeNotes(audit, notes);
  // Those who decide elsewhere have been asked before: their copies show that it is over.
  for (const view of views)
    if (view?.approval.elsewhere)
      await post(
        chat,
        outcomeEntry(view.approval, { id: `decided-${view.approval.id}`, text: "" }),
      );
}

async function tellPerson(
  services: Deps,
  { chat, entry, isDoubtful, reason }: Undelivered,
): Promise<void> {
  if (entry?.person === undefined || isDoubtful || !isForPerson(entry)) return;
  const { people, post } = services;
  const direct = await privateChatOf(services, chat, entry.person);
  if (direct === undefined) return;
  const isFirst = people
    .mayNotify(`undelivered:${entry.person}:${chat}`, entry.id, windowMs)
    .catch(unlessOutOfMemory(false));
  if (!(await isFirst)) return;
  const { delivery } = localeFor(entry.language, direct);
  await post(direct, {
    kind: "notice",
    v: 1,
    id: `undelivered-${entry.id}`,
    ...spokenIn(entry.language),
    text: delivery.undelivered(
      await placeIn(people, chat, delivery.elsewhere),
      delivery.why[reason ?? "other"],
    ),
  });
}

/** Not an update of what was sent. */
const isForPerson = ({ kind }: OutboxEntry): boolean =>
  kind !== "resolution" && kind !== "cards-outcome";

async function placeIn(people: Deps["people"], chat: ChatKey, otherwise: string): Promise<string> {
  const name = await chatName(people, chat);
  return name === chat ? otherwise : name;
}
