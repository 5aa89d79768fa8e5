import { decideApproval } from "../access/decide-approval.ts";
import { applyForget, isForget } from "../commands/forget.ts";
import { applyPick, isPick } from "../commands/picker.ts";
import { chatKey, parseChatKey } from "../core/chat.ts";
import { decidePairing } from "../access/pairing.ts";
import type { Acceptance, InboundTap } from "../core/inbound.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";

/** A tap on a button: decides here and now, the rest follows through the outbox. */
export async function acceptTap(
  deps: AcceptDeps,
  arrived: Arrived<InboundTap>,
): Promise<Acceptance> {
  const { inbound: tap, chat, role } = arrived;
  if (isPick(tap.data) || isForget(tap.data))
    return await acceptChoice(deps, arrived);
  const [kind, id] = splitData(tap.data);
  switch (kind) {
    case "a":
    case "d": {
      const { person, messageId, notAfterMs } = tap;
      const status = kind === "a" ? "approved" : "denied";
      const outcome = await decideApproval(deps.approvals, {
        approvalId: id,
        status,
        person,
        role,
        chat,
        messageId,
        notAfterMs,
      });
      const changed =
        outcome.type === "decided" ? outcome.approval : outcome.expired;
      if (changed !== undefined) {
        // A tap on a message that has become inaccessible does not tell its topic: the approval does.
        const asked = chatKey(parseChatKey(changed.chat));
        await Promise.all([deps.wake.turn(asked), deps.wake.delivery(asked)]);
      }
      if (outcome.type === "refused") {
        const { text, isStale } = outcome;
        return { type: "refused", text, ...(isStale ? { isStale } : {}) };
      }
      return { type: "answered", text: outcome.text, isPrivate: true };
    }
    case "pa":
    case "pd": {
      if (role !== "admin")
        return {
          type: "refused",
          text: "You are not allowed to decide this: an admin may.",
        };
      const text = await decidePairing(deps.commandDeps.pairing, {
        code: id,
        allow: kind === "pa",
        eventId: tap.id,
        admin: tap.person,
      });
      return { type: "answered", text, isPrivate: true };
    }
    default:
      return tooOld;
  }
}

const tooOld: Acceptance = {
  type: "refused",
  text: "This button is not one of mine, or too old.",
};

/**
 * A tap below `/tier`, `/model` or `/forget`: whoever may talk to the bot chooses for themselves, whose picker it ever was;
 * an erasure is confirmed by whoever asked for it.
 */
async function acceptChoice(
  { commandDeps }: AcceptDeps,
  { inbound: tap, chat, role, preference }: Arrived<InboundTap>,
): Promise<Acceptance> {
  if (role !== "admin" && role !== "member")
    return { type: "refused", text: "You are not allowed to use this bot." };
  const { person, direct, notAfterMs = Infinity } = tap;
  // They were told to tap again, and may have changed their mind.
  if (commandDeps.now() > notAfterMs)
    return { type: "refused", text: "That came too late. Please tap again." };
  const chooser = { person, chat, direct, role, preference };
  const apply = isForget(tap.data) ? applyForget : applyPick;
  const outcome = await apply(commandDeps, chooser, tap.data);
  if (outcome === undefined) return tooOld;
  const { isAllowed, text } = outcome;
  return isAllowed
    ? { type: "answered", text, isPrivate: true }
    : { type: "refused", text };
}

function splitData(data: string): [string, string] {
  const at = data.indexOf(":");
  return at < 0 ? ["", ""] : [data.slice(0, at), data.slice(at + 1)];
}
