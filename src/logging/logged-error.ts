import { pino } from "pino";

/**
 * An error as the log shows it. ioredis hangs failed commands on its errors, arguments and all,
 * also on those within an error: what people wrote is not for the log.
 */
export const loggedError = (error: Error): unknown =>
  withoutCommands(pino.stdSerializers.err(error), new Set());

/** @param above the errors that contain it: causes may form a cycle. */
function withoutCommands(value: unknown, above: ReadonlySet<object>): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (above.has(value)) return undefined;
  const within = new Set([...above, value]);
  if (Array.isArray(value)) return value.map((each: unknown) => withoutCommands(each, within));
  const shown: object = value instanceof Error ? pino.stdSerializers.err(value) : value;
  return Object.fromEntries(
    Object.entries(shown).flatMap(([name, each]): [string, unknown][] =>
      name === "command" ? [] : [[name, withoutCommands(each, within)]],
    ),
  );
}
