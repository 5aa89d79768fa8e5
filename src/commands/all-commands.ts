import type { Command } from "./command.ts";
import { allowCommand } from "./allow.ts";
import { helpCommand, startCommand } from "./help.ts";
import { newCommand, stopCommand } from "./stop.ts";
import { statusCommand, usageCommand, whoamiCommand } from "./status.ts";

/** Every command, in the order in which menus and `/help` show them. */
export const allCommands: readonly Command[] = [
  startCommand,
  helpCommand,
  newCommand,
  stopCommand,
  statusCommand,
  usageCommand,
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
