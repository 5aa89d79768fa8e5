import { pino, type DestinationStream, type Logger } from "pino";
import type { Settings } from "../config/settings.ts";
import { loggedError } from "./logged-error.ts";
import { ownVersion } from "../util/version.ts";

/** Where log lines go: a stream of JSON lines, or a terminal for people. */
export type LogTarget = DestinationStream | "terminal";

/** One line each. What is the same in all of them, who looks at this screen knows. */
const pretty = {
  singleLine: true,
  ignore: "pid,hostname,service,version,role",
  translateTime: "SYS:HH:MM:ss",
};

/**
 * The log of one process. Each line has an ISO time, a level by name, and says what wrote it. pino
 * writes the fields of a line after those of its logger without comparing them: a name that is used
 * here or in a `child` may not be used again.
 */
export function createLog(
  { logLevel, role }: Pick<Settings, "logLevel" | "role">,
  target: LogTarget,
): Logger {
  const options = {
    level: logLevel,
    base: {
      service: "parley",
      version: ownVersion(),
      role,
      pid: process.pid,
    },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level: string) => ({ level }) },
    serializers: { error: loggedError, err: loggedError },
  };
  return target === "terminal"
    ? pino({ ...options, transport: { target: "pino-pretty", options: pretty } })
    : pino(options, target);
}
