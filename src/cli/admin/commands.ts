import { usageOf, type AdminCommand } from "./admin-command.ts";
import { auditCommand } from "./audit.ts";
import { backupDoneCommand } from "./backup-done.ts";
import { chatsCommand } from "./chats.ts";
import { deadLettersCommand } from "./dead-letters.ts";
import { exportChatCommand } from "./export-chat.ts";
import { forgetCommand } from "./forget.ts";
import { importChatCommand } from "./import-chat.ts";
import { pauseCommand, resumeCommand } from "./pause.ts";

/** Every sub-command of `npm run admin`, in the order of its help. */
export const adminCommands: readonly AdminCommand[] = [
  chatsCommand,
  exportChatCommand,
  importChatCommand,
  deadLettersCommand,
  forgetCommand,
  auditCommand,
  pauseCommand,
  resumeCommand,
  backupDoneCommand,
];

/** How one command is used, or all of them. Undefined: there is no such command. */
export function adminUsage(name?: string): string | undefined {
  if (name === undefined) return adminCommands.map(usageOf).join("\n\n");
  const command = adminCommands.find((each) => each.name === name);
  return command && usageOf(command);
}
