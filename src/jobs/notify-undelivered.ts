import { describePerson } from "../access/describe-person.ts";
import { notifyOwners } from "../access/notify-admins.ts";
import { chatName } from "../access/place-name.ts";
import { decisionNote, writeNotes } from "../approvals/audit-approval.ts";
import { noteLostCopy } from "../approvals/relay-card.ts";
import { parseChatKey, platformNames, type ChatKey } from "../core/chat.ts";
import { outcomeEntry, spokenIn, type OutboxEntry } from "../core/outbox.ts";
import type { Undelivered } from "../delivery/deps.ts";
import { localeFor } from "../locales/locale-for.ts";
import type { Services } from "../services.ts";
import { unlessOutOfMemory } from "../store/redis/refusals.ts";
import { noticeId } from "./notice-id.ts";
import { privateChatOf, type PrivateChatDeps } from "./private-chat.ts";

/** One line per person and chat in this time, however many messages are refused. Milliseconds. */
const windowMs = 3_600_000;

export type UndeliveredDeps = PrivateChatDeps &
  Pick<
    Services,
    "access" | "approvals" | "audit" | "expire" | "post" | "relayedCards" | "schedules" | "waker"
  >;

/**
 * After an entry became a dead letter, which operators see: its person is told in their direct chat
 * with the bot, if they have one; and the turn whose question could not be asked goes on.
 */
export const notifyUndelivered =
  (services: UndeliveredDeps) =>
  async (undelivered: Undelivered): Promise<void> => {
    const { chat, closed, entry, isDoubtful } = undelivered;
    await Promise.all([
      ...(entry === undefined || isDoubtful ? [] : [noteLostCopy(services, chat, entry)]),
      ...(closed.length > 0
        ? [noteClosed(services, chat, closed), services.waker.wake("turn", chat)]
        : []),
      notifyPerson(services, undelivered),
    ]);
  };

async function noteClosed(
  { approvals, audit, post }: UndeliveredDeps,
  chat: ChatKey,
  closed: readonly string[],
): Promise<void> {
  const views = await Promise.all(closed.map((id) => approvals.find(id)));
  const found = views.flatMap((view) => (view ? [view.approval] : []));
  await writeNotes(
    audit,
    found.map((approval) => decisionNote(approval, "expired", undefined)),
  );
  // Those who decide elsewhere have been asked before: their copies show that it is over.
  for (const approval of found)
    if (approval.elsewhere)
      await post(chat, outcomeEntry(approval, { id: `decided-${approval.id}`, text: "" }));
}

/** An entry that someone may be told of. */
interface Lost {
  readonly chat: ChatKey;
  readonly entry: OutboxEntry;
  readonly why: Undelivered["reason"];
  /** The id of the person that it was for. */
  readonly personId: string;
  /** The schedule that brought it is over: nothing else tells its author. */
  readonly isLast: boolean;
}

async function notifyPerson(
  services: UndeliveredDeps,
  { chat, entry, isDoubtful, reason: why }: Undelivered,
): Promise<void> {
  if (entry === undefined || isDoubtful || !isForPerson(entry)) return;
  const { author, slot } = scheduledBy(entry);
  const personId = author ?? entry.person;
  if (personId === undefined) return;
  const [id = ""] = slot?.split(":") ?? [];
  const schedule = author === undefined ? undefined : await services.schedules.read(chat, id);
  // The schedules of a dead chat rest, and their authors hear it from there, see `restSchedules`.
  const isActive = schedule?.nextMs !== undefined || schedule?.pausedWhy === "dead";
  if (isActive && (await services.deadChats.since(chat)) !== undefined) return;
  const isLast = author !== undefined && schedule === undefined;
  const lost: Lost = { chat, entry, why, personId, isLast };
  const own = await privateChatOf(services, chat, personId);
  if (own !== undefined) await notifyIn(services, own, lost);
  else if (isLast) await notifyOwnersOf(services, lost, id);
}

async function notifyIn(services: UndeliveredDeps, own: ChatKey, lost: Lost): Promise<void> {
  const { chat, entry, why = "other", personId, isLast } = lost;
  const { people, post } = services;
  const isFirst = isLast
    ? true
    : await people
        .mayNotify(`undelivered:${personId}:${chat}`, entry.id, windowMs)
        .catch(unlessOutOfMemory(false));
  if (!isFirst) return;
  const { delivery } = localeFor(entry.language, own);
  const place = await placeIn(services, lost, delivery.elsewhere);
  const isReminder = entry.kind === "notice" && entry.author !== undefined;
  await post(own, {
    kind: "notice",
    v: 1,
    id: noticeId("undelivered", entry.id, chat),
    ...spokenIn(entry.language),
    text: isReminder
      ? `${delivery.notPosted(place, delivery.why[why])}\n\n${entry.text}`
      : delivery.undelivered(place, delivery.why[why]),
  });
}

/** Never what it says: that is between the bot and its person. */
async function notifyOwnersOf(services: UndeliveredDeps, lost: Lost, id: string): Promise<void> {
  const { chat, entry, why = "other", personId } = lost;
  const known = await services.people.knownPerson(personId);
  const name = describePerson(known ?? { id: personId, name: personId });
  await notifyOwners(services, ({ schedules: { dead }, delivery }, owner) =>
    owner.chat === chat
      ? undefined
      : {
          kind: "notice",
          v: 1,
          id: noticeId("undelivered", entry.id, chat),
          text: dead.lost(name, id, delivery.why[why]),
        },
  );
}

/** Not an update of what was sent. */
const isForPerson = ({ kind }: OutboxEntry): boolean =>
  kind !== "resolution" && kind !== "cards-outcome";

const scheduledBy = (
  entry: OutboxEntry,
): Pick<OutboxEntry & { readonly kind: "notice" }, "author" | "slot"> =>
  entry.kind === "notice" || entry.kind === "message" ? entry : {};

async function placeIn(
  { people }: UndeliveredDeps,
  { chat, entry }: Lost,
  otherwise: string,
): Promise<string> {
  const { platform } = parseChatKey(chat);
  // Of a private chat.
  if (entry.person === undefined && platform !== "console") return platformNames[platform];
  const name = await chatName(people, chat);
  return name === chat ? otherwise : name;
}
