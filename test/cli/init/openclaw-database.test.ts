import fs, { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { importFrom } from "../../../src/cli/init/import/import-from.ts";

/** What OpenClaw does after each file has been copied. */
const copying = { afterEach: (): void => undefined };
const { copyFileSync } = fs;
// Not by `vi.mock`: what another file of this process has loaded keeps the real one.
const replaceCopy = (copy: typeof copyFileSync): void => {
  fs.copyFileSync = copy;
  syncBuiltinESMExports();
};
beforeEach(() => {
  copying.afterEach = () => undefined;
  replaceCopy((...files) => {
    copyFileSync(...files);
    copying.afterEach();
  });
});
afterEach(() => replaceCopy(copyFileSync));

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

function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-openclaw-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A database in it that stays open, as while OpenClaw runs. */
function openDatabase(folder: string, name: string): DatabaseSync {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  const database = new DatabaseSync(join(folder, name));
  onTestFinished(() => database.close());
  database.exec("PRAGMA journal_mode = WAL");
  return database;
}

function openHome(columns: string): { readonly folder: string; readonly database: DatabaseSync } {
  const folder = openFolder();
  const database = openDatabase(folder, "state/openclaw.sqlite");
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
  const folder = openFolder();
  for (const name of ["state", "cron"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "state/openclaw.sqlite"), "not a database, but as long as a header");
  writeFileSync(join(folder, "cron/jobs.json"), JSON.stringify({ jobs: [job("Old", "Old.")] }));
  const { schedules, left } = await importOf(folder);
  expect(schedules).toMatchObject([{ text: "Old." }]);
  expect(left).toEqual([
    "state/openclaw.sqlite: it can't be read (file is not a database); nothing of it is taken",
  ]);
});

it("takes no file of an earlier version where the database has no job", async () => {
  const { folder } = openHome(tables.first);
  mkdirSync(join(folder, "cron"));
  writeFileSync(join(folder, "cron/jobs.json"), JSON.stringify({ jobs: [job("Old", "Old.")] }));
  expect(await importOf(folder)).toMatchObject({ schedules: [], left: [] });
});

it("leaves a job that can't be read, and takes the others, whatever the other columns hold", async () => {
  const { folder, database } = openHome(`${tables.later}, next_run_ns INTEGER`);
  const insert = database.prepare(
    "INSERT INTO cron_jobs (store_key, job_json, enabled, sort_order, next_run_ns) VALUES ('a', ?, 1, ?, 9007199254740993)",
  );
  for (const [order, json] of [null, "{ oops", "[]", "7"].entries()) insert.run(json, order);
  insert.run(JSON.stringify(job("Good", "Brief me.")), 9);
  const { schedules, left } = await importOf(folder);
  expect(schedules).toMatchObject([{ text: "Brief me." }]);
  const line = "a scheduled job: it can't be read; `openclaw cron list` shows it";
  expect(left).toEqual([line, line, line, line]);
});

/** As OpenClaw creates them. */
const profileTables = {
  agent:
    "auth_profile_store (store_key TEXT PRIMARY KEY, store_json TEXT NOT NULL, updated_at INTEGER NOT NULL)",
  shared:
    "config_machine_state (state_key TEXT PRIMARY KEY, value_json TEXT NOT NULL, updated_at_ms INTEGER NOT NULL)",
} as const;
const agentFile = "agents/main/agent/openclaw-agent.sqlite";

/** The keys that have been set up, by server. */
const profiles = (keys: Readonly<Record<string, unknown>>, name = "default") => ({
  version: 1,
  profiles: Object.fromEntries(
    Object.entries(keys).map(([provider, key]) => [
      `${provider}:${name}`,
      { type: "api_key", provider, ...(typeof key === "string" ? { key } : { keyRef: key }) },
    ]),
  ),
});

it("reads the keys of the agent's database, then those that all agents share, and not the old file", async () => {
  const folder = openFolder();
  const agent = openDatabase(folder, agentFile);
  agent.exec(`CREATE TABLE ${profileTables.agent}`);
  const anthropic = { source: "env", id: "MY_KEY" };
  const own = profiles({ openai: "planted-own", anthropic }, "own");
  agent
    .prepare("INSERT INTO auth_profile_store VALUES (?, ?, 9007199254740993)")
    .run("primary", JSON.stringify(own));
  const shared = openDatabase(folder, "state/openclaw.sqlite");
  shared.exec(`CREATE TABLE ${profileTables.shared}`);
  shared
    .prepare("INSERT INTO config_machine_state VALUES (?, ?, 1)")
    .run(
      "authProfiles.store",
      JSON.stringify(profiles({ openai: "shared", mistral: "planted-m" })),
    );
  writeFileSync(
    join(folder, "agents/main/agent/auth-profiles.json"),
    JSON.stringify(profiles({ openrouter: "planted-old" })),
  );
  writeFileSync(join(folder, ".env"), "MY_KEY=planted-a\n");
  const { secrets, left } = await importOf(folder);
  expect(secrets).toEqual({
    OPENAI_API_KEY: "planted-own",
    ANTHROPIC_API_KEY: "planted-a",
    MISTRAL_API_KEY: "planted-m",
  });
  expect(left).toEqual([]);
});

it("says where the databases' keys can't be read, and reads the old file where they have none", async () => {
  const folder = openFolder();
  const agent = openDatabase(folder, agentFile);
  agent.exec(`CREATE TABLE ${profileTables.agent}`);
  writeFileSync(
    join(folder, "agents/main/agent/auth-profiles.json"),
    JSON.stringify(profiles({ openrouter: "planted-old" })),
  );
  const empty = await importOf(folder);
  expect(empty).toMatchObject({ secrets: { OPENROUTER_API_KEY: "planted-old" }, left: [] });
  agent.exec("INSERT INTO auth_profile_store VALUES ('primary', '{ oops', 1)");
  expect((await importOf(folder)).left).toEqual([
    "the logins in auth_profile_store: they can't be read",
  ]);
});

it("allows who is paired in the database, of the account that is taken, and not in the old files", async () => {
  const folder = openFolder();
  const config = { channels: { telegram: { allowFrom: ["1"] }, discord: {} } };
  writeFileSync(join(folder, "openclaw.json"), JSON.stringify(config));
  mkdirSync(join(folder, "credentials"));
  writeFileSync(join(folder, "credentials/telegram-allowFrom.json"), '{ "allowFrom": ["666"] }');
  const database = openDatabase(folder, "state/openclaw.sqlite");
  database.exec(
    "CREATE TABLE channel_pairing_allow_entries (channel_key TEXT, account_id TEXT, entry, sort_order INTEGER, updated_at INTEGER)",
  );
  const insert = database.prepare(
    "INSERT INTO channel_pairing_allow_entries VALUES (?, ?, ?, ?, 1)",
  );
  insert.run("telegram", "default", "3", 2);
  insert.run("telegram", "default", "tg:2", 1);
  insert.run("telegram", "work", "4", 1);
  insert.run("telegram", "default", null, 3);
  insert.run("discord", "default", "5", 1);
  insert.run("whatsapp", "default", "+15555550123", 1);
  const { changes, left } = await importOf(folder);
  const allowed = changes.findLast(({ path }) => path[0] === "access");
  expect(allowed?.value).toEqual(["telegram:1", "telegram:2", "telegram:3", "discord:5"]);
  expect(left).toEqual([
    "a pairing: it can't be read in state/openclaw.sqlite",
    "channels.telegram: 4: it is paired with the account work",
  ]);
});

it("copies a database again that OpenClaw has written to between its two files", async () => {
  const { folder, database } = openHome(tables.first);
  const insert = database.prepare(
    "INSERT INTO cron_jobs (store_key, job_json, sort_order) VALUES ('a', ?, 1)",
  );
  insert.run(JSON.stringify(job("First", "Brief me.")));
  copying.afterEach = () => {
    copying.afterEach = () => undefined;
    insert.run(JSON.stringify(job("Second", "Then this.")));
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  };
  const { schedules, left } = await importOf(folder);
  expect(schedules).toMatchObject([{ text: "Brief me." }, { text: "Then this." }]);
  expect(left).toEqual([]);
});

it("gives up on a database that is written to all the time", async () => {
  const { folder, database } = openHome(tables.first);
  copying.afterEach = () => {
    database.exec("INSERT INTO cron_jobs (store_key) VALUES ('a')");
  };
  // Of an earlier version: that access may have been withdrawn since.
  mkdirSync(join(folder, "credentials"));
  writeFileSync(
    join(folder, "credentials/telegram-allowFrom.json"),
    JSON.stringify({ allowFrom: ["4711"] }),
  );
  writeFileSync(
    join(folder, "openclaw.json"),
    JSON.stringify({ channels: { telegram: { botToken: "123456:AAAA" } } }),
  );
  const taken = await importOf(folder);
  expect(JSON.stringify(taken)).not.toContain("4711");
  expect(taken.left).toEqual([
    "state/openclaw.sqlite: it can't be read (OpenClaw keeps writing to it; stop OpenClaw and try again); nothing of it is taken",
  ]);
});
