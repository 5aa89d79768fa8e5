import type { AdminForm, CommandSpec } from "../../core/ports.ts";

/** The command below which Discord shows what is for admins. */
export const adminCommandName = "admin";

/** The subcommands in this order; any others follow. */
const order: readonly string[] = [
  "limits-set",
  "limits-reset",
  "allow",
  "ban",
  "unban",
  "role",
  "pause",
  "resume",
  "stats",
  "audit",
  "broadcast",
];

export interface AdminEntry {
  readonly form: AdminForm;
  /** The typed equivalent. */
  readonly command: CommandSpec;
}

/** Everything that is for admins, in the order of the menu. Pure. */
export function adminEntries(commands: Iterable<CommandSpec>): readonly AdminEntry[] {
  const placeOf = ({ form }: AdminEntry): number => {
    const place = order.indexOf(form.name);
    return place < 0 ? order.length : place;
  };
  return [...new Set(commands)]
    .flatMap((command) => formsOf(command).map((form): AdminEntry => ({ form, command })))
    .toSorted((one, other) => placeOf(one) - placeOf(other));
}

function formsOf(command: CommandSpec): readonly AdminForm[] {
  const { name, description, descriptions, arguments: given } = command;
  if (command.adminForms) return command.adminForms;
  if (command.adminOnly !== true) return [];
  return [
    {
      name,
      description,
      ...(descriptions === undefined ? {} : { descriptions }),
      ...(given === undefined ? {} : { arguments: given }),
    },
  ];
}
