import { entitles, type Asking } from "../../core/approval.ts";
import { isUserInstall, parseChatKey } from "../../core/chat.ts";
import { unreachable } from "../../core/errors.ts";
import { clockTime, quietForMs } from "../../core/quiet-hours.ts";
import type { TurnState } from "../../core/turn.ts";
import type { TurnContext } from "../turn-context.ts";

/** For the model: approvals are never possible in this place. */
const noCardsHere =
  "policy-denied: this call needs a person's approval, and no one can be asked in this place. They can be asked in a direct message with you, or on a server that you have joined.";

/** Why no one can be asked about a call now, as the model reads it; undefined: they can. */
export async function whyNoCard(context: TurnContext, asking: Asking): Promise<string | undefined> {
  const { deps, session } = context;
  const isReachable =
    isAskedElsewhere(asking, session.state) && (await deps.canReach(asking.approvers));
  return whyNoCardHere(context, asking, isReachable);
}

/** The same where people are asked in this chat alone. */
export const whyNoCardHere = (
  { deps, session: { state, chat } }: TurnContext,
  asking: Asking,
  isReachable = false,
): string | undefined =>
  isUserInstall(parseChatKey(chat))
    ? noCardsHere
    : whyNotAsked(asking, state, { atMs: deps.clock.wall(), isReachable });

/**
 * Why a call that needs an approval is denied without asking, as the model reads it; undefined:
 * people are asked. Pure.
 * @param now.atMs since the epoch. `isReachable`: those who may decide can be asked in their own chats.
 */
export function whyNotAsked(
  asking: Asking,
  state: Pick<TurnState, "group" | "role">,
  { atMs, isReachable }: { readonly atMs: number; readonly isReachable: boolean },
): string | undefined {
  const { quietHours } = asking;
  const isQuiet = quietHours?.mode === "deny" && quietForMs(quietHours, atMs) !== undefined;
  if (isQuiet) {
    const { fromMinute, toMinute, timezone } = quietHours;
    const hours = `between ${clockTime(fromMinute)} and ${clockTime(toMinute)} (${timezone})`;
    return `policy-denied: not run. A person would have to approve it, and ${hours} nobody is asked. It can be asked for after that.`;
  }
  return isAnybodyThere(asking, state) || isReachable
    ? undefined
    : `policy-denied: not run. It needs the approval of ${whoIsNeeded(asking)}, and nobody in this private chat can give it. It can be asked for in a group with them.`;
}

/**
 * A card is decided where it is shown, and a private chat has one person. If
 * the role wasn't recorded, this is unknown.
 */
function isAnybodyThere(
  { approvers, persons }: Asking,
  { group, role }: Pick<TurnState, "group" | "role">,
): boolean {
  if (group) return true;
  if (persons === 2) return false;
  return role === undefined || entitles(approvers, { role, isRequester: true });
}

/**
 * Whether a call is decided by people who are asked in their own direct chats, since the private chat that it
 * comes from has none who may. Two persons have to see what the other one says. Pure.
 */
export const isAskedElsewhere = (
  asking: Asking,
  state: Pick<TurnState, "group" | "role">,
): boolean => asking.persons === undefined && !isAnybodyThere(asking, state);

function whoIsNeeded({ approvers, persons }: Asking): string {
  if (persons === 2) return "two persons";
  switch (approvers) {
    case "owners":
      return "an owner";
    case "admins":
      return "an admin";
    case "requester":
    case "requester-or-admins":
    case "members":
      return "a member";
    default:
      return unreachable(approvers);
  }
}
