import { chatKey, chatNamed, parseChatKey, platforms, type ChatKey } from "./chat.ts";
import { unreachable } from "./errors.ts";
import type { LimitScope } from "./limits.ts";
import type { Role } from "./roles.ts";

/** Roles that may have limits: all that may talk to the bot. */
export const limitedRoles = ["owner", "admin", "member", "guest"] as const;
export type LimitedRole = (typeof limitedRoles)[number];

export const isLimitedRole = (role: Role): role is LimitedRole =>
  limitedRoles.some((each) => each === role);

/**
 * The chat that limits refer to: a group with all its topics and threads, so
 * that opening a thread doesn't reset a limit.
 */
export function limitedChat(chat: ChatKey): ChatKey {
  const { platform, bot, chat: id } = parseChatKey(chat);
  return chatKey({ platform, bot, chat: id });
}

/**
 * A scope's name in keys, log lines and the audit: `person:telegram:1`, `role:guest`, `chat`,
 * `platform:discord`, `global`.
 */
export function scopeName(scope: LimitScope): string {
  switch (scope.kind) {
    case "person":
      return scope.id === undefined ? "person" : `person:${scope.id}`;
    case "role":
      return `role:${scope.role}`;
    case "chat":
      return scope.chat === undefined ? "chat" : `chat:${scope.chat}`;
    case "platform":
      return `platform:${scope.platform}`;
    case "global":
      return "global";
    default:
      return unreachable(scope);
  }
}

/** The inverse of `scopeName`; undefined: it names none, perhaps another version's. */
export function parseScopeName(name: string): LimitScope | undefined {
  const colon = name.indexOf(":");
  const kind = colon < 0 ? name : name.slice(0, colon);
  const of = colon < 0 ? undefined : name.slice(colon + 1);
  switch (kind) {
    case "person":
      return of === undefined ? { kind } : { kind, id: of };
    case "role": {
      const role = limitedRoles.find((each) => each === of);
      return role && { kind, role };
    }
    case "chat":
      return of === undefined ? { kind } : chatScope(of);
    case "platform": {
      const platform = platforms.find((each) => each === of);
      return platform && { kind, platform };
    }
    case "global":
      return of === undefined ? { kind } : undefined;
    default:
      return undefined;
  }
}

function chatScope(key: string): LimitScope | undefined {
  const chat = chatNamed(key);
  return chat && { kind: "chat", chat };
}
