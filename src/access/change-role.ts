import type { AuditLog } from "../core/audit.ts";
import type { ChatKey, Person } from "../core/chat.ts";
import { isAtLeast, type GivenRole, type Role } from "../core/roles.ts";
import type { Locale } from "../locales/locale.ts";
import type { Access } from "./access.ts";
import { describePerson } from "./describe-person.ts";

export interface RoleChange {
  readonly by: Person;
  /** Their role regardless of place: a group's own administrator can't change roles. */
  readonly role: Role;
  /** Undefined: it happens on the operator's page. */
  readonly chat: ChatKey | undefined;
  /** Id of the command, tap or form. */
  readonly eventId: string;
  readonly whom: Pick<Person, "id" | "name" | "username" | "anonymous">;
  /** Undefined: removes the role. */
  readonly to: GivenRole | undefined;
  /** Kept in the audit log. */
  readonly reason?: string;
  /** In the language of the person who makes the change. */
  readonly locale: Locale;
}

/** UTF-16 units of a reason that are kept. */
export const maxReasonLength = 200;
export const shortReason = (text: string): string => text.slice(0, maxReasonLength).toWellFormed();

export interface RoleDeps {
  readonly access: Access;
  readonly audit: AuditLog;
}

export interface RoleOutcome {
  /** Also false if there was nothing to change. */
  readonly isDone: boolean;
  /** Absent on success: the text depends on the command. */
  readonly text?: string;
}

/**
 * Gives a person a role. Admins grant and revoke `member`, `guest` and
 * `banned`; only owners make and unmake admins; no one changes an owner's role,
 * so there is always someone left who can fix the rest.
 */
export async function changeRole(deps: RoleDeps, change: RoleChange): Promise<RoleOutcome> {
  const { by, eventId, whom, to, reason, locale } = change;
  const where = change.chat === undefined ? {} : { chat: change.chat };
  const before = await deps.access.roleNow(whom);
  const refusal = refusalOf(deps, change, before);
  if (refusal !== undefined) {
    await deps.audit.write(eventId, {
      action: "attempt-denied",
      by,
      ...where,
      target: whom.id,
      outcome: to ?? "none",
      details: { what: "role" },
    });
    return { isDone: false, text: refusal };
  }
  if (before === to)
    return {
      isDone: false,
      text: locale.people.isAlready(describePerson(whom), locale.people.aRole[to]),
    };
  // Write the audit line first: after a crash in between, the repeated event
  // finds the change already recorded.
  await deps.audit.write(eventId, {
    action: "role-set",
    by,
    ...where,
    target: whom.id,
    outcome: to ?? "none",
    details: { before, ...(reason === undefined ? {} : { reason }) },
  });
  await deps.access.setRole(whom, to);
  return { isDone: true };
}

/** Lifts the ban of a person, unless the operator's file bans them. */
export async function unban(
  deps: RoleDeps,
  change: Omit<RoleChange, "to" | "reason">,
): Promise<RoleOutcome> {
  const { whom, locale } = change;
  const who = describePerson(whom);
  if (deps.access.listed(whom.id) === "ban")
    return { isDone: false, text: locale.people.fileBans(who) };
  if ((await deps.access.roleOf(whom)) !== "banned")
    return { isDone: false, text: locale.people.notBanned(who) };
  return await changeRole(deps, { ...change, to: undefined });
}

/** Groups and channels have negative ids, also when a user types one. */
const isStandIn = ({ id, anonymous }: RoleChange["whom"]): boolean =>
  anonymous === true || id.startsWith("telegram:-");

function refusalOf(
  { access }: RoleDeps,
  { role, whom, to, locale: { people } }: RoleChange,
  before: Role,
): string | undefined {
  const who = describePerson(whom);
  if (!isAtLeast(role, "admin")) return people.adminsOnly;
  if (before === "owner") return people.ownerStays(who);
  if (access.listed(whom.id) === "ban") return people.fileBans(who);
  const isAboutAdmins = before === "admin" || to === "admin";
  if (isAboutAdmins && before !== to && role !== "owner") return people.ownersOnly;
  // A ban is the only role that applies to an anonymous sender: it covers
  // everyone who speaks through it.
  const isBan = to === "banned" || to === undefined;
  return isStandIn(whom) && !isBan ? people.anonymous(who) : undefined;
}
