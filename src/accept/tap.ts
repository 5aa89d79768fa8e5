import { decideAndWake } from "../access/decide-approval.ts";
import { applyForget, isForget } from "../commands/forget.ts";
import { applyPick, isPick } from "../commands/picker.ts";
import { decidePairing } from "../access/pairing.ts";
import type { Acceptance, InboundTap } from "../core/inbound.ts";
import type { AcceptDeps, Arrived } from "./deps.ts";
import { acceptSample } from "./sample.ts";

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
    case "d":
    case "aa":
    case "da": {
      const { person, messageId, notAfterMs } = tap;
      const outcome = await decideAndWake(
        deps.commandDeps,
        {
          approvalId: id,
          status: kind.startsWith("a") ? "approved" : "denied",
          person,
          role,
          chat,
          messageId,
          notAfterMs,
        },
        kind.length === 1 ? "one" : "all",
      );
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
          text: arrived.words.pairing.adminsDecide,
        };
      const text = await decidePairing(deps.commandDeps.pairing, {
        code: id,
        allow: kind === "pa",
        eventId: tap.id,
        admin: tap.person,
        words: arrived.words,
      });
      return { type: "answered", text, isPrivate: true };
    }
    case "s":
      return await acceptChoice(deps, arrived);
    default:
      return tooOldIn(arrived);
  }
}

const tooOldIn = ({ words }: Arrived): Acceptance => ({
  type: "refused",
  text: words.door.tapTooOld,
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
  const { inbound: tap, chat, role, preference, words } = arrived;
  if (role !== "admin" && role !== "member")
    return { type: "refused", text: words.door.notAllowed };
  const { person, direct, notAfterMs = Infinity } = tap;
  // They were told to tap again, and may have changed their mind.
  if (commandDeps.now() > notAfterMs)
    return { type: "refused", text: words.door.tapTooLate };
  const sample = await acceptSample(deps, arrived);
  if (sample !== undefined) return sample;
  const chooser = { person, chat, direct, role, preference, words };
  const apply = isForget(tap.data) ? applyForget : applyPick;
  const outcome = await apply(commandDeps, chooser, tap.data);
  if (outcome === undefined) return tooOldIn(arrived);
  const { isAllowed, text } = outcome;
  return isAllowed
    ? { type: "answered", text, isPrivate: true }
    : { type: "refused", text };
}

function splitData(data: string): [string, string] {
  const at = data.indexOf(":");
  return at < 0 ? ["", ""] : [data.slice(0, at), data.slice(at + 1)];
}
