import type { Access } from "../access/access.ts";
import { describePerson } from "../access/describe-person.ts";
import { notifyDeciders, type NotifyAllAdminsDeps } from "../access/notify-admins.ts";
import type { AuditLog } from "../core/audit.ts";
import { chatKey, parseChatKey, type ChatKey } from "../core/chat.ts";
import { PermanentError } from "../core/errors.ts";
import { spokenIn, type OutboxEntry } from "../core/outbox.ts";
import type { ApprovalStore } from "../store/approvals/approvals.ts";
import type { RelayedCards } from "../store/approvals/relayed-cards.ts";
import type { Store } from "../store/redis/redis.ts";
import { abandonedEntries } from "../store/turns/dead-letters.ts";
import { localeFor } from "../locales/locale-for.ts";
import type { Locale } from "../locales/locale.ts";
import { expireApproval } from "./expire-approval.ts";

export interface RelayDeps extends NotifyAllAdminsDeps, CloseDeps {
  readonly access: Pick<Access, "admins" | "owners" | "profileOf">;
  readonly relayedCards: RelayedCards;
}

interface CloseDeps {
  readonly approvals: ApprovalStore;
  readonly audit: AuditLog;
  readonly waker: { wake(kind: "turn" | "delivery", chat: ChatKey): Promise<void> };
}

/**
 * Sends those who may decide a copy of a card whose own chat has none of them, and the copies' outcome later.
 * Part of the delivery of the card's own entry: `asked → relayed → sent`, so a repetition after a
 * crash posts nothing twice. All chats are noted before one gets its copy: no copy stays open for ever,
 * and a copy that is refused knows of the others.
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
  const copies = new Map<ChatKey, OutboxEntry>();
  const collecting = {
    ...deps,
    post: async (chat: ChatKey, copy: OutboxEntry) => void copies.set(chat, copy),
  };
  try {
    await notifyDeciders(collecting, asked.approvers, (locale) => ({
      ...shared,
      heading: headingIn(locale),
    }));
  } catch (error) {
    // Redis' own error decides when it is tried again.
    throw error instanceof PermanentError ? (error.cause ?? error) : error;
  }
  for (const [chat, { language }] of copies)
    await deps.relayedCards.note(first, { chat, language });
  if (copies.size === 0) await closeUnreached(deps, entry.approvals);
  for (const [chat, copy] of copies) await deps.post(chat, copy);
}

/** A copy became a dead letter: if none of the others can have arrived, no one can decide. */
export async function closeIfUnreached(
  deps: CloseDeps & Pick<RelayDeps, "relayedCards"> & { readonly store: Pick<Store, "redis"> },
  copy: OutboxEntry & { readonly kind: "cards" },
): Promise<void> {
  const [first = ""] = copy.approvals;
  for (const { chat } of await deps.relayedCards.list(first)) {
    const abandoned = await abandonedEntries(deps.store, chat);
    if (!abandoned.some(({ of, isDoubtful }) => of === copy.id && !isDoubtful)) return;
  }
  await closeUnreached(deps, copy.approvals);
}

async function closeUnreached(deps: CloseDeps, approvals: readonly string[]): Promise<void> {
  for (const id of approvals) {
    const closed = await expireApproval(deps, id, { isUnreached: true });
    if (closed === undefined) continue;
    const chat = chatKey(parseChatKey(closed.chat));
    await Promise.all([deps.waker.wake("turn", chat), deps.waker.wake("delivery", chat)]);
  }
}
