import { unreachable } from "../core/errors.ts";
import type { Deciders } from "../core/approval.ts";
import type { Locale } from "./locale.ts";

/** Who may decide, as a person reads it: `Ann or an admin`. Pure. */
export function deciders(
  say: Locale["decisions"],
  { approvers }: Pick<Deciders, "approvers">,
  requesterName: string,
): string {
  switch (approvers) {
    case "requester-or-admins":
      return say.orAnAdmin(requesterName);
    case "requester":
      return requesterName;
    case "admins":
      return say.anAdmin;
    case "owners":
      return say.anOwner;
    case "members":
      return say.aMember;
    default:
      return unreachable(approvers);
  }
}

/** Both of those who approved something, where two had to; else the one that did. Pure. */
export const bothOf = (
  say: Locale["decisions"],
  first: string | undefined,
  last: string,
): string => (first ? say.both(first, last) : last);
