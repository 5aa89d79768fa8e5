import { createBackupMark } from "../../store/operations/backup-mark.ts";
import { parseAdminArguments, refuseArguments, type AdminCommand } from "./admin-command.ts";

/** The last line of an operator's backup script: Redis can't tell a backup from a replica. */
export const backupDoneCommand: AdminCommand = {
  name: "backup-done",
  summary: "Record that a backup was made; doctor shows its age",
  usage: ["backup-done"],
  async run({ services, printer }, given) {
    const { positionals } = parseAdminArguments(backupDoneCommand, given, {});
    if (positionals.length > 0)
      refuseArguments(backupDoneCommand, `"${positionals.join(" ")}": expected no arguments`);
    await createBackupMark(services.store).write();
    await printer.print("Noted: a backup was made now.");
    return true;
  },
};
