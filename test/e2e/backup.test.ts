import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { freePort } from "../../src/store/embedded/free-port.ts";
import { ConsoleSession } from "../support/parley/console-session.ts";
import { askForNote, notesOf } from "../support/parley/notes.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { pathWithRedis } from "../support/parley/redis-on-path.ts";
import { taken, timeoutMs } from "../support/parley/stage.ts";
import { emptyDatabases, startTestRedis } from "../support/redis/test-redis.ts";

const world = await openWorld();
const [database = ""] = await emptyDatabases(world.redis, 1);
const PATH = await pathWithRedis();
const { REDIS_URL: _, ...withoutRedis } = world.services;

const folders = mkdtempSync(join(tmpdir(), "parley-backup-"));
afterAll(() => rmSync(folders, { recursive: true, force: true }));
const newFolder = (): string => mkdtempSync(join(folders, "data-"));

const open = (dataFolder: string, environment: Record<string, string>) =>
  world.start({ environment, dataFolder, input: "pipe" });

/** The commands of docs/guides/backup.md: the backup, and the restore. */
function drill(): readonly string[] {
  const page = readFileSync(new URL("../../docs/guides/backup.md", import.meta.url), "utf8");
  const [, chapter = ""] = page.split("## A Redis of your own");
  const blocks = chapter.matchAll(/```sh\n([^]*?)```/g);
  return [...blocks].slice(0, 2).map(([, commands = ""]) => commands);
}

/** @throws when one of the commands fails. */
const inShell = (
  commands: string,
  environment: Readonly<Record<string, string>>,
  cwd: string,
): string =>
  execFileSync("sh", ["-ec", commands], {
    cwd,
    env: { ...environment, PATH },
    encoding: "utf8",
    timeout: timeoutMs,
  });

/** Says one thing and ends. */
async function saying(
  dataFolder: string,
  environment: Record<string, string>,
  text: string,
): Promise<void> {
  const session = new ConsoleSession(open(dataFolder, environment));
  await session.say(`say ${text}`, `${text}\n`);
  session.parley.endInput();
  expect(await session.parley.exited).toEqual({ code: 0, signal: null });
}

/** What the model was shown when it was asked for this. */
const requestFor = (text: string): string =>
  JSON.stringify(world.model.requests.find(({ lastUserText }) => lastUserText === `say ${text}`));

describe.concurrent("a backup", () => {
  it("is a copy of the data folder of a Parley that is stopped, and goes on where that was", async () => {
    const folder = newFolder();
    const environment = { ...withoutRedis, PATH };
    await saying(folder, environment, "this is remembered");
    const copy = newFolder();
    cpSync(join(folder, "redis"), join(copy, "redis"), { recursive: true });
    await saying(copy, environment, "and now the copy speaks");
    expect(requestFor("and now the copy speaks")).toContain("this is remembered");
  });

  it("is one file per chat, which another deployment imports", async () => {
    const folder = newFolder();
    const here = { ...world.services, REDIS_URL: database };
    await saying(folder, here, "this moves");
    const exporting = world.start({
      environment: here,
      dataFolder: folder,
      arguments: ["admin", "export-chat", "--all"],
    });
    expect((await exporting.exited).code).toBe(0);
    const [file = ""] = readdirSync(join(folder, "archives"));
    await using elsewhere = await startTestRedis();
    const there = { ...world.services, REDIS_URL: elsewhere.url };
    const importing = world.start({
      environment: there,
      arguments: ["admin", "import-chat", join(folder, "archives", file)],
    });
    expect((await importing.exited).code).toBe(0);
    expect(importing.stdout).toContain("console:local:main was imported");
    await saying(newFolder(), there, "this has arrived");
    expect(requestFor("this has arrived")).toContain("this moves");
  });
});

it("a backup is a snapshot of a running Redis, and a new server goes on where that was", async () => {
  await using source = await startTestRedis({ appendOnly: "always" });
  const ann = world.telegram.direct("Ann");
  const environment = {
    ...world.services,
    ...world.telegram.environment,
    PARLEY_ADMINS: ann.personId,
  };
  const run = (REDIS_URL: string) =>
    world.start({ environment: { ...environment, REDIS_URL } }).ready();
  const before = await run(source.url);
  ann.say("say this was before the backup");
  await ann.wait("this was before the backup");
  await ann.command("limits", "set person messages 77/day");
  const card = await askForNote(ann, "buy tea");
  await world.delivered(source.url);
  const [backup = "", restore = ""] = drill();
  const folder = newFolder();
  inShell(backup, { REDIS_URL: source.url }, folder);
  await before.kill();
  await source.kill();
  const PORT = String(await freePort());
  const url = `redis://127.0.0.1:${PORT}`;
  onTestFinished(() => {
    inShell(`redis-cli -p ${PORT} shutdown nosave || true`, {}, folder);
  });
  const FOLDER = newFolder();
  inShell(restore, { PORT, FOLDER }, folder);
  const shown = ann.shown().length;
  await run(url);
  expect(await ann.tap(card, "Approve")).toMatch(taken);
  await ann.wait("write_note said: Noted.");
  expect(await ann.forge(card, card.data[0] ?? "")).toMatch(/already/);
  expect(await notesOf(ann)).toEqual(["buy tea"]);
  expect(await ann.command("limits")).toContain("77");
  ann.say("say this is after the restore");
  await ann.wait("this is after the restore");
  expect(requestFor("this is after the restore")).toContain("this was before the backup");
  await world.delivered(url);
  // The result, the notes, the limits and the last answer: nothing came twice.
  expect(ann.shown()).toHaveLength(shown + 4);
  const texts = ann.shown().map(({ text }) => text);
  expect(new Set(texts).size).toBe(texts.length);
});
