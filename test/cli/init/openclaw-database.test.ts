import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { importFrom } from "../../../src/cli/init/import/import-from.ts";

/** The columns that every version has, then those of 2026.6 and later. */
const tables = {
  first: "store_key TEXT, job_id TEXT, job_json TEXT, sort_order INTEGER, updated_at INTEGER",
  later:
    "store_key TEXT, job_id TEXT, name TEXT, enabled INTEGER, job_json TEXT, state_json TEXT, sort_order INTEGER, updated_at INTEGER",
} as const;

const job = (name: string, text: string, more: object = {}) => ({
  id: name,
  name,
  enabled: true,
  schedule: { kind: "cron", expr: "0 7 * * *", tz: "Europe/Berlin", staggerMs: 0 },
  sessionTarget: "isolated",
  wakeMode: "now",
  payload: { kind: "agentTurn", message: text },
  state: {},
  ...more,
});

/** A folder of OpenClaw's whose database is open, as while OpenClaw runs. */
function openHome(columns: string): { readonly folder: string; readonly database: DatabaseSync } {
  const folder = mkdtempSync(join(tmpdir(), "parley-openclaw-"));
  mkdirSync(join(folder, "state"));
  const database = new DatabaseSync(join(folder, "state/openclaw.sqlite"));
  onTestFinished(() => {
    database.close();
    rmSync(folder, { recursive: true });
  });
  database.exec("PRAGMA journal_mode = WAL");
  database.exec(`CREATE TABLE cron_jobs (${columns})`);
  return { folder, database };
}

const importOf = (folder: string) => importFrom("openclaw", folder, () => undefined);

it("reads the scheduled jobs of every version's database, also what was written last", async () => {
  for (const columns of Object.values(tables)) {
    const { folder, database } = openHome(columns);
    const insert = database.prepare(
      "INSERT INTO cron_jobs (store_key, job_id, job_json, sort_order, updated_at) VALUES ('a', ?, ?, ?, 1)",
    );
    insert.run("2", JSON.stringify(job("Second", "Then this.")), 2);
    insert.run("1", JSON.stringify(job("First", "Brief me.")), 1);
    const trigger = { trigger: { script: "return true" } };
    insert.run("3", JSON.stringify(job("Watch", "Look.", trigger)), 3);
    const before = readdirSync(join(folder, "state"));
    const { schedules, left } = await importOf(folder);
    expect(schedules).toMatchObject([
      { text: "Brief me.", zone: "Europe/Berlin", timing: { rule: "0 7 * * *" } },
      { text: "Then this." },
    ]);
    expect(left).toEqual(["the scheduled job “Watch”: Parley's schedules run no scripts"]);
    expect(readdirSync(join(folder, "state"))).toEqual(before);
  }
});

it("leaves what is switched off there, and the file of an earlier version", async () => {
  const { folder, database } = openHome(tables.later);
  database
    .prepare("INSERT INTO cron_jobs VALUES ('a', '1', 'Off', 0, ?, '{}', 1, 1)")
    .run(JSON.stringify(job("Off", "Never.")));
  mkdirSync(join(folder, "cron"));
  writeFileSync(join(folder, "cron/jobs.json"), JSON.stringify({ jobs: [job("Old", "Old.")] }));
  const { schedules, left } = await importOf(folder);
  expect(schedules).toEqual([]);
  expect(left).toEqual(["the scheduled job “Off”: it is switched off there"]);
});

it("names a database that can't be read, and takes the file", async () => {
  const folder = mkdtempSync(join(tmpdir(), "parley-openclaw-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const name of ["state", "cron"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "state/openclaw.sqlite"), "not a database, but as long as a header");
  writeFileSync(join(folder, "cron/jobs.json"), JSON.stringify({ jobs: [job("Old", "Old.")] }));
  const { schedules, left } = await importOf(folder);
  expect(schedules).toMatchObject([{ text: "Old." }]);
  expect(left).toEqual([
    "the scheduled jobs in state/openclaw.sqlite: it can't be read (file is not a database); `openclaw cron list` shows them",
  ]);
});
