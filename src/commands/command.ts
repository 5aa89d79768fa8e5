import type { Asker, CommandSpec } from "../core/ports.ts";
import type { Access, Role } from "../access/access.ts";
import type { PairingDeps } from "../access/pairing.ts";
import type { ChatStatus } from "../store/chat-status.ts";
import type { Inbox } from "../store/inbox.ts";
import type { ChatKey } from "../core/chat.ts";

export interface CommandDeps {
  readonly inbox: Inbox;
  readonly access: Access;
  readonly pairing: PairingDeps;
  readonly status: (chat: ChatKey) => Promise<ChatStatus>;
  readonly wakeTurn: (chat: ChatKey) => Promise<void>;
  /** What answers now, in a few words: `openai/gpt-5-mini`. */
  readonly modelName: string;
  readonly commands: readonly Command[];
  readonly now: () => number;
}

export interface CommandCall extends Asker {
  readonly role: Role;
  readonly argument: string;
  /** The event that brought it; what a command writes to the inbox is remembered under ids made of it. */
  readonly eventId: string;
}

export interface CommandAnswer {
  readonly text: string;
}

/** One thing a person can ask the bot itself: the same on every platform. */
export interface Command {
  readonly spec: CommandSpec;
  /** Who may use it at least. */
  readonly role: "stranger" | "member" | "admin";
  /** In a group the answer is shown to the asker alone, or goes to their direct chat. */
  readonly isPrivate: boolean;
  run(call: CommandCall, deps: CommandDeps): Promise<CommandAnswer>;
}

export const answer = (...lines: readonly string[]): CommandAnswer => ({
  text: lines.join("\n"),
});
