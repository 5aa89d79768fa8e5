import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { messageOf, PermanentError } from "../../../core/errors.ts";

/** Relative to OpenClaw's folder; since 2026.6 it has the scheduled jobs. */
export const databaseFile = "state/openclaw.sqlite";

/** Its columns differ by version; all have the whole job as JSON, and most `enabled` besides. */
const rowSchema = z.object({ job_json: z.string(), enabled: z.number().nullish() });
const jobSchema = z.record(z.string(), z.unknown());

/**
 * The scheduled jobs of OpenClaw's database, in the shape of `cron/jobs.json`. A copy is read: even
 * for reading, SQLite writes files next to a database.
 * @throws PermanentError when it can't be read
 */
export function jobsInDatabase(path: string): readonly z.infer<typeof jobSchema>[] {
  const folder = mkdtempSync(join(tmpdir(), "parley-import-"));
  try {
    const copy = join(folder, "copy.sqlite");
    // What was written last is in the second file.
    for (const suffix of ["", "-wal"])
      if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
    const database = new DatabaseSync(copy);
    try {
      return rowsOf(database).map(jobOf);
    } finally {
      database.close();
    }
  } catch (cause) {
    throw new PermanentError(messageOf(cause), { cause });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function rowsOf(database: DatabaseSync): readonly z.infer<typeof rowSchema>[] {
  const table = "SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'cron_jobs'";
  if (database.prepare(table).get() === undefined) return [];
  const rows = database.prepare("SELECT * FROM cron_jobs ORDER BY store_key, sort_order").all();
  return rows.map((row) => rowSchema.parse(row));
}

function jobOf({ job_json: json, enabled }: z.infer<typeof rowSchema>) {
  const job = jobSchema.parse(JSON.parse(json));
  return enabled === 0 ? { ...job, enabled: false } : job;
}
