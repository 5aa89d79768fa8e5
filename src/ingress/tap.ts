import { chatKey, parseChatKey } from "../core/chat.ts";
import { approveAlways } from "../approvals/always-allow.ts";
import { decideAndWake, type AttemptOutcome } from "../approvals/decide-approval.ts";
import { callsToEdit, editApproval, editForm } from "../approvals/edit-approval.ts";
import { decidePairing } from "../access/pairing.ts";
import { decideSkill } from "../approvals/skill-review.ts";
import { shortApprovalId } from "../core/approval.ts";
import type { DecisionRequest } from "../approvals/pending-for.ts";
import { showHidden } from "../approvals/show-hidden.ts";
import { askForChange } from "./reply-to-change.ts";
import { displayedId } from "../core/approval.ts";
import type { Acceptance, InboundTap } from "../core/inbound.ts";
import { editData } from "../core/outbox.ts";
import { isAtLeast } from "../core/roles.ts";
import { visible } from "../text/visible-text.ts";
import { sendInPrivate } from "./answers.ts";
import { auditDenied } from "./check-access.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import type { Outcome } from "./outcome.ts";

type ArrivedTap = Arrived<InboundTap>;

/**
 * Approve, deny, the same for all calls of the card, show hidden values, edit, and always allow.
 */
const cardButtons = new Set(["a", "d", "aa", "da", "v", "e", "es", "al"]);

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
      // Also below a choice of calls, which is another message.
      return await editArguments(deps, arrived, { ...attempt, messageId: undefined });
    case "es":
      return await chooseCall(deps, arrived, attempt);
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
  const { text } = await decidePairing(deps.pairing, {
    code: id,
    allow: kind === "pa",
    eventId: inbound.id,
    admin: inbound.person,
    chat,
    locale,
  });
  return shown(text);
}

/** A tap below a review of a skill. */
export async function tapSkill(
  deps: AcceptDeps,
  arrived: ArrivedTap,
): Promise<Outcome | undefined> {
  const { inbound, chat, role, locale } = arrived;
  const { kind, id: version } = buttonOf(inbound.data);
  if (kind !== "ka" && kind !== "kd") return undefined;
  const { person, notAfterMs = Infinity } = inbound;
  if (deps.now() > notAfterMs) return { type: "refused", text: locale.ingress.tapTooLate };
  if (!isAtLeast(role, "admin")) await auditDenied(deps, arrived, `button ${kind}`);
  const decision = kind === "ka" ? "approved" : "denied";
  const [of = "", code = shortApprovalId(of)] = version.split(":");
  return await decideSkill(deps, { version: of, kind: decision, code, person, role, chat, locale });
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

function outcomeOf(outcome: AttemptOutcome | Awaited<ReturnType<typeof editForm>>): Acceptance {
  if (outcome.type === "form") return outcome;
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
  return outcomeOf(await editForm(deps, attempt));
}

/** Which call of several to change: buttons for each, or in a terminal a form for its number. */
async function chooseCall(
  deps: AcceptDeps,
  arrived: Arrived<InboundTap>,
  attempt: DecisionRequest,
): Promise<Outcome> {
  const tooMany = arrived.pace.refusalOf(arrived);
  if (tooMany) return tooMany;
  const found = await callsToEdit(deps, attempt);
  if (found.type === "refused") return outcomeOf(found);
  const { edits } = arrived.locale;
  const { address, data, filled, messageId } = arrived.inbound;
  const calls = new Map(found.calls.map((call) => [displayedId(call).replace(/^.*\./, ""), call]));
  const buttons = [...calls].map(([number, call]) => ({
    label: `✎ ${number} ${visible(call.title ?? call.tool)}`,
    data: editData(call.id),
    typed: `/edit ${displayedId(call)} ${edits.change}`,
  }));
  const text = edits.whichOne;
  if (address.platform === "telegram") {
    // A tap on an inaccessible message doesn't contain the topic; the approval does.
    const chat = chatKey(parseChatKey(found.calls[0]?.chat ?? arrived.chat));
    return { type: "reply", text, buttons, replyTo: messageId, chat };
  }
  if (address.platform === "discord") return { ...shown(text), buttons };
  const chosen = calls.get(filled?.["call"]?.trim() ?? "");
  if (chosen) return outcomeOf(await editForm(deps, { ...attempt, approvalId: chosen.id }));
  const label = `${text} [${[...calls.keys()].join("/")}]`;
  const fields = [{ id: "call", label, value: "", long: false }];
  const typed = [text, ...buttons.map((button) => button.typed)].join("\n");
  return { type: "form", form: { data, title: edits.title, fields }, text: typed };
}

/** Of `<kind>:<id>`; empty where the data have another form. */
export function buttonOf(data: string): { kind: string; id: string } {
  const [, kind = "", id = ""] = /^([^:]*):(.*)$/s.exec(data) ?? [];
  return { kind, id };
}
