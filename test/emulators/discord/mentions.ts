import type { World } from "./world.ts";
import { arrayOf, isObject } from "./json.ts";

export interface Mentions {
  readonly mentions: string[];
  readonly mentionRoles: string[];
  readonly mentionEveryone: boolean;
}

/**
 * The people that a text may ping (docs: Allowed Mentions Object). `undefined` on the wire means
 * everybody it names.
 */
export interface AllowedMentions {
  users(id: string): boolean;
  roles(id: string): boolean;
  readonly everyone: boolean;
  readonly repliedUser: boolean;
}

export const everybody: AllowedMentions = {
  users: () => true,
  roles: () => true,
  everyone: true,
  repliedUser: true,
};

export function allowedMentions(value: unknown): AllowedMentions {
  if (!isObject(value)) return everybody;
  const parse = arrayOf(value["parse"]);
  return {
    users: (id) => parse.includes("users") || arrayOf(value["users"]).includes(id),
    roles: (id) => parse.includes("roles") || arrayOf(value["roles"]).includes(id),
    everyone: parse.includes("everyone"),
    repliedUser: value["replied_user"] === true,
  };
}

/** The people and roles that a text pings, and the author it answers. */
export function findMentions(
  world: World,
  content: string,
  { allowed, repliedUserId }: { allowed: AllowedMentions; repliedUserId?: string | undefined },
): Mentions {
  const users = [...content.matchAll(/<@!?(\d+)>/g)].map((match) => match[1] ?? "");
  const roles = [...content.matchAll(/<@&(\d+)>/g)].map((match) => match[1] ?? "");
  const named = users.filter((id) => world.users.has(id) && allowed.users(id));
  const replied = repliedUserId !== undefined && allowed.repliedUser ? [repliedUserId] : [];
  return {
    mentions: [...new Set([...named, ...replied])],
    mentionRoles: [...new Set(roles.filter((id) => allowed.roles(id)))],
    mentionEveryone: allowed.everyone && /@(?:everyone|here)\b/.test(content),
  };
}
