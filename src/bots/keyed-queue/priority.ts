import { unreachable } from "../../core/errors.ts";
import type { Inbound } from "../../core/inbound.ts";
import type { CommandSpec } from "../../core/ports.ts";
import type { Priority } from "./keyed-queue.ts";

/** The bot's commands by every name that people may type. */
export type Commands = ReadonlyMap<string, CommandSpec>;

export const byName = (specs: readonly CommandSpec[]): Commands =>
  new Map(
    specs.flatMap((spec) =>
      [spec.name, ...(spec.aliases ?? [])].map((name) => [name, spec] as const),
    ),
  );

/**
 * A job's priority in its queue, and the id under which it is dropped. Pure.
 */
export const queueEntryOf = (
  inbound: Inbound,
  commands: Commands,
): {
  readonly priority: Priority;
  readonly personId: string;
  readonly id?: string;
} => ({
  priority: priorityOf(inbound, commands),
  personId: inbound.person.id,
  ...(isMissed(inbound) ? { id: inbound.id } : {}),
});

/**
 * Talk among people, and edits of messages that are gone, may be dropped
 * without notice.
 */
const isMissed = (inbound: Inbound): boolean =>
  inbound.type === "message" ? inbound.isAddressed !== false : inbound.type !== "edit";

/** A file takes its time; `/stop`, a tap and most commands do not wait for it. Pure. */
export function priorityOf(inbound: Inbound, commands: Commands): Priority {
  switch (inbound.type) {
    case "message":
      return (inbound.attachments ?? []).length > 0 ? "slow" : "in order";
    case "command":
      return commands.get(inbound.name)?.isInOrder === true ? "in order" : "overtaking";
    case "edit":
    case "join":
      return "in order";
    case "tap":
      return "overtaking";
    default:
      return unreachable(inbound);
  }
}
