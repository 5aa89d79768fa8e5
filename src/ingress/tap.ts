import { approveAlways } from "../approvals/always-allow.ts";
import {
  decideAndWake,
  type AttemptOutcome,
} from "../approvals/decide-approval.ts";
import { editApproval, editForm } from "../approvals/edit-approval.ts";
import { decidePairing } from "../access/pairing.ts";
import type { DecisionRequest } from "../approvals/pending-for.ts";
import { showHidden } from "../approvals/show-hidden.ts";
import type { Acceptance, InboundTap } from "../core/inbound.ts";
import { isAtLeast } from "../core/roles.ts";
import { sendInPrivate } from "./answers.ts";
import { auditDenied } from "./check-access.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import type { Outcome } from "./outcome.ts";

type ArrivedTap = Arrived<InboundTap>;

/** A tap on a card's button: decides here and now, the rest follows through the outbox. */
export async function tapCard(
  deps: AcceptDeps,
  arrived: ArrivedTap,
): Promise<Outcome | undefined> {
  const { kind, id } = buttonOf(arrived.inbound.data);
  switch (kind) {
    case "a":
    case "d":
    case "aa":
    case "da": {
      const attempt = await attemptOf(arrived, id);
      const status = kind.startsWith("a") ? "approved" : "denied";
      const which = kind.length === 1 ? "one" : "all";
      return outcomeOf(
        await decideAndWake(deps, { ...attempt, status }, which),
      );
    }
    case "v":
      return await showValues(deps, arrived, id);
    case "e":
      return await editArguments(deps, arrived, id);
    case "al": {
      const attempt = await attemptOf(arrived, id);
      return outcomeOf(await approveAlways(deps, attempt, { scope: "same" }));
    }
    default:
      return undefined;
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

export const refuseOldButton = (
  _: AcceptDeps,
  { locale }: ArrivedTap,
): Outcome => ({ type: "refused", text: locale.ingress.tapTooOld });

async function attemptOf(
  { inbound, chat, chatRole }: ArrivedTap,
  approvalId: string,
): Promise<DecisionRequest> {
  const { id: eventId, person, messageId, notAfterMs } = inbound;
  const role = await chatRole();
  return { approvalId, eventId, person, role, chat, messageId, notAfterMs };
}

/** To the person alone. */
const shown = (text: string): Acceptance => ({
  type: "answered",
  text,
  isPrivate: true,
});

function outcomeOf(outcome: AttemptOutcome): Acceptance {
  if (outcome.type !== "refused") return shown(outcome.text);
  const { text, isStale } = outcome;
  return { type: "refused", text, ...(isStale ? { isStale } : {}) };
}

/** Discord answers a tap to its person alone; Telegram has room for 200 characters, so the values go to their direct chat. */
async function showValues(
  deps: AcceptDeps,
  arrived: ArrivedTap,
  approvalId: string,
): Promise<Outcome> {
  const tooMany = arrived.pace.refusalOf(arrived);
  if (tooMany) return tooMany;
  const attempt = await attemptOf(arrived, approvalId);
  const outcome = await showHidden(deps, attempt, "all");
  if (outcome.type === "refused") return outcomeOf(outcome);
  const isShort = arrived.inbound.address.platform === "telegram";
  const { text } = outcome;
  return shown(isShort ? await sendInPrivate(deps, arrived, text) : text);
}

/** The first tap opens a form; the one that brings it back changes what waits. */
async function editArguments(
  deps: AcceptDeps,
  arrived: ArrivedTap,
  approvalId: string,
): Promise<Outcome> {
  const { filled } = arrived.inbound;
  const attempt = await attemptOf(arrived, approvalId);
  if (filled !== undefined)
    return outcomeOf(
      await editApproval(deps, attempt, { type: "form", filled }),
    );
  const opened = await editForm(deps, attempt);
  return opened.type === "form"
    ? { ...opened, text: arrived.locale.edits.how }
    : outcomeOf(opened);
}

/** `<kind>:<id>`; neither where it has another form. */
function buttonOf(data: string): {
  readonly kind: string;
  readonly id: string;
} {
  const at = data.indexOf(":");
  return at < 0
    ? { kind: "", id: "" }
    : { kind: data.slice(0, at), id: data.slice(at + 1) };
}
