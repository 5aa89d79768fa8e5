import type { Access } from "../access/access.ts";
import { describePerson } from "../access/describe-person.ts";
import { notifyDeciders, type NotifyAllAdminsDeps } from "../access/notify-admins.ts";
import { PermanentError } from "../core/errors.ts";
import { spokenIn, type OutboxEntry } from "../core/outbox.ts";
import type { ApprovalStore } from "../store/approvals/approvals.ts";
import type { RelayedCards } from "../store/approvals/relayed-cards.ts";
import { localeFor } from "../locales/locale-for.ts";
import type { Locale } from "../locales/locale.ts";

export interface RelayDeps extends NotifyAllAdminsDeps {
  readonly access: Pick<Access, "admins" | "owners" | "profileOf">;
  readonly approvals: Pick<ApprovalStore, "find">;
  readonly relayedCards: RelayedCards;
}

/**
 * Sends those who may decide a copy of a card whose own chat has none of them, and the copies' outcome later.
 * Part of the delivery of the card's own entry: `asked → relayed → sent`, so a repetition after a
 * crash posts nothing twice. A chat is noted before it gets its copy: no copy stays open for ever.
 */
export async function relayCard(
  deps: RelayDeps,
  entry: OutboxEntry & { readonly kind: "cards" | "cards-outcome" },
): Promise<void> {
  const [first = ""] = entry.approvals;
  const asked = (await deps.approvals.find(first))?.approval;
  const headingIn = ({ cards }: Locale): string =>
    asked === undefined ? "" : cards.asksElsewhere(describePerson(asked.requester));
  // A reply and a language are the own chat's.
  const { replyTo: _, language: __, person: ___, elsewhere: ____, ...shared } = entry;
  if (entry.kind === "cards-outcome") {
    for (const { chat, language } of await deps.relayedCards.list(first))
      await deps.post(chat, {
        ...shared,
        ...spokenIn(language),
        heading: headingIn(localeFor(language, chat)),
      });
    return;
  }
  if (asked === undefined) return;
  const noting: RelayDeps = {
    ...deps,
    async post(chat, copy) {
      await deps.relayedCards.note(first, { chat, language: copy.language });
      await deps.post(chat, copy);
    },
  };
  try {
    await notifyDeciders(noting, asked.approvers, (locale) => ({
      ...shared,
      heading: headingIn(locale),
    }));
  } catch (error) {
    // Redis' own error decides when it is tried again.
    throw error instanceof PermanentError ? (error.cause ?? error) : error;
  }
}
