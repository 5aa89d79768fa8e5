import { ApplicationIntegrationType, InteractionContextType } from "discord.js";
import type { InteractionPayload } from "./receive/payloads.ts";

/**
 * Sends and changes messages in chats without the bot: an interaction's own token, valid for 15
 * minutes.
 */
export interface InteractionHandle {
  readonly applicationId: string;
  readonly token: string;
  /** Ms since the epoch, by Redis' clock. Absent: it begins now. */
  readonly endsAtMs?: number | undefined;
}

/**
 * Interactions of user-installed apps, shared by a deployment's processes. Every call rejects if
 * the store can't be reached.
 */
export interface UserInstalls {
  /** The newest question of a chat is what its next words go by. */
  begin(chat: string, handle: InteractionHandle): Promise<void>;
  /**
   * These messages can be changed by it, for as long as it lasts; one that is known keeps its own.
   */
  remember(messageIds: readonly string[], handle: InteractionHandle): Promise<void>;
  /** By a message's id, or by a chat's name. Undefined: it is over. */
  find(name: string): Promise<InteractionHandle | undefined>;
}

/**
 * Commands that work in a user-installed app: they answer at once and to the asker alone. The
 * others need a chat in which messages, cards and files can be sent later.
 */
export const userInstallCommands: ReadonlySet<string> = new Set([
  "ask",
  "start",
  "help",
  "new",
  "reset",
  "stop",
  "cancel",
  "tier",
  "model",
  "language",
  "status",
  "tools",
  "todos",
  "usage",
  "limits",
  "whoami",
  "role",
]);

/**
 * Whether the app is used as a user install, in a place without its bot. Pure.
 */
export function isUserInstall({
  context,
  authorizing_integration_owners: owners,
}: Pick<InteractionPayload, "context" | "authorizing_integration_owners">): boolean {
  if (context === InteractionContextType.BotDM) return false;
  return (
    owners?.[ApplicationIntegrationType.UserInstall] !== undefined &&
    owners[ApplicationIntegrationType.GuildInstall] === undefined
  );
}
