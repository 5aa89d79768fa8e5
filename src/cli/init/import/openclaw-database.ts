import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { messageOf } from "../../../core/errors.ts";
import { parseJsonObject } from "../../../text/json-object.ts";
import type { Report } from "./report.ts";
import { mappingOf, type Mapping, type SourceFolder } from "./source-folder.ts";

/** Relative to OpenClaw's folder; since 2026.6, more and more is in them that was in files before. */
const stateFile = "state/openclaw.sqlite";
const agentFile = "agents/main/agent/openclaw-agent.sqlite";

/** What its databases hold; undefined: it may still be in the files of an earlier version. */
export interface Stored {
  /** In the shape of `cron/jobs.json`. */
  readonly jobs: readonly Mapping[] | undefined;
  readonly pairings: readonly Pairing[] | undefined;
  /** As `profiles` of `auth-profiles.json`. */
  readonly profiles: Mapping | undefined;
}

const pairing = z.object({ channel: z.string(), account: z.string(), entry: z.string() });
type Pairing = z.infer<typeof pairing>;

export function readStored(report: Report, folder: SourceFolder): Stored {
  // Its jobs are taken paused; but whose access or key was withdrawn must not get it back.
  const nothing: Stored = { jobs: undefined, pairings: [], profiles: {} };
  const state = readCopy(report, { folder, name: stateFile, empty: nothing }, (database) => ({
    jobs: jobsIn(report, database),
    pairings: pairingsIn(report, database),
    profiles: profilesIn(report, database, {
      table: "config_machine_state",
      cell: "value_json AS json FROM config_machine_state WHERE state_key = 'authProfiles.store'",
    }),
  }));
  const own = readCopy<Mapping | undefined>(
    report,
    { folder, name: agentFile, empty: {} },
    (database) =>
      profilesIn(report, database, {
        table: "auth_profile_store",
        cell: "store_json AS json FROM auth_profile_store WHERE store_key = 'primary'",
      }),
  );
  const shared = state?.profiles;
  // The first key of a server counts: the agent's own come before those that all agents share.
  return {
    jobs: state?.jobs,
    pairings: state?.pairings,
    profiles: own === undefined ? shared : { ...own, ...shared, ...own },
  };
}

/**
 * A copy is read: even for reading, SQLite writes files next to a database.
 * @returns undefined: there is none; `empty` if it can't be read, which the report says
 */
function readCopy<Content>(
  report: Report,
  {
    folder,
    name,
    empty,
  }: { readonly folder: SourceFolder; readonly name: string; readonly empty: Content },
  read: (database: DatabaseSync) => Content,
): Content | undefined {
  if (!folder.has(name)) return undefined;
  const temporary = mkdtempSync(join(tmpdir(), "parley-import-"));
  try {
    const copy = join(temporary, "copy.sqlite");
    copyWhole(folder.at(name), copy);
    const database = new DatabaseSync(copy);
    try {
      return read(database);
    } finally {
      database.close();
    }
  } catch (error) {
    report.leave(name, `it can't be read (${messageOf(error)}); nothing of it is taken`);
    return empty;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** What was written last is in the second file. */
const parts = ["", "-wal"];
const maxCopies = 5;

/** While OpenClaw runs, it moves pages from the second file into the first, also between two copies. */
function copyWhole(path: string, copy: string): void {
  for (let count = 0; count < maxCopies; count += 1) {
    const before = versionOf(path);
    for (const part of parts) {
      rmSync(copy + part, { force: true });
      if (existsSync(path + part)) copyFileSync(path + part, copy + part);
    }
    if (versionOf(path) === before) return;
  }
  throw new Error("OpenClaw keeps writing to it; stop OpenClaw and try again");
}

const versionOf = (path: string): string =>
  parts
    .map((part) => statSync(path + part, { bigint: true, throwIfNoEntry: false }))
    .map((file) => `${file?.size} ${file?.mtimeNs}`)
    .join(", ");

const columnsOf = (database: DatabaseSync, table: string): readonly unknown[] =>
  database
    .prepare("SELECT name FROM pragma_table_info(?)")
    .all(table)
    .map(({ name }) => name);

/** Versions differ in columns; all have the whole job as JSON, and most `enabled` besides. */
function jobsIn(report: Report, database: DatabaseSync): readonly Mapping[] | undefined {
  const columns = columnsOf(database, "cron_jobs");
  if (columns.length === 0) return undefined;
  // As a text, since a number in it can be too large for JavaScript.
  const enabled = columns.includes("enabled") ? "CAST(enabled AS TEXT)" : "NULL";
  return database
    .prepare(
      `SELECT job_json AS json, ${enabled} AS enabled FROM cron_jobs ORDER BY store_key, sort_order`,
    )
    .all()
    .flatMap(({ json, enabled: flag }) => {
      const job = objectIn(json);
      if (job === undefined) {
        report.leave("a scheduled job", "it can't be read; `openclaw cron list` shows it");
        return [];
      }
      return [flag === "0" ? { ...job, enabled: false } : job];
    });
}

function pairingsIn(report: Report, database: DatabaseSync): readonly Pairing[] | undefined {
  if (columnsOf(database, "channel_pairing_allow_entries").length === 0) return undefined;
  return database
    .prepare(
      `SELECT channel_key AS channel, account_id AS account, entry
        FROM channel_pairing_allow_entries ORDER BY account_id, sort_order`,
    )
    .all()
    .flatMap((row) => {
      const { data } = pairing.safeParse(row);
      if (data === undefined) report.leave("a pairing", `it can't be read in ${stateFile}`);
      return data ?? [];
    });
}

function profilesIn(
  report: Report,
  database: DatabaseSync,
  { table, cell }: { readonly table: string; readonly cell: string },
): Mapping | undefined {
  if (columnsOf(database, table).length === 0) return undefined;
  const row = database.prepare(`SELECT ${cell}`).get();
  if (row === undefined) return undefined;
  const store = objectIn(row["json"]);
  if (store === undefined) report.leave(`the logins in ${table}`, "they can't be read");
  return store && mappingOf(store["profiles"]);
}

function objectIn(json: unknown): Mapping | undefined {
  const object = typeof json === "string" ? parseJsonObject(json) : undefined;
  return object && mappingOf(object);
}
