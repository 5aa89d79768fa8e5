/**
 * What somebody may do. `owner`: the operator's own choice, which nobody changes from a chat. `admin`: decides and
 * configures. `member`: talks and decides about their own calls. `guest`: talks, where a chat lets everybody in, and decides
 * nothing. `stranger`: may only ask to come in. `banned`: not even that.
 */
export const roles = [
  "owner",
  "admin",
  "member",
  "guest",
  "stranger",
  "banned",
] as const;
export type Role = (typeof roles)[number];

/** Roles that admins give from a chat; `stranger` is the absence of one. */
export const givenRoles = ["admin", "member", "guest", "banned"] as const;
export type GivenRole = (typeof givenRoles)[number];

/** From the one that may do most to the one that may do nothing. */
const rank = (role: Role): number => roles.indexOf(role);

/** Whether `role` may do all that `needed` may. Pure. */
export const isAtLeast = (role: Role, needed: Role): boolean =>
  rank(role) <= rank(needed);
