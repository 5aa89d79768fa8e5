import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { ConsoleSession } from "../support/parley/console-session.ts";
import { openWorld } from "../support/parley/open-world.ts";
import { pathWithRedis } from "../support/parley/redis-on-path.ts";
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
  JSON.stringify(
    world.model.requests.find(
      ({ lastUserText }) => lastUserText === `say ${text}`,
    ),
  );

describe.concurrent("a backup", () => {
  it("is a copy of the data folder of a Parley that is stopped, and goes on where that was", async () => {
    const folder = newFolder();
    const environment = { ...withoutRedis, PATH };
    await saying(folder, environment, "this is remembered");
    const copy = newFolder();
    cpSync(join(folder, "redis"), join(copy, "redis"), { recursive: true });
    await saying(copy, environment, "and now the copy speaks");
    expect(requestFor("and now the copy speaks")).toContain(
      "this is remembered",
    );
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
