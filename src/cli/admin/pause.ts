import { randomUUID } from "node:crypto";
import { moment } from "../../commands/moment.ts";
import { isPaused, pauseScopes, type PauseScope } from "../../core/pause.ts";
import {
  parseAdminArguments,
  refuseArguments,
  type AdminCommand,
  type AdminContext,
} from "./admin-command.ts";

/** The kill switch from the shell: no turn is opened any more. */
export const pauseCommand: AdminCommand = {
  name: "pause",
  summary:
    "Stop answering, everywhere or on one platform; messages are saved. --now also stops running answers",
  usage: ["pause [all|telegram|discord|console] [--now]"],
  async run(context, given) {
    const { values, positionals } = parseAdminArguments(pauseCommand, given, {
      now: { type: "boolean", default: false },
    });
    const scope = scopeOf(pauseCommand, positionals);
    const { pauses, audit } = context.services;
    // First: no one repeats the command after a crash in between.
    await audit.write(randomUUID(), {
      action: "paused",
      target: scope,
      details: { from: "shell", ...(values.now ? { now: "yes" } : {}) },
    });
    await pauses.pause(scope, { isNow: values.now });
    await show(context);
    return true;
  },
};

/** Ends it. */
export const resumeCommand: AdminCommand = {
  name: "resume",
  summary: "Resume; waiting messages are answered in order",
  usage: ["resume [all|telegram|discord|console]"],
  async run(context, given) {
    const { positionals } = parseAdminArguments(resumeCommand, given, {});
    const scope = scopeOf(resumeCommand, positionals);
    const { pauses, audit } = context.services;
    // First, as above.
    if (isPaused(await pauses.read(), scope))
      await audit.write(randomUUID(), {
        action: "resumed",
        target: scope,
        details: { from: "shell" },
      });
    const wasPaused = await pauses.resume(scope);
    await show(context);
    return wasPaused;
  },
};

/** @throws PermanentError when the words name none. */
function scopeOf(command: AdminCommand, [name = "all", ...rest]: readonly string[]): PauseScope {
  const scope = pauseScopes.find((each) => each === name);
  return scope === undefined || rest.length > 0
    ? refuseArguments(
        command,
        `"${[name, ...rest].join(" ")}": expected one of ${pauseScopes.join(", ")}`,
      )
    : scope;
}

async function show({ services, printer }: AdminContext): Promise<void> {
  const pauses = await services.pauses.read();
  const lines = pauseScopes.flatMap((scope) => {
    const pause = pauses[scope];
    return pause === undefined
      ? []
      : [
          `paused: ${scope}, since ${moment(pause.sinceMs)}${pause.isNow ? ", what ran is stopped" : ""}`,
        ];
  });
  await printer.print(lines.length === 0 ? "Nothing is paused." : lines.join("\n"));
}
