/**
 * What a person may do. `owner`: chosen by the operator; can't be changed from
 * a chat. `admin`: decides and configures. `member`: talks and decides about
 * their own calls. `guest`: talks in chats that are open to everyone, and
 * decides nothing. `stranger`: may only ask for access. `banned`: not even
 * that.
 */
export const roles = ["owner", "admin", "member", "guest", "stranger", "banned"] as const;
export type Role = (typeof roles)[number];

/** Roles that admins give from a chat; `stranger` is the absence of one. */
export const givenRoles = ["admin", "member", "guest", "banned"] as const;
export type GivenRole = (typeof givenRoles)[number];

/** From the one that may do most to the one that may do nothing. */
const rank = (role: Role): number => roles.indexOf(role);

/** Whether `role` may do all that `needed` may. Pure. */
export const isAtLeast = (role: Role, needed: Role): boolean => rank(role) <= rank(needed);
