import type { Access } from "../access/access.ts";
import { describePerson } from "../access/describe-person.ts";
import { notifyDeciders, type NotifyAllAdminsDeps } from "../access/notify-admins.ts";
import { unreached, type Approval } from "../core/approval.ts";
import type { ChatKey } from "../core/chat.ts";
import { PermanentError } from "../core/errors.ts";
import { cardEntryId, spokenIn, type OutboxEntry } from "../core/outbox.ts";
import type { ApprovalStore } from "../store/approvals/approvals.ts";
import type { RelayedCards } from "../store/approvals/relayed-cards.ts";
import { localeFor } from "../locales/locale-for.ts";
import type { Locale } from "../locales/locale.ts";

type CardEntry = OutboxEntry & { readonly kind: "cards" | "cards-outcome" };

export interface RelayDeps extends NotifyAllAdminsDeps {
  readonly access: Pick<Access, "admins" | "owners" | "profileOf">;
  readonly approvals: Pick<ApprovalStore, "find">;
  readonly relayedCards: RelayedCards;
  /** Denies it before its time, and wakes its chat. */
  readonly expire: (approvalId: string, reason: typeof unreached) => Promise<void>;
}

/**
 * Sends those who may decide a copy of a card whose own chat has none of them, and the copies' outcome later.
 * Part of the delivery of the card's own entry: `asked → relayed → sent`, so a repetition after a
 * crash posts nothing twice. A chat is noted before it gets its copy: no copy stays open for ever.
 * A card that no one can get a copy of isn't waited for.
 */
export async function relayCard(deps: RelayDeps, entry: CardEntry): Promise<void> {
  const [first = ""] = entry.approvals;
  const asked = (await deps.approvals.find(first))?.approval;
  if (entry.kind === "cards-outcome") await relayOutcome(deps, entry, asked);
  else if (asked !== undefined) await relayQuestion(deps, entry, asked);
}

/** A reply and a language are the own chat's. */
function sharedOf<Entry extends CardEntry>(entry: Entry) {
  const { replyTo: _, language: __, person: ___, elsewhere: ____, ...shared } = entry;
  return shared;
}

const headingIn = (asked: Approval, { cards }: Locale): string =>
  cards.asksElsewhere(describePerson(asked.requester));

async function relayOutcome(
  { post, relayedCards }: Pick<RelayDeps, "post" | "relayedCards">,
  entry: OutboxEntry & { readonly kind: "cards-outcome" },
  asked: Approval | undefined,
): Promise<void> {
  const [first = ""] = entry.approvals;
  for (const { chat, language } of await relayedCards.list(first))
    await post(chat, {
      ...sharedOf(entry),
      ...spokenIn(language),
      heading: asked === undefined ? "" : headingIn(asked, localeFor(language, chat)),
    });
}

async function relayQuestion(
  deps: RelayDeps,
  entry: OutboxEntry & { readonly kind: "cards" },
  asked: Approval,
): Promise<void> {
  const { relayedCards } = deps;
  const noting: RelayDeps = {
    ...deps,
    async post(chat, copy) {
      await relayedCards.note(asked.id, chat, copy.language);
      await deps.post(chat, copy);
    },
  };
  await relayedCards.open(asked.id, asked.expiresAtMs - (asked.askedAtMs ?? 0));
  try {
    await notifyDeciders(noting, asked.approvers, (locale) => ({
      ...sharedOf(entry),
      heading: headingIn(asked, locale),
    }));
  } catch (error) {
    // Redis' own error decides when it is tried again.
    throw error instanceof PermanentError ? (error.cause ?? error) : error;
  }
  if (await relayedCards.opened(asked.id)) await closeAll(deps, entry);
}

/** A copy could not be sent: without any other the call is not waited for. */
export async function noteLostCopy(
  deps: Pick<RelayDeps, "expire" | "relayedCards">,
  chat: ChatKey,
  entry: OutboxEntry,
): Promise<void> {
  if (entry.kind !== "cards" || entry.heading === undefined) return;
  const [first = ""] = entry.approvals;
  if (await deps.relayedCards.refused(first, chat)) await closeAll(deps, entry);
}

async function closeAll(
  { expire }: Pick<RelayDeps, "expire">,
  { approvals }: CardEntry,
): Promise<void> {
  for (const id of approvals) await expire(id, unreached);
}

/** Takes the words of erased calls away from the copies of their cards. Can be repeated. */
export async function eraseCopies({
  approvals,
  relayedCards,
  post,
}: Pick<RelayDeps, "approvals" | "relayedCards" | "post">): Promise<void> {
  for await (const id of relayedCards.all()) {
    if ((await approvals.find(id)) !== undefined) continue;
    const entry: OutboxEntry & { readonly kind: "cards-outcome" } = {
      kind: "cards-outcome",
      v: 2,
      id: `erased-${id}`,
      of: cardEntryId(id),
      approvals: [id],
    };
    await relayOutcome({ post, relayedCards }, entry, undefined);
    await relayedCards.forgetSoon(id);
  }
}
