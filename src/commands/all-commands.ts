import type { Command } from "./command.ts";
import { allowCommand } from "./allow.ts";
import { autoCommand } from "./auto.ts";
import { compactCommand, retryCommand, undoCommand } from "./control.ts";
import { exportCommand } from "./export.ts";
import { forgetCommand } from "./forget.ts";
import { helpCommand, startCommand } from "./help.ts";
import { modelCommand } from "./model.ts";
import { settingsCommand } from "./settings.ts";
import { statusCommand, whoamiCommand } from "./status.ts";
import { newCommand, stopCommand } from "./stop.ts";
import { tierCommand } from "./tier.ts";
import { usageCommand } from "./usage.ts";

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
  statusCommand,
  usageCommand,
  exportCommand,
  forgetCommand,
  whoamiCommand,
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
