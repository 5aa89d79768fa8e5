import { approveAlways } from "../approvals/always-allow.ts";
import { decideAndWake, type AttemptOutcome } from "../approvals/decide-approval.ts";
import { editApproval, editForm } from "../approvals/edit-approval.ts";
import { decidePairing } from "../access/pairing.ts";
import type { DecisionRequest } from "../approvals/pending-for.ts";
import { showHidden } from "../approvals/show-hidden.ts";
import { askForChange } from "./reply-to-change.ts";
import type { Acceptance, InboundTap } from "../core/inbound.ts";
import { isAtLeast } from "../core/roles.ts";
import { sendInPrivate } from "./answers.ts";
import { auditDenied } from "./check-access.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import type { Outcome } from "./outcome.ts";

type ArrivedTap = Arrived<InboundTap>;

/**
 * Approve, deny, the same for all calls of the card, show hidden values, edit, and always allow.
 */
const cardButtons = new Set(["a", "d", "aa", "da", "v", "e", "al"]);

/** A tap on a card's button: decides at once; the card is updated through the outbox. */
export async function tapCard(deps: AcceptDeps, arrived: ArrivedTap): Promise<Outcome | undefined> {
  const { inbound, chat } = arrived;
  const { kind, id: approvalId } = buttonOf(inbound.data);
  if (!cardButtons.has(kind)) return undefined;
  const tooMany = kind === "v" ? arrived.pace.refusalOf(arrived) : undefined;
  if (tooMany) return tooMany;
  const { id: eventId, person, messageId, notAfterMs } = inbound;
  const tapped = { eventId, person, chat, messageId, notAfterMs };
  const attempt = { approvalId, ...tapped, role: await arrived.chatRole() };
  switch (kind) {
    case "v":
      return await showValues(deps, arrived, attempt);
    case "e":
      return await editArguments(deps, arrived, attempt);
    case "al":
      return allowed(await approveAlways(deps, attempt, { scope: "same" }));
    default: {
      const status = kind.startsWith("a") ? "approved" : "denied";
      const which = kind.length === 1 ? "one" : "all";
      const decided = await decideAndWake(deps, { ...attempt, status }, which);
      return outcomeOf(decided);
    }
  }
}

/** A tap on a pairing card. */
export async function tapPairing(
  deps: AcceptDeps,
  arrived: ArrivedTap,
): Promise<Outcome | undefined> {
  const { inbound, chat, role, locale } = arrived;
  const { kind, id } = buttonOf(inbound.data);
  if (kind !== "pa" && kind !== "pd") return undefined;
  if (!isAtLeast(role, "admin")) {
    await auditDenied(deps, arrived, `button ${kind}`);
    return { type: "refused", text: locale.pairing.adminsDecide };
  }
  const text = await decidePairing(deps.pairing, {
    code: id,
    allow: kind === "pa",
    eventId: inbound.id,
    admin: inbound.person,
    chat,
    locale,
  });
  return shown(text);
}

export const refuseOldButton = (_: AcceptDeps, { locale }: ArrivedTap): Outcome => ({
  type: "refused",
  text: locale.ingress.tapTooOld,
});

/** To the person alone. */
const shown = (text: string): Acceptance & { readonly type: "answered" } => ({
  type: "answered",
  text,
  isPrivate: true,
});

/** For how long it holds is not on the card. */
const allowed = (outcome: AttemptOutcome): Acceptance =>
  outcome.type === "refused" ? outcomeOf(outcome) : shown(outcome.text);

function outcomeOf(outcome: AttemptOutcome): Acceptance {
  if (outcome.type !== "refused") return { ...shown(outcome.text), isOnCard: true };
  const { text, isStale } = outcome;
  return { type: "refused", text, ...(isStale ? { isStale } : {}) };
}

/**
 * Discord answers a tap to its person alone; Telegram has room for 200 characters, so the values go
 * to their direct chat.
 */
async function showValues(
  deps: AcceptDeps,
  arrived: ArrivedTap,
  attempt: DecisionRequest,
): Promise<Outcome> {
  const outcome = await showHidden(deps, attempt, "all");
  if (outcome.type === "refused") return outcomeOf(outcome);
  const isShort = arrived.inbound.address.platform === "telegram";
  const { text } = outcome;
  return shown(isShort ? await sendInPrivate(deps, arrived, text) : text);
}

/**
 * The first tap opens a form, or asks for a reply where there are none; the submitted form or the
 * reply changes the pending call.
 */
async function editArguments(
  deps: AcceptDeps,
  arrived: ArrivedTap,
  attempt: DecisionRequest,
): Promise<Outcome> {
  const { filled, address } = arrived.inbound;
  if (address.platform === "telegram") return await askForChange(deps, arrived, attempt);
  if (filled !== undefined)
    return outcomeOf(await editApproval(deps, attempt, { type: "form", filled }));
  const opened = await editForm(deps, attempt);
  return opened.type === "form" ? { ...opened, text: arrived.locale.edits.how } : outcomeOf(opened);
}

/** Of `<kind>:<id>`; empty where the data have another form. */
export function buttonOf(data: string): { kind: string; id: string } {
  const [, kind = "", id = ""] = /^([^:]*):(.*)$/s.exec(data) ?? [];
  return { kind, id };
}
