import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  chmodSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  readEmbeddedEndpoint,
  readEndpoint,
  writeEndpoint,
} from "../../../src/store/embedded/endpoint.ts";
import { EmbeddedRedisError } from "../../../src/store/embedded/errors.ts";
import { startEmbeddedRedis } from "../../../src/store/embedded/embedded-redis.ts";
import { processStart } from "../../../src/store/operations/process-identity.ts";
import { isGone, killQuietly, launchServer } from "../../../src/store/embedded/server-process.ts";
import { duplicateOf } from "../../../src/store/redis/connection.ts";
import { openStore } from "../../../src/store/redis/redis.ts";
import { ensureRedisBinary } from "../../support/redis/redis-binary.ts";
import {
  connect,
  dataFolderWithServer,
  programs,
  spawnStarter,
  start,
  temporaryFolder,
} from "./support.ts";

const limitMs = 10_000;

const ignore = () => undefined;

/** Permissions as `chmod` takes them. */
function mode(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

test("what was written is there after a stop and a new start", async () => {
  const dataFolder = await dataFolderWithServer();
  {
    await using first = await start(dataFolder);
    expect(first.startedByUs).toBe(true);
    await connect(first.url).set("greeting", "hello");
  }
  expect(await readEmbeddedEndpoint(dataFolder)).toBeUndefined();
  await using second = await start(dataFolder);
  expect(await connect(second.url).get("greeting")).toBe("hello");
});

test("it runs as the design says: loopback only, append-only, every write on disk, nothing evicted", async () => {
  const dataFolder = await dataFolderWithServer();
  await using redis = await start(dataFolder);
  const client = connect(redis.url);
  const settings = "bind appendonly appendfsync save maxmemory-policy dir".split(" ");
  const values = await Promise.all(
    settings.map(async (name) => (await client.config("GET", name))[1]),
  );
  expect(values).toEqual([
    "127.0.0.1",
    "yes",
    "always",
    "",
    "noeviction",
    join(dataFolder, "redis"),
  ]);
});

test("disposing ends the server and removes its endpoint", async () => {
  const dataFolder = await dataFolderWithServer();
  const redis = await start(dataFolder);
  const { pid } = redis;
  expect(await readEmbeddedEndpoint(dataFolder)).toEqual({
    url: redis.url,
    pid,
  });
  await redis[Symbol.asyncDispose]();
  expect(await processStart(pid)).toBeUndefined();
  expect(readEndpoint(join(dataFolder, "redis"))).toBeUndefined();
});

test("a second one on the same folder is refused, naming the process and the folder; the first goes on", async () => {
  const dataFolder = await dataFolderWithServer();
  const first = spawnStarter(dataFolder);
  const { url } = await first.next("url");
  const refused = start(dataFolder);
  await expect(refused).rejects.toThrow(EmbeddedRedisError);
  await expect(refused).rejects.toThrow(
    `already runs on ${dataFolder} (process ${first.child.pid})`,
  );
  expect(await connect(url).ping()).toBe("PONG");
});

test("of two that start at the same time, one wins", async () => {
  const dataFolder = await dataFolderWithServer();
  const starters = [spawnStarter(dataFolder), spawnStarter(dataFolder)];
  const outcomes = await Promise.allSettled(starters.map((each) => each.next("url")));
  expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("after kill -9 of Parley the server is taken over, with its data, and ends with the new one", async () => {
  const dataFolder = await dataFolderWithServer();
  const starter = spawnStarter(dataFolder);
  const before = await starter.next("url");
  await connect(before.url).set("greeting", "hello");
  starter.child.kill("SIGKILL");
  await starter.ended;
  const redis = await start(dataFolder);
  expect(redis).toMatchObject({
    url: before.url,
    pid: before.pid,
    startedByUs: false,
  });
  expect(await connect(redis.url).get("greeting")).toBe("hello");
  await redis[Symbol.asyncDispose]();
  expect(await processStart(redis.pid)).toBeUndefined();
});

test("an orphan whose pid was not recorded any more is taken over as well", async () => {
  const dataFolder = await dataFolderWithServer();
  const starter = spawnStarter(dataFolder);
  const { pid } = await starter.next("pid");
  starter.child.kill("SIGKILL");
  await starter.ended;
  const folder = join(dataFolder, "redis");
  const endpoint = readEndpoint(folder);
  if (endpoint === undefined) throw new Error("no endpoint");
  writeEndpoint(folder, { ...endpoint, process: undefined });
  await using redis = await start(dataFolder);
  expect(redis).toMatchObject({ pid, startedByUs: false });
});

test("an orphan that hangs is ended, and its data is kept", async () => {
  const dataFolder = await dataFolderWithServer();
  const starter = spawnStarter(dataFolder);
  const { url, pid = 0 } = await starter.next("url");
  await connect(url).set("greeting", "hello");
  starter.child.kill("SIGKILL");
  await starter.ended;
  process.kill(pid, "SIGSTOP");
  const log = vi.fn<(line: string) => void>();
  await using redis = await start(dataFolder, log);
  expect(redis.startedByUs).toBe(true);
  expect(log).toHaveBeenCalledWith(`Redis (process ${pid}) hangs; ending it`);
  expect(await processStart(pid)).toBeUndefined();
  expect(await connect(redis.url).get("greeting")).toBe("hello");
});

test("a copied data folder does not take over, or end, the original's server", async () => {
  const original = await dataFolderWithServer();
  await using first = await start(original);
  const copy = await dataFolderWithServer();
  cpSync(join(original, "redis"), join(copy, "redis"), { recursive: true });
  // As if the owner of the copied lock were long gone.
  const lock = join(copy, "redis/lock/2");
  mkdirSync(lock);
  writeFileSync(join(lock, "released"), "");
  await using second = await start(copy);
  expect(second).toMatchObject({ startedByUs: true });
  expect(second.pid).not.toBe(first.pid);
  expect(await connect(first.url).ping()).toBe("PONG");
});

test("a server that dies is started again on the same address, with its data", async () => {
  const dataFolder = await dataFolderWithServer();
  const log = vi.fn<(line: string) => void>();
  await using redis = await start(dataFolder, log);
  const client = connect(redis.url);
  await client.set("greeting", "hello");
  const { pid } = redis;
  process.kill(pid, "SIGKILL");
  expect(await client.get("greeting")).toBe("hello");
  await vi.waitUntil(() => redis.pid !== pid, limitMs);
  expect(log.mock.calls.flat().join("\n")).toContain("Redis ended by itself (it died of SIGKILL)");
  expect(await readEmbeddedEndpoint(dataFolder)).toEqual({
    url: redis.url,
    pid: redis.pid,
  });
});

test("an orphan that was taken over and dies is started again", async () => {
  const dataFolder = await dataFolderWithServer();
  const starter = spawnStarter(dataFolder);
  const { url, pid = 0 } = await starter.next("url");
  await connect(url).set("greeting", "hello");
  starter.child.kill("SIGKILL");
  await starter.ended;
  await using redis = await start(dataFolder);
  process.kill(pid, "SIGKILL");
  await vi.waitUntil(() => redis.pid !== pid, limitMs);
  expect(await connect(redis.url).get("greeting")).toBe("hello");
});

test.each(["SIGTERM", "SIGUSR2"] as const)(
  "the server ends with its Parley (%s)",
  async (signal) => {
    const dataFolder = await dataFolderWithServer();
    const starter = spawnStarter(dataFolder);
    const { pid = 0 } = await starter.next("url");
    const born = (await processStart(pid)) ?? "";
    starter.child.kill(signal);
    expect(await starter.ended).toBe(signal === "SIGTERM" ? 0 : 3);
    expect(await isGone(pid, born, limitMs)).toBe(true);
  },
);

test("Ctrl-C, which reaches the terminal's whole process group, leaves the server to Parley", async () => {
  const dataFolder = await dataFolderWithServer();
  const starter = spawnStarter(dataFolder);
  await starter.next("url");
  process.kill(-(starter.child.pid ?? 0), "SIGINT");
  expect(await starter.next("answer")).toEqual({ answer: "OK" });
});

/** A data folder in which a socket's path is too long for the system. */
async function longDataFolder(): Promise<string> {
  const short = await dataFolderWithServer();
  const long = join(short, "x".repeat(100));
  mkdirSync(long);
  const server = join(short, "redis-server");
  if (existsSync(server)) symlinkSync(server, join(long, "redis-server"));
  return long;
}

test("it listens on a socket that only its user can open, and on no port", async () => {
  const dataFolder = await dataFolderWithServer();
  await using redis = await start(dataFolder);
  const socket = join(dataFolder, "redis", "redis.sock");
  expect(redis.url).toBe(socket);
  expect(mode(socket)).toBe("700");
  const client = connect(redis.url);
  expect(await client.config("GET", "port")).toEqual(["port", "0"]);
  // As everything in Parley connects, blocking duplicates included.
  const store = openStore(redis.url, ignore);
  onTestFinished(() => store.redis.disconnect());
  const other = duplicateOf(store.redis);
  onTestFinished(() => other.disconnect());
  const waiting = other.blpop("list", 5);
  await store.redis.rpush("list", "hello");
  expect(await waiting).toEqual(["list", "hello"]);
});

test.each(["a:b", "a[1]", "50%41 &é", "[::1]:6379", "a@b"])(
  "it starts in a data folder named %s, as often as one likes",
  async (name) => {
    const parent = temporaryFolder();
    const dataFolder = join(parent, name);
    mkdirSync(dataFolder);
    const server = join(await dataFolderWithServer(), "redis-server");
    if (existsSync(server)) symlinkSync(server, join(dataFolder, "redis-server"));
    const socket = join(dataFolder, "redis", "redis.sock");
    for (const round of [1, 2]) {
      await using redis = await start(dataFolder);
      expect(existsSync(socket)).toBe(true);
      const own = openStore(redis.url, ignore);
      onTestFinished(() => own.redis.disconnect());
      expect(await own.redis.incr("rounds")).toBe(round);
      const found = await readEmbeddedEndpoint(dataFolder);
      expect(found).toMatchObject({ url: redis.url });
    }
  },
);

test("where the socket's path is too long it listens on a port, with a password for this start", async () => {
  const dataFolder = await longDataFolder();
  const urls: string[] = [];
  for (let starts = 0; starts < 2; starts += 1) {
    await using redis = await start(dataFolder);
    urls.push(redis.url);
    const { hostname, port, password } = new URL(redis.url);
    expect([hostname, password.length > 20]).toEqual(["127.0.0.1", true]);
    const stranger = connect(`redis://127.0.0.1:${port}`);
    await expect(stranger.ping()).rejects.toThrow("NOAUTH");
    expect(await connect(redis.url).ping()).toBe("PONG");
  }
  const [first, second] = urls.map((url) => new URL(url).password);
  expect(first).not.toBe(second);
});

test("where the folder's file system has no sockets it listens on a port", async () => {
  const { command, libraryFolders } = await ensureRedisBinary();
  const path = programs({
    "redis-server": `if [ -f "$1" ] && grep -q ^unixsocket "$1"; then echo "$$:C Failed opening Unix socket: bind: Operation not supported"; exit 1; fi
LD_LIBRARY_PATH=${libraryFolders.join(":")} exec ${command} "$@"`,
  });
  await using redis = await startEmbeddedRedis({
    dataFolder: temporaryFolder(),
    environment: { ...process.env, PATH: `${path}:/usr/bin:/bin` },
    log: ignore,
  });
  expect(redis.url).toMatch(/^redis:\/\/default:.+@127\.0\.0\.1:/);
  expect(await connect(redis.url).ping()).toBe("PONG");
});

test("a process that took the port of a dead server is sent nothing", async () => {
  const dataFolder = await dataFolderWithServer();
  const folder = join(dataFolder, "redis");
  mkdirSync(folder);
  const received: string[] = [];
  await using impostor = createServer((socket) =>
    socket.on("data", (data) => received.push(String(data))),
  );
  await once(impostor.listen(0, "127.0.0.1"), "listening");
  writeEndpoint(folder, {
    v: 1,
    port: (impostor.address() as AddressInfo).port,
    password: "a-password-of-an-earlier-start",
    folder,
    process: { pid: process.pid, start: "long ago" },
  });
  await using redis = await start(dataFolder);
  expect(redis.startedByUs).toBe(true);
  expect(received).toEqual([]);
});

test("a server that an earlier version left on a port is taken over there; the next start uses the socket", async () => {
  const dataFolder = await dataFolderWithServer();
  const folder = join(dataFolder, "redis");
  mkdirSync(folder);
  const password = "of-the-earlier-version";
  const program = await ensureRedisBinary();
  const old = await launchServer({
    program,
    folder,
    password,
    appendOnly: "always",
    onStarting: ({ port, process }) =>
      writeEndpoint(folder, { v: 1, port, password, folder, process }),
  });
  {
    await using redis = await start(dataFolder);
    expect(redis).toMatchObject({ pid: old.pid, startedByUs: false });
    expect(redis.url).toContain(`:${old.port}`);
    await connect(redis.url).set("greeting", "hello");
  }
  await using redis = await start(dataFolder);
  expect(redis.url).toBe(join(folder, "redis.sock"));
  expect(await connect(redis.url).get("greeting")).toBe("hello");
});

test("no secret is in the server's arguments or environment", async () => {
  const dataFolder = await longDataFolder();
  const environment = { ...process.env, TELEGRAM_BOT_TOKEN: "hush" };
  const starter = spawnStarter(dataFolder, { environment });
  const { url, pid = 0 } = await starter.next("url");
  onTestFinished(() => killQuietly(pid, "SIGKILL"));
  const { password } = new URL(url);
  expect(password.length).toBeGreaterThan(20);
  for (const file of ["cmdline", "environ"]) {
    const text = readFileSync(`/proc/${pid}/${file}`, "utf8");
    expect(text).not.toContain(password);
    expect(text).not.toContain("hush");
  }
});

test("files and folders that others could read are closed", async () => {
  const dataFolder = await dataFolderWithServer();
  const folder = join(dataFolder, "redis");
  mkdirSync(folder, { mode: 0o755 });
  for (const name of ["endpoint.json", "redis.conf"]) {
    writeFileSync(join(folder, name), "nonsense");
    chmodSync(join(folder, name), 0o644);
  }
  await using redis = await start(dataFolder);
  expect(redis.startedByUs).toBe(true);
  expect(mode(folder)).toBe("700");
  expect(mode(join(folder, "endpoint.json"))).toBe("600");
  expect(mode(join(folder, "redis.conf"))).toBe("600");
});

test("a folder that can't be written is refused by name", async () => {
  const parent = temporaryFolder();
  chmodSync(parent, 0o555);
  const isRoot = process.getuid?.() === 0;
  const dataFolder = join(parent, "data");
  const starter = spawnStarter(dataFolder, isRoot ? { uid: 65_534 } : {});
  const { error } = await starter.next("error");
  expect(error).toContain(`${join(dataFolder, "redis")} can't be used`);
  expect(error).toContain("PARLEY_DATA");
  expect(await starter.ended).toBe(1);
});

test("a data folder with spaces, quotes and umlauts works", async () => {
  const dataFolder = join(await dataFolderWithServer(), 'my "dätä" \\ folder');
  const environment = process.env;
  mkdirSync(dataFolder);
  const server = join(dataFolder, "../redis-server");
  // A machine that has one needs none of ours.
  if (existsSync(server))
    cpSync(server, join(dataFolder, "redis-server"), { recursive: true, verbatimSymlinks: true });
  await using redis = await startEmbeddedRedis({
    dataFolder,
    environment,
    log: ignore,
  });
  expect(await connect(redis.url).ping()).toBe("PONG");
});

test("a server that ends at once is reported with what it said last", async () => {
  const path = programs({
    "redis-server":
      'if [ "$1" = --version ]; then echo "Redis server v=7.0.0 sha=0"; else echo "Fatal: no luck today"; exit 1; fi',
  });
  const dataFolder = temporaryFolder();
  const environment = { ...process.env, PATH: `${path}:/usr/bin:/bin` };
  const failed = startEmbeddedRedis({
    dataFolder,
    environment,
    log: ignore,
  });
  await expect(failed).rejects.toThrow("it ended with 1");
  await expect(failed).rejects.toThrow("Fatal: no luck today");
  await expect(failed).rejects.toThrow("redis.log");
});

test("a failed or interrupted start leaves the folder free for the next one", async () => {
  const dataFolder = await dataFolderWithServer();
  const signal = AbortSignal.abort(new Error("stopped"));
  const environment = process.env;
  await expect(
    startEmbeddedRedis({ dataFolder, environment, log: ignore, signal }),
  ).rejects.toThrow("stopped");
  await using redis = await start(dataFolder);
  expect(await connect(redis.url).ping()).toBe("PONG");
});
