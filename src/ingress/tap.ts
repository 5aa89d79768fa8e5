import { approveAlways } from "../approvals/always-allow.ts";
import {
  decideAndWake,
  type AttemptOutcome,
} from "../approvals/decide-approval.ts";
import { editApproval, editForm } from "../approvals/edit-approval.ts";
import { applyBroadcast, isBroadcast } from "../commands/broadcast.ts";
import { applyForget, isForget } from "../commands/forget.ts";
import { applyPick, isPick } from "../commands/picker.ts";
import { decidePairing } from "../access/pairing.ts";
import type { DecisionRequest } from "../approvals/pending-for.ts";
import { showHidden } from "../approvals/show-hidden.ts";
import type { Acceptance, InboundTap } from "../core/inbound.ts";
import { isAtLeast } from "../core/roles.ts";
import { sendInPrivate } from "./answers.ts";
import { auditDenied } from "./denied.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import { acceptSample } from "./sample.ts";

/** A tap on a button: decides here and now, the rest follows through the outbox. */
export async function acceptTap(
  deps: AcceptDeps,
  arrived: Arrived<InboundTap>,
): Promise<Acceptance> {
  const { inbound: tap, chat, role } = arrived;
  if (isPick(tap.data) || isForget(tap.data) || isBroadcast(tap.data))
    return await acceptChoice(deps, arrived);
  const [kind, id] = splitData(tap.data);
  switch (kind) {
    case "a":
    case "d":
    case "aa":
    case "da": {
      const outcome = await decideAndWake(
        deps.commandDeps,
        {
          ...(await attemptOf(arrived, id)),
          status: kind.startsWith("a") ? "approved" : "denied",
        },
        kind.length === 1 ? "one" : "all",
      );
      return acceptanceOf(outcome);
    }
    case "v":
      return await acceptShowing(deps, arrived, id);
    case "e":
      return await acceptEditing(deps, arrived, id);
    case "al": {
      const attempt = await attemptOf(arrived, id);
      const request = { scope: "same" } as const;
      return acceptanceOf(
        await approveAlways(deps.commandDeps, attempt, request),
      );
    }
    case "pa":
    case "pd": {
      if (!isAtLeast(role, "admin")) {
        await auditDenied(deps, arrived, `button ${kind}`);
        return {
          type: "refused",
          text: arrived.locale.pairing.adminsDecide,
        };
      }
      const text = await decidePairing(deps.commandDeps.pairing, {
        code: id,
        allow: kind === "pa",
        eventId: tap.id,
        admin: tap.person,
        chat,
        locale: arrived.locale,
      });
      return { type: "answered", text, isPrivate: true };
    }
    case "s":
      return await acceptChoice(deps, arrived);
    default:
      return tooOldIn(arrived);
  }
}

async function attemptOf(
  { inbound, chat, chatRole }: Arrived<InboundTap>,
  approvalId: string,
): Promise<DecisionRequest> {
  const { id: eventId, person, messageId, notAfterMs } = inbound;
  const role = await chatRole();
  return { approvalId, eventId, person, role, chat, messageId, notAfterMs };
}

function acceptanceOf(outcome: AttemptOutcome): Acceptance {
  if (outcome.type !== "refused")
    return { type: "answered", text: outcome.text, isPrivate: true };
  const { text, isStale } = outcome;
  return { type: "refused", text, ...(isStale ? { isStale } : {}) };
}

/** Discord answers a tap to its person alone; Telegram has room for 200 characters, so the values go to their direct chat. */
async function acceptShowing(
  deps: AcceptDeps,
  arrived: Arrived<InboundTap>,
  approvalId: string,
): Promise<Acceptance> {
  const tooMany = await arrived.pace.refusalOf(arrived);
  if (tooMany) return tooMany;
  const attempt = await attemptOf(arrived, approvalId);
  const outcome = await showHidden(deps.commandDeps, attempt, "all");
  if (outcome.type === "refused") return acceptanceOf(outcome);
  const text =
    arrived.inbound.address.platform === "telegram"
      ? (await sendInPrivate(deps, arrived, outcome.text)).text
      : outcome.text;
  return { type: "answered", text, isPrivate: true };
}

/** The first tap opens a form; the one that brings it back changes what waits. */
async function acceptEditing(
  { commandDeps }: AcceptDeps,
  arrived: Arrived<InboundTap>,
  approvalId: string,
): Promise<Acceptance> {
  const { inbound, locale } = arrived;
  const { filled } = inbound;
  const attempt = await attemptOf(arrived, approvalId);
  if (filled !== undefined)
    return acceptanceOf(
      await editApproval(commandDeps, attempt, { type: "form", filled }),
    );
  const opened = await editForm(commandDeps, attempt);
  return opened.type === "form"
    ? { ...opened, text: locale.edits.how }
    : acceptanceOf(opened);
}

const tooOldIn = ({ locale }: Arrived): Acceptance => ({
  type: "refused",
  text: locale.ingress.tapTooOld,
});

/**
 * A tap below `/tier`, `/model`, `/forget` or `/start`: whoever may talk to the bot chooses for themselves, whose picker it
 * ever was; an erasure is confirmed by whoever asked for it.
 */
async function acceptChoice(
  deps: AcceptDeps,
  arrived: Arrived<InboundTap>,
): Promise<Acceptance> {
  const { commandDeps } = deps;
  const { inbound: tap, chat, role, preference, locale } = arrived;
  // A guest's questions are answered; how, they don't choose.
  const needed = isPick(tap.data) ? "member" : "guest";
  if (!isAtLeast(role, needed) && !isAtLeast(await arrived.chatRole(), needed))
    return { type: "refused", text: locale.ingress.notAllowed };
  const { person, direct, notAfterMs = Infinity } = tap;
  // They were told to tap again, and may have changed their mind.
  if (commandDeps.now() > notAfterMs)
    return { type: "refused", text: locale.ingress.tapTooLate };
  const sample = await acceptSample(deps, arrived);
  if (sample !== undefined) return sample;
  const tooMany = await arrived.pace.refusalOf(arrived);
  if (tooMany) return tooMany;
  const chatRole = await arrived.chatRole();
  const chooser = { person, chat, direct, role, chatRole, preference, locale };
  if (isBroadcast(tap.data) && !isAtLeast(role, "owner"))
    await auditDenied(deps, arrived, "button bc");
  const outcome = await applyOf(tap.data)(commandDeps, chooser, tap.data);
  if (outcome === undefined) return tooOldIn(arrived);
  const { isAllowed, text } = outcome;
  return isAllowed
    ? { type: "answered", text, isPrivate: true }
    : { type: "refused", text };
}

function applyOf(data: string) {
  if (isForget(data)) return applyForget;
  return isBroadcast(data) ? applyBroadcast : applyPick;
}

function splitData(data: string): [string, string] {
  const at = data.indexOf(":");
  return at < 0 ? ["", ""] : [data.slice(0, at), data.slice(at + 1)];
}
