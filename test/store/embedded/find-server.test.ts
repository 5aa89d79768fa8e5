import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { findServer } from "../../../src/store/embedded/find-server.ts";
import { programs, temporaryFolder } from "./support.ts";

function says(version: string): string {
  return `echo "Redis server v=${version} sha=00000000:0 malloc=jemalloc bits=64"`;
}

function find(...path: string[]) {
  return findServer({
    dataFolder: temporaryFolder(),
    environment: { PATH: path.join(":") },
    log: () => undefined,
  });
}

test("redis-server comes before valkey-server, and the PATH's order counts", async () => {
  const first = programs({ "valkey-server": says("8.0.1") });
  const second = programs({
    "redis-server": says("7.2.0"),
    "valkey-server": says("8.0.1"),
  });
  const third = programs({ "redis-server": says("7.4.0") });
  expect((await find(first, second, third)).command).toBe(join(second, "redis-server"));
  expect(await find(first)).toMatchObject({
    command: join(first, "valkey-server"),
    version: "8.0.1",
  });
});

test("a server in a folder that the PATH names from here is found, and works from any folder", async () => {
  const folder = programs({ "redis-server": says("7.0.0") });
  expect((await find(relative(process.cwd(), folder))).command).toBe(join(folder, "redis-server"));
});

test("a server that is too old or does not run is passed over, and the log says why", async () => {
  const old = programs({ "redis-server": says("6.0.16") });
  const broken = programs({
    "redis-server": "echo 'no such library' >&2; exit 127",
  });
  const good = programs({ "redis-server": says("6.2.0") });
  const log: string[] = [];
  const found = await findServer({
    dataFolder: temporaryFolder(),
    environment: { PATH: `${old}:${broken}:${good}` },
    log: (line) => log.push(line),
  });
  expect(found.command).toBe(join(good, "redis-server"));
  expect(log).toEqual([
    `Not using ${old}/redis-server: ${old}/redis-server is version 6.0.16, but Parley needs 6.2 or newer`,
    `Not using ${broken}/redis-server: ${broken}/redis-server failed: no such library`,
  ]);
});

test("an install that does not run any more is not used", async () => {
  const dataFolder = temporaryFolder();
  const install = join(dataFolder, "redis-server/redis-server-7.0.15");
  mkdirSync(install, { recursive: true });
  writeFileSync(
    join(install, "server.json"),
    JSON.stringify({
      command: "root/usr/bin/redis-server",
      libraryFolders: [],
    }),
  );
  const log: string[] = [];
  const stop = AbortSignal.abort(new Error("stopped"));
  const finding = findServer({
    dataFolder,
    environment: { PATH: "" },
    log: (line) => log.push(line),
    signal: stop,
  });
  await expect(finding).rejects.toThrow();
});
