import type { Command } from "./command.ts";
import { activationCommand } from "./activation.ts";
import { allowCommand } from "./allow.ts";
import { approvalsCommand } from "./approvals.ts";
import { approveCommand, denyCommand } from "./approve.ts";
import { autoCommand } from "./auto.ts";
import { compactCommand, retryCommand, undoCommand } from "./control.ts";
import { exportCommand } from "./export.ts";
import { forgetCommand } from "./forget.ts";
import { helpCommand } from "./help.ts";
import { languageCommand } from "./language.ts";
import { modelCommand } from "./model.ts";
import { settingsCommand } from "./settings.ts";
import { startCommand } from "./start.ts";
import { statusCommand } from "./status.ts";
import { newCommand, stopCommand } from "./stop.ts";
import { tierCommand } from "./tier.ts";
import { toolsCommand } from "./tools.ts";
import { usageCommand } from "./usage.ts";
import { roleCommand, whoamiCommand } from "./whoami.ts";

/** Every command, in the order in which menus and `/help` show them. */
export const allCommands: readonly Command[] = [
  startCommand,
  helpCommand,
  newCommand,
  stopCommand,
  retryCommand,
  undoCommand,
  compactCommand,
  autoCommand,
  tierCommand,
  modelCommand,
  settingsCommand,
  activationCommand,
  languageCommand,
  statusCommand,
  approvalsCommand,
  approveCommand,
  denyCommand,
  toolsCommand,
  usageCommand,
  whoamiCommand,
  roleCommand,
  exportCommand,
  forgetCommand,
  allowCommand,
];

export function findCommand(
  commands: readonly Command[],
  name: string,
): Command | undefined {
  return commands.find(
    ({ spec }) => spec.name === name || spec.aliases?.includes(name),
  );
}
