import type { Command } from "./command.ts";
import { activationCommand } from "./activation.ts";
import { adminsCommand } from "./admins.ts";
import { allowCommand } from "./allow.ts";
import { approvalsCommand } from "./approvals.ts";
import { approveCommand, denyCommand } from "./approve.ts";
import { auditCommand } from "./audit.ts";
import { autoCommand } from "./auto.ts";
import { broadcastCommand } from "./broadcast.ts";
import { banCommand, unbanCommand } from "./ban.ts";
import { compactCommand, retryCommand, undoCommand } from "./control.ts";
import { dashboardCommand } from "./dashboard.ts";
import { doctorCommand } from "./doctor.ts";
import { editCommand } from "./edit.ts";
import { errorCommand } from "./error.ts";
import { exportCommand } from "./export.ts";
import { forgetCommand } from "./forget.ts";
import { grantsCommand } from "./grants.ts";
import { helpCommand } from "./help.ts";
import { importCommand } from "./import.ts";
import { languageCommand } from "./language.ts";
import { limitsCommand } from "./limits.ts";
import { memoryCommand } from "./memory.ts";
import { modelCommand } from "./model.ts";
import { personaCommand } from "./persona.ts";
import { recallCommand } from "./recall.ts";
import { remindCommand } from "./remind.ts";
import { roleCommand } from "./role.ts";
import { scheduleCommand } from "./schedule.ts";
import { settingsCommand } from "./settings.ts";
import { pauseCommand, resumeCommand } from "./pause.ts";
import { pendingCommand } from "./pending.ts";
import { skillCommand } from "./skill.ts";
import { skillsCommand } from "./skills.ts";
import { startCommand } from "./start.ts";
import { statsCommand } from "./stats.ts";
import { statusCommand } from "./status.ts";
import { newCommand, stopCommand } from "./stop.ts";
import { tierCommand } from "./tier.ts";
import { todosCommand } from "./todos.ts";
import { toolsCommand } from "./tools.ts";
import { usageCommand } from "./usage.ts";
import { whoamiCommand } from "./whoami.ts";

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
  skillCommand,
  remindCommand,
  scheduleCommand,
  tierCommand,
  modelCommand,
  personaCommand,
  settingsCommand,
  activationCommand,
  languageCommand,
  statusCommand,
  approvalsCommand,
  approveCommand,
  denyCommand,
  editCommand,
  grantsCommand,
  toolsCommand,
  skillsCommand,
  memoryCommand,
  recallCommand,
  todosCommand,
  usageCommand,
  limitsCommand,
  whoamiCommand,
  roleCommand,
  adminsCommand,
  exportCommand,
  forgetCommand,
  pendingCommand,
  allowCommand,
  banCommand,
  unbanCommand,
  pauseCommand,
  resumeCommand,
  statsCommand,
  errorCommand,
  auditCommand,
  doctorCommand,
  dashboardCommand,
  broadcastCommand,
  importCommand,
];

export function findCommand(commands: readonly Command[], name: string): Command | undefined {
  return commands.find(({ spec }) => spec.name === name || spec.aliases?.includes(name));
}
