import type { Logger } from "pino";
import { messageOf } from "../core/errors.ts";
import type { ReportProblem } from "../store/unreadable.ts";

/**
 * Notes what a view leaves out since it can't be read. `debug` is for what a live view reads again
 * every second.
 */
export const reportTo =
  (
    log: Pick<Logger, "warn" | "debug">,
    message: string,
    level: "warn" | "debug" = "warn",
  ): ReportProblem =>
  (what, error) =>
    log[level]({ what, error: messageOf(error) }, message);
