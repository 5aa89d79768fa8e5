import type { Logger } from "pino";
import type { ChatKey } from "../../core/chat.ts";
import { messageOf } from "../../core/errors.ts";
import {
  storedErrorReportSchema,
  toStoredErrorReport,
  type ErrorReport,
} from "../../core/error-report.ts";
import { configKey } from "../keys.ts";
import type { Store } from "../redis/redis.ts";
import { readable } from "../stored.ts";

/** Of more errors the oldest are forgotten. */
const maxKept = 200;
export const errorsKeptDays = 14;
const keptMs = errorsKeptDays * 86_400_000;
/** The newest first. */
const key = configKey("errors");

/** The errors that people were told an id of. */
export interface ErrorReports {
  /** Never rejects: a report that can't be stored is still in the log. */
  note(report: ErrorReport): Promise<void>;
  /** The newest first. */
  list(): Promise<readonly ErrorReport[]>;
}

export function createErrorReports(store: Store, { log }: { readonly log: Logger }): ErrorReports {
  return {
    async note(report) {
      const { redis } = store;
      const json = JSON.stringify(toStoredErrorReport(report));
      try {
        await redis
          .multi()
          .lpush(key, json)
          .ltrim(key, 0, maxKept - 1)
          .pexpire(key, keptMs)
          .exec();
      } catch (error) {
        log.debug({ errorId: report.id, cause: messageOf(error) }, "an error was not stored");
      }
    },
    list: () => listErrorReports(store),
  };
}

/** The newest first. */
export async function listErrorReports({
  redis,
  clock,
}: Pick<Store, "redis" | "clock">): Promise<readonly ErrorReport[]> {
  const sinceMs = clock.now() - keptMs;
  const stored = await redis.lrange(key, 0, -1);
  return stored
    .map(parse)
    .filter((report): report is ErrorReport => report !== undefined && report.atMs >= sinceMs);
}

/** Undefined: it can't be read. */
const parse = (json: string): ErrorReport | undefined => readable(storedErrorReportSchema, json);

/** Removes the reports of these chats. */
export async function eraseErrorsOf(
  { redis }: Pick<Store, "redis">,
  chats: ReadonlySet<ChatKey>,
): Promise<void> {
  for (const json of await redis.lrange(key, 0, -1)) {
    const report = parse(json);
    if (report !== undefined && chats.has(report.chat)) await redis.lrem(key, 0, json);
  }
}
