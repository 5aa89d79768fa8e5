import { jsonLine } from "../../commands/audit.ts";
import { moment } from "../../commands/moment.ts";
import { parseDuration } from "../../text/durations.ts";
import type { AuditRecord } from "../../store/operations/audit.ts";
import { parseAdminArguments, refuseArguments, type AdminCommand } from "./admin-command.ts";

/** Who did what, oldest first. */
export const auditCommand: AdminCommand = {
  name: "audit",
  summary: "Show the audit log, oldest first",
  usage: ["audit [--since <time>] [--jsonl]"],
  async run({ services, printer, say, signal }, given) {
    const { values, positionals } = parseAdminArguments(auditCommand, given, {
      since: { type: "string" },
      jsonl: { type: "boolean", default: false },
    });
    if (positionals.length > 0)
      refuseArguments(auditCommand, `"${positionals.join(" ")}": not expected`);
    const fromMs = fromOf(values.since, services.store.clock.now());
    let count = 0;
    for await (const record of services.audit.since(fromMs)) {
      signal.throwIfAborted();
      count += 1;
      await printer.print(values.jsonl ? jsonLine(record).trimEnd() : lineOf(record));
    }
    if (count === 0) say("Nothing stands in the audit log for that time.");
    return true;
  },
};

/** @throws PermanentError when it is no time. */
function fromOf(since: string | undefined, nowMs: number): number {
  if (since === undefined) return 0;
  const agoMs = parseDuration(since);
  return agoMs === undefined
    ? refuseArguments(
        auditCommand,
        `--since: "${since}" is no time: expected how long ago, such as 7d or 12h`,
      )
    : Math.max(0, nowMs - agoMs);
}

const named = (id: string, name: string | undefined): string =>
  name === undefined ? id : `${name} (${id})`;

function lineOf(record: AuditRecord): string {
  const { atMs, action, by, chat, target, targetName, outcome, details } = record;
  return [
    moment(atMs),
    by === undefined ? "-" : named(by.id, by.name),
    action,
    ...(target === undefined ? [] : [named(target, targetName)]),
    ...(outcome === undefined ? [] : [`→ ${outcome}`]),
    ...Object.entries(details ?? {}).map(([name, value]) => `${name}=${value}`),
    ...(chat === undefined ? [] : [`[${chat}]`]),
  ]
    .map((part) => part.replace(/\s+/g, " "))
    .join("  ");
}
