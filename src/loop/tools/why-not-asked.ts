import { entitles, type Asking } from "../../core/approval.ts";
import { unreachable } from "../../core/errors.ts";
import { clockTime, quietForMs } from "../../core/quiet-hours.ts";
import type { TurnState } from "../../core/turn.ts";

/**
 * Why a call that needs an approval is denied without asking, as the model reads it; undefined:
 * people are asked. Pure.
 * @param atMs since the epoch.
 */
export function whyNotAsked(
  asking: Asking,
  state: Pick<TurnState, "group" | "role">,
  atMs: number,
): string | undefined {
  const { quietHours } = asking;
  const isQuiet = quietHours?.mode === "deny" && quietForMs(quietHours, atMs) !== undefined;
  if (isQuiet) {
    const { fromMinute, toMinute, timezone } = quietHours;
    const hours = `between ${clockTime(fromMinute)} and ${clockTime(toMinute)} (${timezone})`;
    return `policy-denied: not run. A person would have to approve it, and ${hours} nobody is asked. It can be asked for after that.`;
  }
  return isAnybodyThere(asking, state)
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
